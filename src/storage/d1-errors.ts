// Classifies errors of D1 by their messages (developers.cloudflare.com/d1/observability/debug-d1, and SQLite's codes).

export type D1ErrorKind =
  /** D1 cannot be reached, or restarts. A write may have been committed. */
  | 'connection'
  /** Too many calls wait for the database, and this one did not run. */
  | 'overloaded'
  /** The statement took too long. */
  | 'timeout'
  /** The statement used too much memory. */
  | 'memory'
  /** The database is as large as it can be. Nothing was written. */
  | 'full'
  /** A value, a row or a statement is larger than SQLite takes. */
  | 'too large'
  | 'constraint'
  /** Anything else: the statement, or a value in it, is wrong. */
  | 'statement'

/** Tried in order: a message may match several. */
const PATTERNS: readonly [D1ErrorKind, RegExp][] = [
  ['full', /SQLITE_FULL|database or disk is full|exceeded (?:maximum DB size|D1's maximum account storage)/i],
  ['too large', /SQLITE_TOOBIG|string or blob too big|(?:response|result).{0,100}too large/i],
  ['memory', /exceeded (?:its )?memory limit|memory limit would be exceeded|SQLITE_NOMEM|out of memory/i],
  ['timeout', /exceeded (?:its )?CPU time limit|SQLITE_INTERRUPT|exceeded timeout|timed out/i],
  ['overloaded', /overloaded|too many requests queued/i],
  ['constraint', /SQLITE_CONSTRAINT|constraint failed/i],
  [
    'connection',
    /connection.{0,100}(?:lost|closed)|object to be reset|D1 DB reset|cannot resolve D1 DB|client disconnected|internal error|SQLITE_(?:BUSY|IOERR|CANTOPEN)/i,
  ],
]

export function d1ErrorKind(error: unknown): D1ErrorKind {
  const message = error instanceof Error ? error.message : String(error)
  return PATTERNS.find(([, pattern]) => pattern.test(message))?.[0] ?? 'statement'
}

/** Whether the cause is the database, not the statement or its values. */
export const isOutage = (kind: D1ErrorKind): boolean =>
  kind !== 'too large' && kind !== 'constraint' && kind !== 'statement'

/** Whether nothing was written because of a value, a row or a guard. */
export const isRejectedByD1 = (kind: D1ErrorKind): boolean => kind === 'constraint' || kind === 'too large'
