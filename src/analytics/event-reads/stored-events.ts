import { INTEGER } from '../../hogql/types'
import type { QueryEngine } from '../engine/query-engine'
import { readEvents } from './read-events'

/** Counts the events with these uuids. */
export async function countStored(
  engine: QueryEngine,
  projectId: number,
  uuids: readonly string[],
): Promise<number> {
  const [row] = await readEvents(engine, projectId, {
    sql: {
      sqlite: `SELECT count(*) AS c0 FROM json_each(?2) AS wanted
        CROSS JOIN events AS e ON e.project_id = ?1 AND e.uuid = wanted.value`,
      clickhouse: `SELECT uniqExact(uuid) AS c0 FROM events WHERE project_id = {p1:Int64}
        AND uuid IN JSONExtract({p2:String}, 'Array(String)')`,
    },
    values: [JSON.stringify(uuids)],
    columns: [INTEGER],
  })
  return Number(row?.[0] ?? 0)
}
