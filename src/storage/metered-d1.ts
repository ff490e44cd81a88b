// D1 as the Worker sees it: the same interface, with every call counted and given a deadline.
import { within } from '../deadline'
import { unavailable } from '../errors'

/** What a request cost the database. A `batch()` is one round trip. */
export interface Meter {
  roundTrips: number
  rowsRead: number
  rowsWritten: number
}

export const createMeter = (): Meter => ({ roundTrips: 0, rowsRead: 0, rowsWritten: 0 })

/** D1 stalls for seconds at times; a 503 that says when to come back serves a caller better. */
const DEADLINE_MS = 8_000

/** Errors that say nothing of the statement: D1 is overloaded, starts anew, or cannot be reached. */
const OUTAGE =
  /D1 DB (?:is overloaded|exceeded|reset)|Network connection lost|caused object to be reset|Cannot resolve D1 DB/i

/** 503 for an outage; any other error as it is. */
const outageAsUnavailable = (error: unknown): unknown =>
  error instanceof Error && OUTAGE.test(error.message) ? unavailable(undefined, error) : error

export interface Deadline {
  deadlineMs?: number
  /** The error of a call that outlives the deadline. */
  timeout?(): Error
  /** What to throw in place of an error of D1; a 503 for outages by default. */
  failure?(error: unknown): unknown
}

/**
 * Wraps `d1` so that `meter` counts round trips and rows, and a call that outlives the deadline rejects, with a 503 by default.
 * A batch is atomic, so a call that timed out has written everything or nothing.
 *
 * Rows are counted from `meta`, which D1 leaves out of `raw()`. So `raw()` is answered from `all()`: every query names its columns
 * uniquely (`.as()` on anything that two tables share).
 */
export function meteredD1(
  d1: D1Database,
  meter: Meter,
  { deadlineMs = DEADLINE_MS, timeout = unavailable, failure = outageAsUnavailable }: Deadline = {},
): D1Database {
  const inner = new WeakMap<object, D1PreparedStatement>()

  const spend = (meta: D1Meta) => {
    meter.rowsRead += meta.rows_read ?? 0
    meter.rowsWritten += meta.rows_written ?? 0
  }

  async function call<T>(work: Promise<T>): Promise<T> {
    meter.roundTrips += 1
    try {
      return await within(work, deadlineMs, timeout)
    } catch (error) {
      throw failure(error)
    }
  }

  function wrap(statement: D1PreparedStatement): D1PreparedStatement {
    const all = async <T>() => {
      const result = await call(statement.all<T>())
      spend(result.meta)
      return result
    }
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      all,
      run: all,
      first: async (column?: string) => {
        const [row] = (await all<Record<string, unknown>>()).results
        if (!row) return null
        return column === undefined ? row : row[column]
      },
      raw: async () => (await all<Record<string, unknown>>()).results.map((row) => Object.values(row)),
    } as unknown as D1PreparedStatement
    inner.set(wrapped, statement)
    return wrapped
  }

  return {
    prepare: (query: string) => wrap(d1.prepare(query)),
    batch: async <T>(statements: D1PreparedStatement[]) => {
      const results = await call(
        d1.batch<T>(statements.map((statement) => inner.get(statement) ?? statement)),
      )
      for (const { meta } of results) spend(meta)
      return results
    },
  } as unknown as D1Database
}
