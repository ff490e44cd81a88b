import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { type D1ErrorKind, d1ErrorKind, isOutage } from '../../src/storage/d1-errors'

/** Messages that Cloudflare documents, and those that SQLite gives. */
const MESSAGES: readonly [string, D1ErrorKind][] = [
  [
    "D1_ERROR: Your account has exceeded D1's maximum account storage limit, please contact Cloudflare to raise your limit.",
    'full',
  ],
  ['D1_ERROR: Exceeded maximum DB size.', 'full'],
  ['D1_ERROR: database or disk is full: SQLITE_FULL', 'full'],
  ['D1_ERROR: D1 DB reset because its code was updated.', 'connection'],
  ['D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset.', 'connection'],
  ['D1_ERROR: Internal error in D1 DB storage caused object to be reset.', 'connection'],
  ['D1_ERROR: Network connection lost.', 'connection'],
  ['D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.', 'connection'],
  ["D1_ERROR: Can't read from request stream because client disconnected.", 'connection'],
  ['D1_ERROR: internal error; reference = 0a1b2c', 'connection'],
  ['D1_ERROR: D1 DB is overloaded. Requests queued for too long.', 'overloaded'],
  ['D1_ERROR: D1 DB is overloaded. Too many requests queued.', 'overloaded'],
  ['D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.', 'timeout'],
  ['D1_ERROR: D1 DB exceeded its CPU time limit and was reset.', 'timeout'],
  ["D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.", 'memory'],
  ['D1_ERROR: string or blob too big: SQLITE_TOOBIG', 'too large'],
  ['D1_ERROR: UNIQUE constraint failed: users.email: SQLITE_CONSTRAINT', 'constraint'],
  ['D1_ERROR: malformed JSON: SQLITE_ERROR', 'statement'],
  ['D1_TYPE_ERROR: Type undefined not supported for value undefined', 'statement'],
]

describe('d1ErrorKind', () => {
  it.each(MESSAGES)('%s', (message, kind) => {
    expect(d1ErrorKind(new Error(message))).toBe(kind)
  })

  it.each([
    ['SELECT missing', 'statement'],
    ["SELECT json('{')", 'statement'],
    ['SELECT zeroblob(3000000000)', 'too large'],
    ["INSERT INTO throttle_windows (name) VALUES ('login')", 'constraint'],
  ] as const)('knows what D1 rejects %s with', async (text, kind) => {
    const error = await env.DB.prepare(text)
      .all()
      .then(
        () => null,
        (reason: unknown) => reason,
      )
    expect(d1ErrorKind(error)).toBe(kind)
    expect(isOutage(kind)).toBe(false)
  })
})
