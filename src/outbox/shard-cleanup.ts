// Deletes rows and tables of a shard that the main database no longer refers to.

/** Maximum results of one DELETE. Each has up to 1 MB. */
const RESULT_CHUNK = 100

/** Deletes all cached results of a project. */
export async function deleteCachedResults(shard: D1Database, projectId: number): Promise<void> {
  const statement = shard
    .prepare(
      `DELETE FROM endpoint_results WHERE project_id = ?1 AND result_key IN (
        SELECT result_key FROM endpoint_results WHERE project_id = ?1 LIMIT ${RESULT_CHUNK})`,
    )
    .bind(projectId)
  for (;;) {
    const { meta } = await statement.run()
    if (meta.changes < RESULT_CHUNK) return
  }
}

/** Drops tables of materialized rows and their registry entries. Ignores missing tables. */
export async function dropTables(
  shard: D1Database,
  projectId: number,
  tables: readonly string[],
): Promise<void> {
  if (tables.length === 0) return
  await shard.batch([
    ...tables.map((name) => shard.prepare(`DROP TABLE IF EXISTS "${tableNameIn(name)}"`)),
    shard
      .prepare(
        `DELETE FROM materialized_tables WHERE project_id = ?1 AND name IN (SELECT value FROM json_each(?2))`,
      )
      .bind(projectId, JSON.stringify(tables)),
  ])
}

/** @throws for another name than that of a table of materialized rows, because it becomes SQL. */
function tableNameIn(name: string): string {
  if (!/^mat_[0-9a-f]{32}_\d{1,15}$/.test(name)) throw new Error(`not a table of materialized rows: ${name}`)
  return name
}
