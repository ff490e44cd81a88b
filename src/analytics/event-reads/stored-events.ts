import { INTEGER } from '../../hogql/types'
import type { QueryEngine } from '../engine/query-engine'
import { readEvents } from './read-events'

/** Counts the events, or the copies of persons, with these uuids. */
export async function countStored(
  engine: QueryEngine,
  projectId: number,
  table: 'events' | 'persons',
  uuids: readonly string[],
): Promise<number> {
  if (uuids.length === 0) return 0
  const id = table === 'persons' ? 'id' : 'uuid'
  const [row] = await readEvents(engine, projectId, {
    sql: {
      sqlite: `SELECT count(*) AS c0 FROM json_each(?2) AS wanted
        CROSS JOIN ${table} AS e ON e.project_id = ?1 AND e.uuid = wanted.value`,
      clickhouse: `SELECT uniqExact(${id}) AS c0 FROM ${table} WHERE project_id = {p1:Int64}
        AND ${id} IN JSONExtract({p2:String}, 'Array(String)')`,
    },
    values: [JSON.stringify(uuids)],
    columns: [INTEGER],
  })
  return Number(row?.[0] ?? 0)
}
