// Queries on the embedded database.
import { ApiError } from '../../errors'
import { decoderOf } from '../../hogql/sqlite/values'
import type { Meter } from '../../storage/metered-d1'
import { d1Failure } from './d1-errors'
import { QUERY_DEADLINE_MS, queryTimeout } from './limits'
import { parameterValues } from './parameter-values'
import { bindable } from './bindable'
import type { QueryEngine } from './query-engine'

interface Settings {
  db: D1Database
  meter: Meter
  deadlineMs?: number
}

/**
 * The engine that runs on D1: one call a query, counted as one round trip. Rows come as arrays, for which D1 does not say how much it read.
 * A query that is given up on goes on in the database until D1 ends it; it only reads.
 */
export function createD1Engine({ db, meter, deadlineMs = QUERY_DEADLINE_MS }: Settings): QueryEngine {
  return {
    dialect: 'sqlite',
    async run(query, run) {
      const values = parameterValues(query, run).map(bindable)
      meter.roundTrips += 1
      const rows = await inTime(
        db
          .prepare(query.sql)
          .bind(...values)
          .raw<unknown[]>(),
        deadlineMs,
      )
      decode(
        rows,
        query.columns.map(({ type }) => decoderOf(type, run.timezone)),
      )
      return { rows }
    },
  }
}

async function inTime<T>(work: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(queryTimeout()), deadlineMs)
  })
  try {
    return await Promise.race([work, late])
  } catch (error) {
    throw error instanceof ApiError ? error : d1Failure(error)
  } finally {
    clearTimeout(timer)
  }
}

/** Turns values into what the API shows, in place. Columns whose values are that already cost nothing. */
function decode(rows: unknown[][], decoders: readonly (((value: unknown) => unknown) | null)[]): void {
  decoders.forEach((decoder, column) => {
    if (!decoder) return
    for (const row of rows) row[column] = decoder(row[column])
  })
}
