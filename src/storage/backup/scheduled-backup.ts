// Backups that the triggers write to R2, in the form of `npm run backup`: the daily trigger begins one, the trigger of each minute continues it.
// A run reads and writes a bounded number of bytes. The progress is in one object of the bucket, which is written after each part: an
// interrupted run repeats at most that part.
import { encodeHexLowerCase } from '@oslojs/encoding'
import {
  type BackedUpDatabase,
  type BackedUpTable,
  FORMAT,
  type Manifest,
  MANIFEST_FILE,
  type BackupPart,
} from './format'
import { readPages } from './pages'
import { type Queryable, readSchema, RESTORE_TABLE } from './schema'
import { readTables, type Table } from './tables'

/** Maximum characters of the lines that one run reads, which take some seconds of processor time. */
export const MAX_RUN_LENGTH = 32_000_000

/** Maximum characters of the lines of a part, which is in memory until it is complete. */
export const MAX_PART_LENGTH = 8_000_000

/** Maximum objects that one call deletes. */
const MAX_DELETED = 1_000

/** The time for which a run excludes others. One that takes longer ends at its next part. */
const LEASE_MS = 300_000

const DEFAULT_BACKUPS = 7

const FOLDER = 'halyard'

/** The object with the state. */
export const BACKUP_STATE = `${FOLDER}/state.json`

export interface BackupGeneration {
  /** The folder of the backup in the bucket. */
  name: string
  startedAt: string
  finishedAt: string
  rows: number
  bytes: number
}

interface RunningBackup {
  id: string
  name: string
  startedAt: string
  /** Complete databases, and at the end the one that is being read. */
  databases: BackedUpDatabase[]
  /** Whether the last of them is complete. */
  isComplete: boolean
  /** The last row of the last table that is written. */
  after: readonly string[]
}

export interface BackupState {
  /** Finished backups, oldest first. */
  finished: BackupGeneration[]
  running: RunningBackup | null
  /** Folders to delete. */
  expired: string[]
  /** The error of the last run. It is null after a successful run. */
  failure: { at: string; error: string } | null
  leaseUntil: string | null
}

export interface BackupSource extends Queryable {
  binding: string
}

interface Options {
  bucket: R2Bucket
  /** The main database, then the shards. */
  databases: readonly BackupSource[]
  /** How many backups are kept: the setting `BACKUP_GENERATIONS`. */
  keep: string | undefined
  now: Date
  /** Whether to begin a backup when none is running, instead of continuing one. */
  begins: boolean
  maxLength?: number
}

const emptyState = (): BackupState => ({
  finished: [],
  running: null,
  expired: [],
  failure: null,
  leaseUntil: null,
})

export async function readBackupState(
  bucket: R2Bucket,
): Promise<{ state: BackupState; etag: string | null }> {
  const object = await bucket.get(BACKUP_STATE)
  return object
    ? { state: await object.json<BackupState>(), etag: object.etag }
    : { state: emptyState(), etag: null }
}

/** @throws what failed, which is in the state then. */
export async function runScheduledBackup(options: Options): Promise<void> {
  const { bucket, now, begins } = options
  const { state: stored, etag } = await readBackupState(bucket)
  if (!begins && !stored.running && stored.expired.length === 0) return
  if (stored.leaseUntil !== null && stored.leaseUntil > now.toISOString()) return
  const state: BackupState = {
    ...stored,
    running: stored.running ?? (begins ? beginBackup(now) : null),
    leaseUntil: begins ? null : new Date(now.getTime() + LEASE_MS).toISOString(),
  }
  // When two runs read the same state, only one of them writes.
  const onlyIf = etag ? { etagMatches: etag } : { etagDoesNotMatch: '*' }
  let saved = await bucket.put(BACKUP_STATE, JSON.stringify(state), { onlyIf })
  // The run that begins a backup reads nothing, because it may have used up its statements.
  if (!saved || begins) return
  const save = async () => {
    saved =
      saved &&
      (await bucket.put(BACKUP_STATE, JSON.stringify(state), { onlyIf: { etagMatches: saved.etag } }))
    if (!saved) throw new Error('Another run has continued the backup after the lease of this one.')
  }
  try {
    if (state.running) await continueBackup(state, state.running, save, options)
    await deleteExpired(bucket, state)
  } catch (error) {
    Object.assign(state, { failure: { at: now.toISOString(), error: String(error) }, leaseUntil: null })
    // The first error is the cause of the other one.
    await save().catch(() => undefined)
    throw error
  }
  Object.assign(state, { failure: null, leaseUntil: null })
  await save()
}

const beginBackup = (now: Date): RunningBackup => ({
  id: crypto.randomUUID(),
  name: `${FOLDER}/${now.toISOString().slice(0, 19).replaceAll(':', '-')}`,
  startedAt: now.toISOString(),
  databases: [],
  isComplete: true,
  after: [],
})

/** A run that continues a backup. */
interface Run {
  bucket: R2Bucket
  running: RunningBackup
  /** The characters that it may still read. */
  left: number
  /** It is in the names of parts, so that a run that has lost its lease overwrites no part of another one. */
  lease: string
  save(): Promise<unknown>
}

