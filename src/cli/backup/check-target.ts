// Checks whether a backup can be restored into the databases of an environment.
import { DATABASE } from '../deploy/bindings'
import { type Migration, missingTables } from '../migrations'
import { readSchema, RESTORE_TABLE, type Schema } from '../../storage/backup/schema'
import { readRows } from './manifest'
import type { BackedUpDatabase, Manifest } from '../../storage/backup/format'
import type { SqlDatabase } from '../sql-database'
import { isInternal } from '../../storage/backup/tables'

/** A database to restore into, or null for one that is still to be created. */
export interface Target {
  binding: string
  database: SqlDatabase | null
  /** The migrations of the code. */
  migrations: readonly Migration[]
}

/** The state of a database before a restore. */
export interface TargetState extends Schema {
  /** The id of the backup that is being restored into it, or null for none. */
  backupId: string | null
  /** The tables that have rows, with their numbers. While a restore fills them there are none. */
  filled: string[]
}

const USE_NEW = 'Restore into a new database: for the local ones, delete .wrangler/state/v3/d1 first.'

const MAX_COUNTED = 1_000

/** The table that a Worker fills in a new database. */
const RESERVE = 'reserve'

export async function readTarget({ database }: Target): Promise<TargetState> {
  if (!database) return { applied: [], tables: [], backupId: null, filled: [] }
  const schema = await readSchema(database.query)
  const [begun] = schema.tables.includes(RESTORE_TABLE)
    ? await database.query(`SELECT backup FROM ${RESTORE_TABLE} WHERE file = ''`)
    : []
  const filled: string[] = []
  for (const table of begun ? [] : schema.tables) {
    if (table === RESERVE || isInternal(table)) continue
    const [row] = await database.query(
      `SELECT count(*) AS rows FROM (SELECT 1 FROM "${table}" LIMIT ${MAX_COUNTED})`,
    )
    const rows = Number(row?.rows)
    if (rows > 0) filled.push(`${table} (${rows === MAX_COUNTED ? `${rows} or more` : rows})`)
  }
  return { ...schema, backupId: begun ? String(begun.backup) : null, filled }
}

/**
 * Returns sentences on why the backup cannot be restored.
 * @param folderOf returns the folder of the backup with an id, if it is known
 */
export function targetProblems(
  manifest: Manifest,
  targets: readonly Target[],
  states: ReadonlyMap<string, TargetState>,
  folderOf: (id: string) => string | null,
): string[] {
  const unbound = manifest.databases.filter(({ binding }) => !targets.some((one) => one.binding === binding))
  return [
    ...unbound.map(
      ({ binding }) =>
        `The backup has the database ${binding}, which wrangler.toml does not bind. Add it to \`d1_databases\`.`,
    ),
    ...targets.flatMap((target) =>
      problemsOf(
        target,
        states.get(target.binding)!,
        manifest.databases.find(({ binding }) => binding === target.binding),
        manifest.id,
        folderOf,
      ),
    ),
    ...targets.flatMap((target) => layoutProblem(target, states.get(target.binding)!)),
  ]
}

function problemsOf(
  { binding, migrations }: Target,
  { applied, backupId, filled }: TargetState,
  backedUp: BackedUpDatabase | undefined,
  id: string,
  folderOf: (id: string) => string | null,
): string[] {
  if (backupId === id) return []
  if (backupId !== null) {
    const folder = folderOf(backupId)
    return [
      `${binding} holds an unfinished restore of another backup. ` +
        (folder ? `Continue it with its folder, ${folder}, or restore into a new database.` : USE_NEW),
    ]
  }
  if (filled.length > 0) {
    return [`${binding} is not empty: ${filled.join(', ')}. ${USE_NEW}`]
  }
  if (!backedUp) return []
  const newer = backedUp.migrations.filter((file) => !migrations.some((migration) => migration.file === file))
  if (newer.length > 0) {
    return [
      `The backup of ${binding} is newer than this code, which has no migration ${newer.join(', ')}. Update the code.`,
    ]
  }
  const ahead = applied.filter((file) => !backedUp.migrations.includes(file))
  if (ahead.length > 0) {
    return [
      `${binding} has newer migrations than the backup (${ahead.join(', ')}), and they may change rows. ${USE_NEW}`,
    ]
  }
  return []
}

/** Returns a sentence for each shard of the backup's projects that the backup does not have. */
export async function shardProblems(folder: string, { databases }: Manifest): Promise<string[]> {
  const table = databases
    .find(({ binding }) => binding === DATABASE)
    ?.tables.find(({ name }) => name === 'projects')
  const missing = new Set<string>()
  for await (const { shard } of table ? readRows(folder, table) : []) {
    if (!databases.some(({ binding }) => binding === shard)) missing.add(String(shard))
  }
  return [...missing].map(
    (shard) =>
      `The backup is incomplete: projects have their events on ${shard}, which is not in it. Bind ${shard} in wrangler.toml and write a new backup.`,
  )
}

/** Returns the tables that a database lacks although their migrations were applied, because other code made it. */
function layoutProblem({ binding, migrations }: Target, schema: Schema): string[] {
  const missing = missingTables(migrations, schema)
  return missing.length > 0
    ? [`An earlier version made ${binding}: it has no table ${missing.join(', ')}.`]
    : []
}
