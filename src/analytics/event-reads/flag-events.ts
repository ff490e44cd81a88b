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

/** Counts events of a flag by day and result. As in HogQL, a distinct id without a person counts as a separate one. */
export async function countFlagEvents(
  engine: QueryEngine,
  projectId: number,
  { event, flagKey, isCall, countPeople, from }: FlagEvents,
): Promise<CallCount[]> {
  const total = countPeople ? 'count(DISTINCT coalesce(d.person_uuid, e.distinct_id))' : 'count(*)'
  const withPeople = (rows: string) => (countPeople ? `LEFT JOIN ${rows}` : '')
  const rows = await readEvents(engine, projectId, {
    sql: {
      sqlite: `SELECT substr(e.timestamp, 1, 10) AS c0, ${isCall ? 'e.flag_response' : 'NULL'} AS c1, ${total} AS c2 FROM events AS e
        ${withPeople('person_distinct_ids AS d ON d.project_id = ?1 AND d.distinct_id = e.distinct_id')}
        WHERE e.project_id = ?1 AND ${isCall ? 'e.flag_key' : `e.properties ->> '$.feature_flag'`} = ?2 AND e.event = ?3 AND e.timestamp >= ?4
        GROUP BY 1, 2`,
      clickhouse: `SELECT toString(toDate(e.timestamp)) AS c0, ${isCall ? 'e.flag_response' : 'CAST(NULL AS Nullable(String))'} AS c1,
          ${total} AS c2 FROM events AS e FINAL
        ${withPeople('(SELECT distinct_id, person_id AS person_uuid FROM person_distinct_ids FINAL WHERE project_id = {p1:Int64}) AS d ON d.distinct_id = e.distinct_id')}
        WHERE e.project_id = {p1:Int64} AND ${isCall ? 'e.flag_key' : `JSONExtractString(e.properties, 'feature_flag')`} = {p2:String}
          AND e.event = {p3:String} AND e.timestamp >= parseDateTime64BestEffort({p4:String}, 6, 'UTC')
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
