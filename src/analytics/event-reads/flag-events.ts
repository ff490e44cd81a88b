import type { CostFormulas, Parameter } from '../../hogql/compiled'
import { createSteps, type Formula, product, statistic, sum } from '../../hogql/cost/formula'
import {
  AGGREGATE,
  DOCUMENT_BYTE,
  LOOKUP,
  LOOKUP_ROW,
  ROW,
  ROW_OVERHEAD,
  SORTED_ROW,
} from '../../hogql/cost/rates'
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

/**
 * Counts events of a flag by day and result. As in HogQL, a distinct id without a person counts as a separate one.
 * @throws 400 `query_too_expensive`, 429 and 503, as a saved query
 */
export async function countFlagEvents(
  engine: QueryEngine,
  projectId: number,
  counted: FlagEvents,
): Promise<CallCount[]> {
  const { event, flagKey, isCall, countPeople, from } = counted
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
    cost: costOf(counted),
  })
  return rows.map(([day, result, count]) => ({
    day: String(day),
    result: result === null || result === undefined ? null : String(result),
    total: Number(count),
  }))
}

/**
 * Returns what the count costs on D1: no more than reading all events of this name. The calls of one flag are counted by their index
 * where those of all flags would cost too much.
 */
function costOf({ event, flagKey, isCall, countPeople, from }: FlagEvents): CostFormulas {
  const literal = (value: string): Parameter => ({ kind: 'literal', value })
  const { steps, place } = createSteps()
  const [named, bytes] = [statistic(0, 'rows'), statistic(0, 'bytes')]
  const rows: Formula = isCall ? { op: 'measured', measure: 0, column: 0, otherwise: named } : named
  const perPerson = countPeople ? LOOKUP_ROW + SORTED_ROW : 0
  const perProperty = isCall ? 0 : LOOKUP
  return {
    statistics: [
      {
        sql: `SELECT ifnull(sum(events), 0), ifnull(sum(bytes), 0), ifnull(max(largest), 0) FROM event_volumes
          WHERE project_id = ?1 AND event = ?2 AND day >= substr(?3, 1, 10)`,
        parameters: [{ kind: 'project' }, literal(event), literal(from)],
      },
    ],
    readsEvents: true,
    measures: isCall
      ? [
          {
            query: {
              sql: 'SELECT count(*) FROM events WHERE project_id = ?1 AND flag_key = ?2 AND timestamp >= ?3',
              parameters: [{ kind: 'project' }, literal(flagKey), literal(from)],
            },
            cost: place(product(named, AGGREGATE)),
          },
        ]
      : [],
    texts: [],
    parts: [
      ['events', place(product(rows, ROW + AGGREGATE))],
      ['persons', place(product(rows, perPerson))],
      ['properties', place(sum(product(rows, perProperty), product(bytes, isCall ? 0 : DOCUMENT_BYTE)))],
    ],
    held: place(product(rows, countPeople ? ROW_OVERHEAD * 2 : 0)),
    steps,
  }
}
