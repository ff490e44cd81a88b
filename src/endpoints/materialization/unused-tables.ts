// Drops tables of materialized rows that no version uses. Nothing else does, except the deletion of a project. Runs every minute.
import { sql } from 'drizzle-orm'
import { dropTables } from '../../outbox/shard-cleanup'
import type { Database } from '../../storage/database'
import { tablesOf } from './tables'

/** Maximum tables of a statement. */
const PAGE = 5_000

/** Maximum tables that one run drops in all shards, with two statements for each. */
export const MAX_DROPS = 25

interface Registered {
  name: string
  project_id: number
  version_id: string
}

/**
 * Builds write the number of a table to the main database before they create it. The shard is therefore read first: a table that is in
 * no row then is unused for good.
 */
export async function dropUnusedTables(db: Database, shard: D1Database, maxDrops: number): Promise<void> {
  let left = maxDrops
  for (let after = ''; ;) {
    const { results } = await shard
      .prepare(
        `SELECT name, project_id, version_id FROM materialized_tables WHERE name > ?1 ORDER BY name LIMIT ${PAGE}`,
      )
      .bind(after)
      .all<Registered>()
    if (results.length === 0) return
    const used = await tablesInUse(
      db,
      results.map(({ version_id }) => version_id),
    )
    for (const { name, project_id } of results) {
      if (used.has(name)) continue
      if (left === 0) return
      left -= 1
      await dropTables(shard, project_id, [name])
    }
    if (results.length < PAGE) return
    after = results.at(-1)!.name
  }
}

async function tablesInUse(db: Database, versionIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .select({
      id: sql<string>`m.id`.as('id'),
      generation: sql<number | null>`m.generation`.as('generation'),
      building: sql<number | null>`m.building`.as('building'),
    })
    .from(
      sql`json_each(${JSON.stringify(versionIds)}) v CROSS JOIN endpoint_materializations m ON m.version_id = v.value`,
    )
  return new Set(rows.flatMap(tablesOf))
}
