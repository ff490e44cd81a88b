// A model behind OpenAI's chat completions API.
import { withoutLastSlashes } from '../../../base-url'
import * as z from 'zod'
import { boundedText } from '../../../bounded-text'
import { RESPONSE_SCHEMA, parseJson, errorName, type Model, ModelFailed, ModelUnreachable } from './model'

interface Settings {
  /** The URL before `/chat/completions`. Its query string is preserved. */
  baseUrl: string
  model: string
  /** The key. An empty one is not sent. */
  key: string
}

/** Maximum bytes of a response. A query of 100,000 characters fits, with its explanation. */
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
          json_schema: { name: 'suggestion', strict: true, schema: RESPONSE_SCHEMA },
        },
      }),
      // Following a redirect would forward the key.
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
    const { data } = Completion.safeParse(parseJson(text))
    if (!data) throw new ModelFailed("the model's service answered with something else than a completion")
    return data.choices[0].message.content ?? ''
  },
})

function addressOf(baseUrl: string): URL {
  if (!URL.canParse(baseUrl)) throw new ModelFailed('AI_BASE_URL is no URL')
  const url = new URL(baseUrl)
  url.pathname = `${withoutLastSlashes(url.pathname)}/chat/completions`
  return url
}

const unreachable = (error: unknown): never => {
  throw new ModelUnreachable(`the model's service did not answer: ${errorName(error)}`)
}
