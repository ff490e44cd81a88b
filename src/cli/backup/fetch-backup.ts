// Copies a scheduled backup from its bucket into a folder, which `npm run restore` reads.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { type Manifest, MANIFEST_FILE } from '../../storage/backup/format'
import { BACKUP_STATE, type BackupState } from '../../storage/backup/scheduled-backup'
import { PreflightError } from '../command'
import { openAccount } from '../deploy/account'
import { CONFIG_FILE } from '../deploy/bindings'
import { isTemporary, withRetries } from '../deploy/cloudflare'
import { backupBucketOf, type DesiredState } from '../deploy/desired-state'
import { PERSISTENCE, readWorker } from '../local/worker-options'
import { partProblem } from './files'

export interface Bucket {
  /** Returns null when there is no such object. */
  get(key: string): Promise<Uint8Array | null>
}

/** Opens the bucket of an environment while `use` runs. */
export async function withBucket<T>(
  desired: DesiredState,
  remote: boolean,
  use: (bucket: Bucket) => Promise<T>,
): Promise<T> {
  const name = backupBucketOf(desired.environment)
  if (name === null)
    throw new PreflightError(`${CONFIG_FILE} binds no R2 bucket as BACKUPS: there are no scheduled backups.`)
  if (remote) {
    const { id, cloudflare } = await openAccount(desired.accountId, process.env)
    const path = (key: string) =>
      `/accounts/${id}/r2/buckets/${name}/objects/${key.split('/').map(encodeURIComponent).join('/')}`
    return use({ get: (key) => withRetries(() => cloudflare.download(path(key)), isTemporary) })
  }
  const { r2Buckets } = (await readWorker()).options
  const { convertV4MiniflareOptions, Miniflare } = await import('miniflare')
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: 'export default {}',
      r2Buckets: r2Buckets as Record<string, string>,
      resourcePersistencePath: resolve(PERSISTENCE),
      cf: false,
    }),
  )
  try {
    const bucket = await miniflare.getR2Bucket('BACKUPS')
    return await use({
      async get(key) {
        const object = await bucket.get(key)
        return object && new Uint8Array(await object.arrayBuffer())
      },
    })
  } finally {
    await miniflare.dispose()
  }
}

/** A backup whose folder has the manifest. */
interface FetchedBackup {
  folder: string
  /** Copies the other files. Those that exist already are kept when they match the manifest. */
  fetchParts(): Promise<void>
}

/**
 * Copies the manifest of a backup.
 * @param wanted the name of a backup in the bucket, or `latest`
 * @param root where its folder is created
 */
export async function fetchBackup(
  { get }: Bucket,
  wanted: string,
  root: string,
  say: (text: string) => void,
): Promise<FetchedBackup> {
  const stored = await get(BACKUP_STATE)
  const { finished } = stored ? (JSON.parse(Buffer.from(stored).toString()) as BackupState) : { finished: [] }
  const short = (name: string) => name.split('/').at(-1)!
  const found = wanted === 'latest' ? finished.at(-1) : finished.find(({ name }) => short(name) === wanted)
  if (!found) {
    const names = finished.map(({ name }) => short(name)).join(', ')
    throw new PreflightError(
      names
        ? `The bucket has no backup ${wanted}. It has: ${names}`
        : 'The bucket has no finished backup. The daily trigger writes one.',
    )
  }
  const folder = join(root, short(found.name))
  const download = async (file: string): Promise<Uint8Array> => {
    const bytes = await get(`${found.name}/${file}`)
    if (!bytes) throw new Error(`The bucket has no object ${found.name}/${file}.`)
    const path = join(folder, file.replaceAll('/', sep))
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, bytes, { mode: 0o600 })
    return bytes
  }
  const manifest = JSON.parse(Buffer.from(await download(MANIFEST_FILE)).toString()) as Manifest
  return {
    folder,
    async fetchParts() {
      for (const part of manifest.databases.flatMap(({ tables }) => tables.flatMap(({ parts }) => parts))) {
        if ((await partProblem(folder, part)) === null) continue
        await download(part.file)
        say(`${part.file}\n`)
      }
    },
  }
}
