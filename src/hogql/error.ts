/** Offsets into the text of the query, `end` exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A remark on a query that is valid, but probably not what its author meant. */
export interface Warning extends Span {
  message: string
  /** Text that may replace the span, or null without a suggestion. */
  fix: string | null
}

export type ErrorCode =
  | 'syntax_error'
  | 'query_too_large'
  | 'query_too_expensive'
  | 'unknown_table'
  | 'unknown_field'
  | 'unknown_function'
  | 'not_supported'
  | 'type_mismatch'
  | 'invalid_query'

/** The error of a query that cannot be parsed, resolved or printed. It has no span when the message is about the whole query. */
export class HogqlError extends Error {
  override name = 'HogqlError'
  readonly start: number | null
  readonly end: number | null

  constructor(
    message: string,
    span: Span | null = null,
    readonly code: ErrorCode = 'not_supported',
  ) {
    super(message)
    this.start = span?.start ?? null
    this.end = span?.end ?? null
  }
}

/**
 * @param part the position; null when the caller adds it, or there is none
 * @throws HogqlError always
 */
export function reject(
  part: { start: number | null; end: number | null } | null,
  message: string,
  code?: ErrorCode,
): never {
  const { start = null, end = null } = part ?? {}
  throw new HogqlError(message, start === null || end === null ? null : { start, end }, code)
}

/**
 * Resolves a part that is not in the query's text.
 * @param part the position that errors of it have
 * @param name what their messages call it
 */
export function resolvePart<T>(part: Parameters<typeof reject>[0], name: string, resolve: () => T): T {
  try {
    return resolve()
  } catch (error) {
    if (error instanceof HogqlError) reject(part, `${name}: ${error.message}`, error.code)
    throw error
  }
}

/** Returns the message of an error with its line and column in the text; for a syntax error, also the line with a caret. */
export function messageWithPlace({ message, start, code }: HogqlError, text: string): string {
  if (start === null) return message
  const before = text.slice(0, start).split('\n')
  const column = before.at(-1)!
  const place = `line ${before.length}, column ${[...column].length + 1}`
  const found = `${message.replace(/\.$/, '')} at ${place}`
  return code === 'syntax_error' ? `${found}\n${lineWithCaret(text, start, column)}` : found
}

/** Characters of a line that an error shows before the position, and after it. */
const SHOWN = 60

/** Returns the line of a position, with a caret below. */
function lineWithCaret(text: string, start: number, column: string): string {
  const [rest = ''] = text.slice(start).split('\n', 1)
  const before = column.length > SHOWN ? `…${column.slice(-SHOWN)}` : column
  const after = rest.length > SHOWN ? `${rest.slice(0, SHOWN)}…` : rest
  return `${before}${after}\n${' '.repeat([...before].length)}^`
}
