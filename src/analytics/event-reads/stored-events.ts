import { INTEGER } from '../../hogql/types'
import type { QueryEngine } from '../engine/query-engine'
import { type EventRead, readEvents } from './read-events'

/** Counts the events with these uuids. */
export const countStoredEvents = (engine: QueryEngine, projectId: number, uuids: readonly string[]) =>
  count(engine, projectId, uuids, {
    sqlite: `SELECT count(*) AS c0 FROM json_each(?2) AS wanted
      CROSS JOIN events AS e ON e.project_id = ?1 AND e.uuid = wanted.value`,
    clickhouse: `SELECT uniqExact(uuid) AS c0 FROM events WHERE project_id = {p1:Int64}
      AND uuid IN JSONExtract({p2:String}, 'Array(String)')`,
  })

/** Counts the copies of persons that have these versions, by uuid, or later ones. */
export const countStoredPersons = (
  engine: QueryEngine,
  projectId: number,
  versions: ReadonlyMap<string, number>,
) =>
  count(engine, projectId, Object.fromEntries(versions), {
    sqlite: `SELECT count(*) AS c0 FROM json_each(?2) AS wanted
      CROSS JOIN persons AS p ON p.project_id = ?1 AND p.uuid = wanted.key AND p.version >= wanted.value`,
    clickhouse: `WITH JSONExtract({p2:String}, 'Map(String, UInt64)') AS wanted
      SELECT uniqExact(id) AS c0 FROM persons
      WHERE project_id = {p1:Int64} AND mapContains(wanted, id) AND version >= wanted[id]`,
  })

async function count(
  engine: QueryEngine,
  projectId: number,
  wanted: object,
  sql: EventRead['sql'],
): Promise<number> {
  if (Object.keys(wanted).length === 0) return 0
  const [row] = await readEvents(engine, projectId, {
    sql,
    values: [JSON.stringify(wanted)],
    columns: [INTEGER],
  })
  return Number(row?.[0] ?? 0)
}
