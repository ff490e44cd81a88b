// A model of Workers AI, through its binding. It has no local form: where it is bound, asking it takes an account.
import * as z from 'zod'
import { ANSWER_SCHEMA, kindOf, type Model, ModelFailed, ModelUnreachable } from './model'

/** The binding, as far as it is used here. */
export interface TextModel {
  run(model: string, input: Record<string, unknown>, options: { signal: AbortSignal }): Promise<unknown>
}

/** As its models answer, and as those do that speak OpenAI's protocol. In JSON mode, some give the object and others its text. */
const Completion = z.union([
  z.object({ response: z.unknown() }).transform(({ response }) => response),
  z
    .object({
      choices: z.tuple([z.object({ message: z.object({ content: z.unknown() }) })], z.unknown()),
    })
    .transform(({ choices }) => choices[0].message.content),
])

/** Of an answer; the binding's own default cuts queries short. */
const MAX_TOKENS = 8192

/** What the binding throws when the model would not give what the schema asks for. */
const NO_JSON = /JSON Mode couldn't be met/i

export const workersAi = (binding: TextModel, model: string): Model => ({
  async ask(messages, timeoutMs) {
    const signal = AbortSignal.timeout(timeoutMs)
    const input = {
      messages,
      max_tokens: MAX_TOKENS,
      response_format: { type: 'json_schema', json_schema: ANSWER_SCHEMA },
    }
    try {
      return textOf(await Promise.race([binding.run(model, input, { signal }), endOf(signal)]))
    } catch (error) {
      if (error instanceof ModelFailed) throw error
      if (signal.aborted) throw new ModelUnreachable('Workers AI did not answer in time')
      if (error instanceof Error && NO_JSON.test(error.message)) return ''
      throw new ModelFailed(`Workers AI failed: ${kindOf(error)}`)
    }
  },
})

function textOf(answer: unknown): string {
  const { success, data } = Completion.safeParse(answer)
  if (!success) throw new ModelFailed('Workers AI answered with something else than a completion')
  return typeof data === 'string' ? data : JSON.stringify(data ?? '')
}

const endOf = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
