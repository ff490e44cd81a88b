import { INTEGER, STRING } from '../../hogql/types'
import { MAX_PAGE_BYTES } from '../../storage/byte-page'
import type { QueryEngine } from '../engine/query-engine'
import { readEvents } from './read-events'

/** Maximum persons, groups or events whose values are read, as far as they are within MAX_PAGE_BYTES. */
export const MAX_SAMPLE = 2_000
export const MAX_VALUES = 20
/** Maximum bytes of a value. Longer values are left out. */
export const MAX_VALUE_BYTES = 1_024

/** SQL of the text in a row of `json_each`. It is NULL for JSON's null. */
export const propertyText = (row: string): string =>
  `CASE ${row}.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE CAST(${row}.value AS TEXT) END`

export interface EventValues {
  key: string
  /** A text that the values contain. */
  value: string
  /** The name of the events. Without it, all events are read. */
  event: string | undefined
  /** The earliest timestamp, in stored form. */
  from: string
}

/** Counts the values of a property among the newest events. */
export async function readEventValues(
  engine: QueryEngine,
  projectId: number,
  { key, value, event, from }: EventValues,
): Promise<{ name: string; count: number }[]> {
  const isNamed = event !== undefined
  const rows = await readEvents(engine, projectId, {
    sql: {
      sqlite: `WITH picked AS MATERIALIZED (
          SELECT id, sum(bytes) OVER (ROWS UNBOUNDED PRECEDING) AS total FROM (
            SELECT e.id, octet_length(e.properties) AS bytes FROM events AS e INDEXED BY ${isNamed ? 'events_name' : 'events_time'}
            WHERE e.project_id = ?1 AND e.timestamp >= ?4 ${isNamed ? 'AND e.event = ?5' : ''}
            ORDER BY e.timestamp DESC LIMIT ${MAX_SAMPLE}))
        SELECT value AS c0, count(*) AS c1 FROM (
          SELECT ${propertyText('property')} AS value FROM picked CROSS JOIN events AS e ON e.id = picked.id
            CROSS JOIN json_each(e.properties) AS property
            WHERE picked.total <= ${MAX_PAGE_BYTES} AND property.key = ?2)
        WHERE octet_length(value) BETWEEN 1 AND ${MAX_VALUE_BYTES} AND instr(lower(value), lower(?3)) > 0
        GROUP BY value ORDER BY c1 DESC, c0 LIMIT ${MAX_VALUES}`,
      clickhouse: `SELECT value AS c0, count() AS c1 FROM (
          SELECT if(JSONType(properties, {p2:String}) = 'String', JSONExtractString(properties, {p2:String}),
            JSONExtractRaw(properties, {p2:String})) AS value
          FROM (SELECT properties FROM events FINAL
            WHERE project_id = {p1:Int64} AND timestamp >= parseDateTime64BestEffort({p4:String}, 6, 'UTC')
              ${isNamed ? 'AND event = {p5:String}' : ''}
            ORDER BY timestamp DESC LIMIT ${MAX_SAMPLE})
          WHERE JSONHas(properties, {p2:String}) AND JSONType(properties, {p2:String}) != 'Null')
        WHERE length(value) BETWEEN 1 AND ${MAX_VALUE_BYTES} AND positionCaseInsensitive(value, {p3:String}) > 0
        GROUP BY value ORDER BY c1 DESC, c0 LIMIT ${MAX_VALUES}`,
    },
    values: [key, value, from, ...(isNamed ? [event] : [])],
    columns: [STRING, INTEGER],
  })
  return rows.map(([name, count]) => ({ name: String(name), count: Number(count) }))
}
