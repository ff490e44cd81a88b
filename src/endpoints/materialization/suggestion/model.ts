// Interface of language models.
import * as z from 'zod'

export interface Message {
  role: 'system' | 'user' | 'assistant'
  content: string
}

export interface Model {
  /** Asks for the JSON object of `RESPONSE_SCHEMA`. Returns the raw text, maybe empty. @throws ModelUnreachable, ModelFailed */
  ask(messages: readonly Message[], timeoutMs: number): Promise<string>
}

/** No response, or not in time. */
export class ModelUnreachable extends Error {
  override readonly name = 'ModelUnreachable'
}

/** The response is not a completion. */
export class ModelFailed extends Error {
  override readonly name = 'ModelFailed'
}

/** Messages of clients quote addresses and headers: only the name is logged. */
export const errorName = (error: unknown): string => (error instanceof Error ? error.name : 'something')

const ModelResponse = z.object({ suggested_query: z.string().nullable(), explanation: z.string().nullable() })
export type ModelResponse = z.output<typeof ModelResponse>

/** For strict structured output: every member required, no others. */
export const RESPONSE_SCHEMA = {
  type: 'object',
  properties: {
    suggested_query: { type: ['string', 'null'] },
    explanation: { type: ['string', 'null'] },
  },
  required: ['suggested_query', 'explanation'],
  additionalProperties: false,
} as const

/** Null for invalid JSON and for a blank query. Models write JSON in a fence of Markdown, too. */
export function parseResponse(text: string): ModelResponse | null {
  const { data } = ModelResponse.safeParse(parseJson(text) ?? parseJson(fencedIn(text)))
  return data && data.suggested_query?.trim() !== '' ? data : null
}

const FENCE = '```'

/** The text between the first line of a fence and its end: the query in it may have fences of its own. */
function fencedIn(text: string): string {
  const start = text.indexOf(FENCE)
  const end = text.lastIndexOf(FENCE)
  return start === end ? '' : text.slice(start, end).replace(/^```[a-z]*/i, '')
}

/** Null for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
