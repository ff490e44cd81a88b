// Restores a backup: it checks everything first, fills each database at the migration of the backup, and applies the later migrations. Each
// step can be repeated: an interrupted restore continues when the command runs again.
import { dirname } from 'node:path'
import { PLANNER_STATS } from '../../storage/planner-stats'
import { AFTER_RESTORE } from '../deploy/after-restore'
import { DATABASE, isShard } from '../deploy/bindings'
import { PreflightError, requireNone } from '../command'
import { type Keys, keyProblems } from './check-keys'
import { readTarget, shardProblems, type Target, targetProblems, type TargetState } from './check-target'
import { addCopyTasks } from './copy-people'
import { countEvents } from './count-events'
import { partProblem } from './files'
import { fill } from './fill'
import { findBackup, readManifest } from './manifest'
import type { Manifest } from '../../storage/backup/format'
import { beginProgress, DONE, endProgress, markDone, readShortages, stepsDone } from './progress'
import type { SqlDatabase } from '../sql-database'

export interface RestoreOptions {
  folder: string
  /** Copies the files that the folder lacks, when the databases can take them. */
  fetchParts?(): Promise<void>
  /** The keys. Null means that encrypted values are not checked against them. */
  keys: Keys | null
  /** Called after all checks, before the first row is written. */
  onChecked(): void
  say(text: string): void
  /** Creates a database that does not exist yet. */
  create(binding: string): Promise<SqlDatabase>
}

/**
 * Restores the backup of a folder.
 * @param targets all databases of the environment
 * @returns warnings
 * @throws PreflightError before anything is written
 */
export async function restoreBackup(targets: readonly Target[], options: RestoreOptions): Promise<string[]> {
  const { create, onChecked } = options
  const manifest = readManifest(options.folder)
  const states = new Map<string, TargetState>()
  for (const target of targets) states.set(target.binding, await readTarget(target))
  const main = targets.find(({ binding }) => binding === DATABASE)!
  const isBegun = states.get(DATABASE)!.backupId === manifest.id
  if (isBegun && (await stepsDone(main.database!)).has(DONE)) return finish(targets)
  await check(manifest, targets, states, options)
  onChecked()
  const databases: { target: Target; database: SqlDatabase }[] = []
  for (const target of targets) {
    databases.push({ target, database: target.database ?? (await create(target.binding)) })
  }
  // All databases are marked before the first row, so that none looks complete.
  for (const { database } of databases) await beginProgress(database, manifest.id)
  for (const { target, database } of databases) {
    await restoreDatabase(database, target, states.get(target.binding)!.applied, manifest, options)
  }
  const database = databases.find(({ target }) => target === main)!.database
  for (const statement of [...AFTER_RESTORE, BUILD_AGAIN]) await database.query(statement)
  await addCopyTasks(database, manifest.id)
  for (const each of databases) {
    for (const { table, missing } of await readShortages(each.database)) {
      await markDone(database, table, missing)
    }
  }
  await markDone(database, DONE)
  return finish(databases)
}

/**
 * Drops the progress of all databases, that of the main one last.
 * @returns warnings
 */
async function finish(targets: readonly { database: SqlDatabase | null }[]): Promise<string[]> {
  const [main, ...shards] = targets.flatMap(({ database }) => database ?? [])
  const shortages = await readShortages(main!)
  for (const database of [...shards, main!]) await endProgress(database)
  return shortages.map(
    ({ table, missing }) =>
      `${missing} rows of ${table} are missing: rows that changed during the backup can cause this.`,
  )
}

async function check(
  manifest: Manifest,
  targets: readonly Target[],
  states: ReadonlyMap<string, TargetState>,
  { folder, fetchParts, keys, say }: RestoreOptions,
): Promise<void> {
  const problems = targetProblems(manifest, targets, states, (id) => findBackup(dirname(folder), id))
  requireNone(problems)
  await fetchParts?.()
  say('Checking the files … ')
  for (const { tables } of manifest.databases) {
    for (const part of tables.flatMap(({ parts }) => parts)) {
      const problem = await partProblem(folder, part)
      if (problem) problems.push(`${problem}.`)
    }
  }
  if (problems.length > 0) say('failed\n')
  requireNone(problems)
  say('done\n')
  requireNone(await shardProblems(folder, manifest))
  if (!keys) return
  const missing = await keyProblems(folder, manifest, keys)
  if (missing.length === 0) return
  throw new PreflightError(
    `${missing.join('\n')}\nGive the keys of the service that was backed up, in the environment: ` +
      'PAYLOAD_KEYS=… ACCOUNT_KEYS=… npm run restore …\n' +
      'If its Worker stays and keeps its keys, or they are lost, add --no-key-check: encrypted payloads and second factors whose keys are lost ' +
      'have to be entered again.',
  )
}

/** @param applied migrations that the database had before */
async function restoreDatabase(
  database: SqlDatabase,
  { binding, migrations }: Target,
  applied: readonly string[],
  manifest: Manifest,
  options: RestoreOptions,
): Promise<void> {
  const backedUp = manifest.databases.find((one) => one.binding === binding)
  const pending = migrations.filter(({ file }) => !applied.includes(file))
  const isOlder = ({ file }: { file: string }) => backedUp?.migrations.includes(file) ?? false
  const isNewer = (migration: { file: string }) => !isOlder(migration)
  await database.migrate(pending.filter(isOlder))
  // An interrupted restore has filled a database that has later migrations.
  const isFilled = applied.some((file) => isNewer({ file }))
  if (backedUp && !isFilled) await fill(database, backedUp, options)
  await database.migrate(pending.filter(isNewer))
  if (!isShard(binding)) return
  const counted = `${binding}/event_volumes`
  if (!(await stepsDone(database)).has(counted)) {
    await countEvents(database)
    await markDone(database, counted)
  }
  for (const { sql, params } of PLANNER_STATS) await database.query(sql, params)
}

/** Marks materializations to be built. Their tables are not in a backup, and until they are built, runs compute the query itself. */
const BUILD_AGAIN = `UPDATE endpoint_materializations SET generation = NULL, plan = NULL, row_count = NULL,
  next_build_at = strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z' WHERE generation IS NOT NULL OR next_build_at IS NOT NULL`
