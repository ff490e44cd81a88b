// Drops tables of materialized rows that no version refers to: a build can create one after its version was detached.
import { sql } from 'drizzle-orm'
import { dropTables } from '../../outbox/shard-cleanup'
import type { Database } from '../../storage/database'
import { toStoredTimestamp } from '../../timestamps'
import { tablesOf } from './tables'

/** Tables younger than this may belong to a build in progress. All older builds have ended. */
const MIN_AGE_MS = 6 * 3_600_000

/** Maximum tables of a statement. */
const PAGE = 500

interface Registered {
  name: string
  project_id: number
  version_id: string
}

export async function dropOrphanedTables(db: Database, shard: D1Database, now: Date): Promise<void> {
  const before = toStoredTimestamp(new Date(now.getTime() - MIN_AGE_MS))
  for (let after = ''; ;) {
    const { results } = await shard
      .prepare(
        `SELECT name, project_id, version_id FROM materialized_tables WHERE name > ?1 AND created_at < ?2 ORDER BY name LIMIT ${PAGE}`,
      )
      .bind(after, before)
      .all<Registered>()
    const used = await tablesInUse(
      db,
      results.map(({ version_id }) => version_id),
    )
    for (const { name, project_id } of results) {
      if (!used.has(name)) await dropTables(shard, project_id, [name])
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
