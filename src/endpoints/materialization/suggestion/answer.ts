// What a model has to answer: one JSON object of two members.
import * as z from 'zod'

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
