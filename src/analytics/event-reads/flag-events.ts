import { FLOAT, STRING } from '../../hogql/types'
import type { QueryEngine } from '../engine/query-engine'
import { readEvents, TEXT } from './read-events'

export interface CallCount {
  /** The day as `YYYY-MM-DD`, in UTC. */
  day: string
  /** The result of the flag as text. It is null for other events. */
  result: string | null
  total: number
}

export interface FlagEvents {
  event: string
  flagKey: string
  /** Whether the flag is in the column of `$feature_flag_called`. Otherwise it is in the property `feature_flag`. */
  isCall: boolean
  /** Whether to count persons instead of events. */
  countPeople: boolean
  /** The earliest timestamp, in stored form. */
  from: string
}

/** Counts events of a flag by day and result. */
export async function countFlagEvents(
  engine: QueryEngine,
  projectId: number,
  { event, flagKey, isCall, countPeople, from }: FlagEvents,
): Promise<CallCount[]> {
  const total = countPeople ? 'count(DISTINCT distinct_id)' : 'count(*)'
  const rows = await readEvents(engine, projectId, {
    sql: {
      sqlite: `SELECT substr(timestamp, 1, 10) AS c0, ${isCall ? 'flag_response' : 'NULL'} AS c1, ${total} AS c2 FROM events
        WHERE project_id = ?1 AND ${isCall ? 'flag_key' : `properties ->> '$.feature_flag'`} = ?2 AND event = ?3 AND timestamp >= ?4
        GROUP BY 1, 2`,
      clickhouse: `SELECT toString(toDate(timestamp)) AS c0, ${isCall ? 'flag_response' : 'CAST(NULL AS Nullable(String))'} AS c1,
          ${total} AS c2 FROM events FINAL
        WHERE project_id = {p1:Int64} AND ${isCall ? 'flag_key' : `JSONExtractString(properties, 'feature_flag')`} = {p2:String}
          AND event = {p3:String} AND timestamp >= parseDateTime64BestEffort({p4:String}, 6, 'UTC')
        GROUP BY c0, c1`,
    },
    values: [flagKey, event, from],
    columns: [STRING, TEXT, FLOAT],
  })
  return rows.map(([day, result, count]) => ({
    day: String(day),
    result: result === null || result === undefined ? null : String(result),
    total: Number(count),
  }))
}
