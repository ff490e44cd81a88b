import { within } from '../../deadline'
import type { Deps } from '../../deps'
import { ApiError } from '../../errors'
import type { CompiledQuery } from '../../hogql/compiled'
import type { Meter } from '../../storage/metered-d1'
import { sumOf } from '../../storage/sum-of'
import { admit, type ShardAccess } from './admission'
import { bindable, parameterValues } from './parameter-values'
import { d1Failure } from './d1-errors'
import { MAX_RESULT_BYTES, QUERY_DEADLINE_MS, queryCapacity, queryTimeout } from './limits'
import { decodeRows, type QueryEngine } from './query-engine'

interface Settings extends ShardAccess {
  deadlineMs?: number
  /** Counts computed tables. */
  memory?: Deps['memory']
}

/**
 * Creates the engine. A query takes one round trip for its cost, if its cost is estimated, and one for itself. D1 continues a query after
 * its timeout.
 */
export function createD1Engine({ deadlineMs = QUERY_DEADLINE_MS, memory, ...access }: Settings): QueryEngine {
  const { db, meter } = access
  return {
    dialect: 'sqlite',
    async run(query, run) {
      // A variable without a value throws here, before the query is queued.
      parameterValues(query, run)
      const started = await admit(access, query, run, async (known) => {
        memory?.take(sumOfLengths(known.tables))
        const values = parameterValues(query, known).map(bindable)
        return countedRows(db.prepare(withinBytes(query, MAX_RESULT_BYTES)).bind(...values), meter)
      }).catch((error: unknown) => {
        throw failureOf(error)
      })
      // A light query that times out was waiting for others.
      const timeout = started.isLight ? queryCapacity : queryTimeout
      const rows = await within(started.result, deadlineMs, timeout).catch((error: unknown) => {
        throw failureOf(error)
      })
      decodeRows(rows, query, run.timezone)
      return { rows }
    },
  }
}

/** Returns all rows, and counts those that D1 read; `raw()` does not return that number. */
async function countedRows(statement: D1PreparedStatement, meter: Meter): Promise<unknown[][]> {
  meter.roundTrips += 1
  const { results, meta } = await statement.all<Record<string, unknown>>()
  meter.rowsRead += meta.rows_read
  return results.map((row) => Object.values(row))
}

/** SQL that fails at the row after `bytes` of values, because its `zeroblob` exceeds the limit of D1. */
function withinBytes({ sql, columns }: CompiledQuery, bytes: number): string {
  const names = columns.map((_, place) => `c${place}`)
  const size = sumOf(names.map((name) => `ifnull(octet_length(${name}), 0)`))
  const [first = 'c0', ...others] = names
  const checked = `CASE WHEN sum(${size}) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) > ${bytes} THEN zeroblob(3000000000) ELSE ${first} END AS ${first}`
  return `SELECT ${[checked, ...others].join(', ')} FROM (${sql})`
}

const sumOfLengths = (texts: readonly string[] = []): number =>
  texts.reduce((sum, { length }) => sum + length, 0)

const failureOf = (error: unknown): unknown => (error instanceof ApiError ? error : d1Failure(error))
