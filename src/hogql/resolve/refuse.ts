// Refusing a query, and saying where.
import { HogqlError } from '../error'
import type { Located } from '../parser/ast'

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
