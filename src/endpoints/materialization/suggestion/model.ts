// What is asked of a language model, whoever runs it.
import * as z from 'zod'

export interface Message {
  role: 'system' | 'user' | 'assistant'
  content: string
}

export interface Model {
  /**
   * Asks for the JSON object that `ANSWER_SCHEMA` describes.
   * @returns the text that the model gave, whatever it is; empty when it gave none.
   * @throws ModelUnreachable, ModelFailed.
   */
  ask(messages: readonly Message[], timeoutMs: number): Promise<string>
}

/** Nobody answered, or not in time. */
export class ModelUnreachable extends Error {
  override readonly name = 'ModelUnreachable'
}

/** Somebody answered, and it was no answer of a model. */
export class ModelFailed extends Error {
  override readonly name = 'ModelFailed'
}

/** Of an error as little as may be said: messages of clients quote addresses and headers. */
export const kindOf = (error: unknown): string => (error instanceof Error ? error.name : 'something')

const Answer = z.object({ suggested_query: z.string().nullable(), explanation: z.string().nullable() })
export type Answer = z.output<typeof Answer>

/** The same for the model, in the form that strict structured output asks for: every member required, no others. */
export const ANSWER_SCHEMA = {
  type: 'object',
  properties: {
    suggested_query: { type: ['string', 'null'] },
    explanation: { type: ['string', 'null'] },
  },
  required: ['suggested_query', 'explanation'],
  additionalProperties: false,
} as const

/** The answer in a model's text; null when it is none. A query of blanks is none either. */
export function answerIn(text: string): Answer | null {
  const { data } = Answer.safeParse(jsonIn(text))
  return data && data.suggested_query?.trim() !== '' ? data : null
}

/** The JSON value that a text is; null for any other text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