async function continueBackup(
  state: BackupState,
  running: RunningBackup,
  save: () => Promise<unknown>,
  { bucket, databases, keep, now, maxLength = MAX_RUN_LENGTH }: Options,
): Promise<void> {
  const lease = state.leaseUntil?.replace(/\D/g, '') ?? ''
  const run: Run = { bucket, running, left: maxLength, lease, save }
  for (const source of databases) {
    const end = await continueDatabase(run, source)
    if (end === 'migrated') {
      state.expired.push(running.name)
      state.running = beginBackup(now)
    }
    if (end !== 'complete') return
  }
  await finishBackup(state, running, bucket, now, maxBackupsOf(keep))
}

/** @returns whether it is complete, the run has read enough, or a deployment has changed the tables: the rows before and after it do not fit together */
async function continueDatabase(run: Run, source: BackupSource): Promise<'complete' | 'paused' | 'migrated'> {
  const { running } = run
  const known = running.databases.find(({ binding }) => binding === source.binding)
  if (known && (known !== running.databases.at(-1) || running.isComplete)) return 'complete'
  const { applied, tables: names } = await readSchema(source.query)
  if (names.includes(RESTORE_TABLE)) throw new Error(`${source.binding} holds an unfinished restore.`)
  if (known && known.migrations.join() !== applied.join()) return 'migrated'
  const database = known ?? { binding: source.binding, migrations: applied, tables: [], sequences: {} }
  if (!known) {
    running.databases.push(database)
    running.isComplete = false
  }
  for (const table of await readTables(source))
    if ((await continueTable(run, source, database, table)) === 'paused') return 'paused'
  // The next run restarts the backup.
  if ((await readSchema(source.query)).applied.join() !== applied.join())
    throw new Error(`${source.binding} was migrated while it was read.`)
  database.sequences = await readSequences(source, database.tables)
  running.isComplete = true
  await run.save()
  return 'complete'
}

async function continueTable(
  run: Run,
  source: BackupSource,
  database: BackedUpDatabase,
  table: Table,
): Promise<'complete' | 'paused'> {
  const { running } = run
  const known = database.tables.find(({ name }) => name === table.name)
  if (known && known !== database.tables.at(-1)) return 'complete'
  const written: BackedUpTable = known ?? { name: table.name, columns: table.columns, rows: 0, parts: [] }
  if (!known) {
    database.tables.push(written)
    running.after = []
  }
  let lines: string[] = []
  let length = 0
  let last = running.after
  const writePart = async () => {
    const number = String(written.parts.length + 1).padStart(4, '0')
    const file = `${source.binding}/${table.name}.${number}.${run.lease}.jsonl.gz`
    written.parts.push(await putPart(run.bucket, running.name, file, lines))
    written.rows += lines.length
    running.after = last
    lines = []
    length = 0
    await run.save()
  }
  for await (const page of readPages(source, table, running.after)) {
    last = page.key
    lines = lines.concat(page.lines)
    const added = page.lines.reduce((sum, line) => sum + line.length, 0)
    length += added
    run.left -= added
    if (length >= MAX_PART_LENGTH || run.left <= 0) await writePart()
    if (run.left <= 0) return 'paused'
  }
  if (lines.length > 0) await writePart()
  return 'complete'
}

async function putPart(bucket: R2Bucket, folder: string, file: string, lines: string[]): Promise<BackupPart> {
  const text = new Blob([lines.map((line) => `${line}\n`).join('')])
  const body = await new Response(text.stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer()
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body))
  const sha256 = encodeHexLowerCase(digest)
  // R2 verifies the digest.
  await bucket.put(`${folder}/${file}`, body, { sha256 })
  return { file, rows: lines.length, bytes: body.byteLength, sha256 }
}

async function readSequences(
  { query }: BackupSource,
  tables: readonly BackedUpTable[],
): Promise<Record<string, number>> {
  const rows = await query(
    'SELECT name, seq FROM sqlite_sequence WHERE name IN (SELECT value FROM json_each(?1))',
    [JSON.stringify(tables.map(({ name }) => name))],
  )
  return Object.fromEntries(rows.map(({ name, seq }) => [String(name), Number(seq)]))
}

async function finishBackup(
  state: BackupState,
  { id, name, startedAt, databases }: RunningBackup,
  bucket: R2Bucket,
  now: Date,
  maxBackups: number,
): Promise<void> {
  const finishedAt = now.toISOString()
  const manifest: Manifest = { format: FORMAT, id, startedAt, finishedAt, databases }
  await bucket.put(`${name}/${MANIFEST_FILE}`, `${JSON.stringify(manifest, null, 2)}\n`)
  const parts = databases.flatMap(({ tables }) => tables.flatMap((table) => table.parts))
  const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0)
  const rows = total(parts.map((part) => part.rows))
  const bytes = total(parts.map((part) => part.bytes))
  state.finished.push({ name, startedAt, finishedAt, rows, bytes })
  state.running = null
  const kept = state.finished.slice(-maxBackups)
  state.expired.push(...state.finished.slice(0, -kept.length).map((one) => one.name))
  state.finished = kept
}

const maxBackupsOf = (setting = ''): number =>
  /^[1-9]\d{0,2}$/.test(setting) ? Number(setting) : DEFAULT_BACKUPS

/** The manifest may outlive other files of an expired backup: only those in `finished` are complete. */
async function deleteExpired(bucket: R2Bucket, state: BackupState): Promise<void> {
  const [folder] = state.expired
  if (folder === undefined) return
  const { objects, truncated } = await bucket.list({ prefix: `${folder}/`, limit: MAX_DELETED })
  if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key))
  if (!truncated) state.expired.shift()
}
