// The progress of a restore, as a table in each database. The tables exist until all databases are restored.
import { RESTORE_TABLE } from '../../storage/backup/schema'
import type { SqlDatabase } from '../sql-database'

/** The state of the main database in which only these tables remain to be dropped. */
export const DONE = 'done'

/** Marks a database as being restored from a backup. */
export async function beginProgress(database: SqlDatabase, backupId: string): Promise<void> {
  await database.query(
    `CREATE TABLE IF NOT EXISTS ${RESTORE_TABLE} (file TEXT PRIMARY KEY, backup TEXT, missing INTEGER)`,
  )
  await database.query(`INSERT INTO ${RESTORE_TABLE} (file, backup) VALUES ('', ?1) ON CONFLICT DO NOTHING`, [
    backupId,
  ])
}

/**
 * Marks a step as done.
 * @param step a file, a table as `BINDING/name`, or `DONE`
 * @param missing rows of the backup that the table does not have
 */
export async function markDone({ query }: SqlDatabase, step: string, missing = 0): Promise<void> {
  await query(`INSERT INTO ${RESTORE_TABLE} (file, missing) VALUES (?1, ?2) ON CONFLICT DO NOTHING`, [
    step,
    missing,
  ])
}

export const stepsDone = async ({ query }: SqlDatabase): Promise<Set<string>> =>
  new Set((await query(`SELECT file FROM ${RESTORE_TABLE}`)).map(({ file }) => String(file)))

/** Reads the tables that lack rows of the backup, as `BINDING/name`. */
export const readShortages = async ({ query }: SqlDatabase) =>
  (await query(`SELECT file, missing FROM ${RESTORE_TABLE} WHERE missing > 0 ORDER BY file`)).map(
    ({ file, missing }) => ({ table: String(file), missing: Number(missing) }),
  )

export const endProgress = ({ query }: SqlDatabase) => query(`DROP TABLE IF EXISTS ${RESTORE_TABLE}`)
