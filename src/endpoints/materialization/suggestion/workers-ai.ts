// A model of Workers AI, through its binding. There is no local version of the binding: it needs an account.
import * as z from 'zod'
import { RESPONSE_SCHEMA, errorName, type Model, ModelFailed, ModelUnreachable } from './model'

export interface TextModel {
  run(model: string, input: Record<string, unknown>, options: { signal: AbortSignal }): Promise<unknown>
}

/** The response of Workers AI, or of a model with OpenAI's protocol. JSON mode returns an object or its text. */
const Completion = z.union([
  z.object({ response: z.unknown() }).transform(({ response }) => response),
  z
    .object({
      choices: z.tuple([z.object({ message: z.object({ content: z.unknown() }) })], z.unknown()),
    })
    .transform(({ choices }) => choices[0].message.content),
])

/** Maximum tokens of a response. The binding's default would cut queries short. */
const MAX_TOKENS = 8192

/** Matches the error of the binding in JSON mode. */
const NO_JSON = /JSON Mode couldn't be met/i

export const workersAi = (binding: TextModel, model: string): Model => ({
  async ask(messages, timeoutMs) {
    const signal = AbortSignal.timeout(timeoutMs)
    const input = {
      messages,
      max_tokens: MAX_TOKENS,
      response_format: { type: 'json_schema', json_schema: RESPONSE_SCHEMA },
    }
    try {
      return textOf(await Promise.race([binding.run(model, input, { signal }), endOf(signal)]))
    } catch (error) {
      if (error instanceof ModelFailed) throw error
      if (signal.aborted) throw new ModelUnreachable('Workers AI did not answer in time')
      if (error instanceof Error && NO_JSON.test(error.message)) return ''
      throw new ModelFailed(`Workers AI failed: ${errorName(error)}`)
    }
  },
})

function textOf(output: unknown): string {
  const { success, data } = Completion.safeParse(output)
  if (!success) throw new ModelFailed('Workers AI answered with something else than a completion')
  return typeof data === 'string' ? data : JSON.stringify(data ?? '')
}

const endOf = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
