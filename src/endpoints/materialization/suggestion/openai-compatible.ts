// A model behind OpenAI's chat completions, whoever serves them.
import * as z from 'zod'
import { boundedText } from '../../../bounded-text'
import { ANSWER_SCHEMA, jsonIn, kindOf, type Model, ModelFailed, ModelUnreachable } from './model'

interface Settings {
  /** What `/chat/completions` stands behind; parameters in it are kept. */
  baseUrl: string
  model: string
  /** Empty: none is sent. */
  key: string
}

/** Bytes that are read of a completion: a suggestion is one query, of at most 100,000 characters, and a few words about it. */
const MAX_COMPLETION_BYTES = 1024 * 1024

const Completion = z.object({
  choices: z.tuple([z.object({ message: z.object({ content: z.string().nullish() }) })], z.unknown()),
})

export const openAiCompatible = ({ baseUrl, model, key }: Settings): Model => ({
  async ask(messages, timeoutMs) {
    const response = await fetch(addressOf(baseUrl), {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(key === '' ? {} : { Authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({
        model,
        messages,
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'suggestion', strict: true, schema: ANSWER_SCHEMA },
        },
      }),
      // A redirect would take the key elsewhere.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch(unreachable)
    if (!response.ok) {
      await response.body?.cancel()
      throw new ModelFailed(`the model's service answered ${response.status}`)
    }
    const text = await boundedText(response.body, MAX_COMPLETION_BYTES).catch(unreachable)
    if (text === null) {
      throw new ModelFailed(`the model's service answered with more than ${MAX_COMPLETION_BYTES} bytes`)
    }
    const { data } = Completion.safeParse(jsonIn(text))
    if (!data) throw new ModelFailed("the model's service answered with something else than a completion")
    return data.choices[0].message.content ?? ''
  },
})

function addressOf(baseUrl: string): URL {
  if (!URL.canParse(baseUrl)) throw new ModelFailed('AI_BASE_URL is no URL')
  const url = new URL(baseUrl)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`
  return url
}

const unreachable = (error: unknown): never => {
  throw new ModelUnreachable(`the model's service did not answer: ${kindOf(error)}`)
}
