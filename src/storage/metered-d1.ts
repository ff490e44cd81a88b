// Wraps D1: counts calls and rows, and sets deadlines.
import { within } from '../deadline'
import { ApiError, databaseFull, unavailable } from '../errors'
import { d1ErrorKind, isOutage } from './d1-errors'
import { isEssential, RELEASE_RESERVE } from './reserve'

/** The cost of a request. A `batch()` is one round trip. */
export interface Meter {
  roundTrips: number
  rowsRead: number
  rowsWritten: number
  /** The size of the database after the last call; 0 before the first. */
  databaseBytes: number
}

/** A database, or a session of one. */
export type QueriedD1 = Pick<D1Database, 'prepare' | 'batch'>

export const createMeter = (): Meter => ({
  roundTrips: 0,
  rowsRead: 0,
  rowsWritten: 0,
  databaseBytes: 0,
})

/** The deadline of a call. D1 sometimes stalls for seconds, and callers then get a 503 with `Retry-After`. */
const DEADLINE_MS = 8_000

/** Maps errors of D1: an outage to a 503, a full database to its error; any other error stays as it is. */
export const outagesAs =
  (unavailableError: (cause: unknown) => ApiError) =>
  (error: unknown): unknown => {
    if (error instanceof ApiError) return error
    const kind = d1ErrorKind(error)
    if (kind === 'full') return databaseFull(error)
    return isOutage(kind) ? unavailableError(error) : error
  }

const outageAsUnavailable = outagesAs((cause) => unavailable(undefined, cause))

export interface Deadline {
  deadlineMs?: number
  /** When the last call may begin, in epoch milliseconds: who waits for its result does not wait longer. */
  lastCallAt?: number
  /** The error of a call that outlives the deadline. */
  timeout?(): Error
  /** Replaces an error of D1; default: a 503 for outages. */
  failure?(error: unknown): unknown
}

/**
 * Wraps `d1` so that `meter` counts round trips and rows, and a call that outlives the deadline rejects, with a 503 by default.
 * A batch is atomic, so a call that timed out has written everything or nothing.
 *
 * Row counts come from `meta`, which `raw()` does not return. So `raw()` uses `all()`: every query has to name its columns
 * uniquely (`.as()` on anything that two tables share).
 */
export function meteredD1(
  d1: QueriedD1,
  meter: Meter,
  {
    deadlineMs = DEADLINE_MS,
    lastCallAt = Infinity,
    timeout = unavailable,
    failure = outageAsUnavailable,
  }: Deadline = {},
): D1Database {
  const inner = new WeakMap<object, Sent>()

  const spend = (meta: D1Meta) => {
    meter.rowsRead += meta.rows_read ?? 0
    meter.rowsWritten += meta.rows_written ?? 0
    meter.databaseBytes = meta.size_after ?? 0
  }

  async function call<T>(send: Send<T>, texts: readonly string[]): Promise<T> {
    if (Date.now() > lastCallAt) throw timeout()
    try {
      return await within(sendOnce(send, texts), deadlineMs, timeout)
    } catch (error) {
      throw failure(error)
    }
  }

  /** A write whose connection is lost may be committed, and D1 itself repeats reads. A full database has written nothing. */
  async function sendOnce<T>({ plain, fromReserve }: Send<T>, texts: readonly string[]): Promise<T> {
    meter.roundTrips += 1
    try {
      return await plain()
    } catch (error) {
      if (d1ErrorKind(error) === 'full' && texts.some(isEssential)) return fromReserve()
      throw error
    }
  }

  const batch = <T>(statements: D1PreparedStatement[]): Send<D1Result<T>[]> => ({
    plain: () => d1.batch<T>(statements),
    fromReserve: async () => {
      meter.roundTrips += 1
      const [released, ...results] = await d1.batch<T>([d1.prepare(RELEASE_RESERVE), ...statements])
      spend(released!.meta)
      return results
    },
  })

  function wrap(statement: D1PreparedStatement, text: string): D1PreparedStatement {
    const all = async <T>() => {
      const { fromReserve } = batch<T>([statement])
      const send = {
        plain: () => statement.all<T>(),
        fromReserve: async () => (await fromReserve())[0]!,
      }
      const result = await call(send, [text])
      spend(result.meta)
      return result
    }
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values), text),
      all,
      run: all,
      first: async (column?: string) => {
        const [row] = (await all<Record<string, unknown>>()).results
        if (!row) return null
        return column === undefined ? row : row[column]
      },
      raw: async () => (await all<Record<string, unknown>>()).results.map((row) => Object.values(row)),
    } as unknown as D1PreparedStatement
    inner.set(wrapped, { statement, text })
    return wrapped
  }

  return {
    prepare: (query: string) => wrap(d1.prepare(query), query),
    batch: async <T>(wrapped: D1PreparedStatement[]) => {
      const sent = wrapped.map((each) => inner.get(each) ?? { statement: each, text: '' })
      const results = await call(
        batch<T>(sent.map(({ statement }) => statement)),
        sent.map(({ text }) => text),
      )
      for (const { meta } of results) spend(meta)
      return results
    },
  } as unknown as D1Database
}

interface Sent {
  statement: D1PreparedStatement
  text: string
}

interface Send<T> {
  plain(): Promise<T>
  /** Does the same in a batch that first frees pages of the reserve. */
  fromReserve(): Promise<T>
}
