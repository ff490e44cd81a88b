// What is wrong with a query, and where.
import type { Located } from './parser/ast'

/** Offsets into the text of the query: from the first character to the one behind the last. */
export interface Place {
  readonly start: number
  readonly end: number
}

/** A query that cannot be parsed, resolved or printed. The message says why, and names the thing; the place is null where it is all of it. */
export class HogqlError extends Error {
  override name = 'HogqlError'
  readonly start: number | null
  readonly end: number | null

  constructor(
    message: string,
    place: Place | null = null,
    readonly code: string = 'not_supported',
  ) {
    super(message)
    this.start = place?.start ?? null
    this.end = place?.end ?? null
  }
}

// Refusing a query, and saying where.
export type RefusalCode =
  | 'syntax_error'
  | 'unknown_table'
  | 'unknown_field'
  | 'unknown_function'
  | 'not_supported'
  | 'type_mismatch'
  | 'invalid_query'

/** Throws the error of a query that is not resolved: what is wrong, and the part of the text that it is about. */
export function refuse({ start, end }: Located, message: string, code: RefusalCode): never {
  throw new HogqlError(message, start === null || end === null ? null : { start, end }, code)
}
