// Interface of language models.
import * as z from 'zod'

export interface Message {
  role: 'system' | 'user' | 'assistant'
  content: string
}

export interface Model {
  /** Asks for the JSON object of `RESPONSE_SCHEMA`. Returns the raw text, which may be empty. @throws ModelUnreachable, ModelFailed */
  ask(messages: readonly Message[], timeoutMs: number): Promise<string>
}

/** The model did not respond in time. */
export class ModelUnreachable extends Error {
  override readonly name = 'ModelUnreachable'
}

/** The response is not a completion. */
export class ModelFailed extends Error {
  override readonly name = 'ModelFailed'
}

/** Returns the name of an error. Only the name is logged, because messages of clients quote addresses and headers. */
export const errorName = (error: unknown): string => (error instanceof Error ? error.name : 'something')

const ModelResponse = z.object({ suggested_query: z.string().nullable(), explanation: z.string().nullable() })
export type ModelResponse = z.output<typeof ModelResponse>

/** The schema for strict structured output, which requires every member and allows no others. */
export const RESPONSE_SCHEMA = {
  type: 'object',
  properties: {
    suggested_query: { type: ['string', 'null'] },
    explanation: { type: ['string', 'null'] },
  },
  required: ['suggested_query', 'explanation'],
  additionalProperties: false,
} as const

/** Returns null for invalid JSON and for a blank query. Models also write JSON inside a Markdown fence. */
export function parseResponse(text: string): ModelResponse | null {
  const { data } = ModelResponse.safeParse(parseJson(text) ?? parseJson(fencedIn(text)))
  return data && data.suggested_query?.trim() !== '' ? data : null
}

const FENCE = '```'

/** Returns the text between the first line of a fence and its last end, because the query in it may contain fences. */
function fencedIn(text: string): string {
  const start = text.indexOf(FENCE)
  const end = text.lastIndexOf(FENCE)
  return start === end ? '' : text.slice(start, end).replace(/^```[a-z]*/i, '')
}

/** Returns null for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
