// Prepares the local service: secrets, migrations, planner statistics, and in an empty database the first user.
import { PLANNER_STATS } from '../../storage/planner-stats'
import {
  type Credentials,
  LOCAL_CREDENTIALS,
  readCredentials,
  setAside,
  writeCredentials,
  findStale,
  type StaleCredential,
} from './credentials'
import { DATABASE, isShard, migrationsFolderOf } from '../deploy/bindings'
import { type LocalDatabase, withLocalDatabases } from './databases'
import { missingTables, readMigrations, unfinishedRestore } from '../migrations'
import { readSchema, RESTORE_TABLE } from '../../storage/backup/schema'
import { ensureLocalSecrets } from '../deploy/secrets'
import { DEFAULT_PORT } from '../serve/port'
import { readWorker, STATE } from './worker-options'

const DEFAULT_EMAIL = 'admin@localhost.localdomain'
const DEFAULT_URL = `http://localhost:${DEFAULT_PORT}`

export interface LocalSetup {
  /** The credentials, or null when the file has none for this database, such as after a restore. Accounts then stay unchanged. */
  credentials: Credentials | null
  /** Whether this run made the credentials. */
  isNew: boolean
  /** The credentials that the user has changed since. */
  stale: StaleCredential[]
  file: string
  baseUrl: string
}

/** Sets up the local databases. It can be repeated: existing data stays, and so do accounts unless `renew` is set. */
export async function setUpLocally({
  baseUrl = '',
  email = DEFAULT_EMAIL,
  renew = false,
}: {
  baseUrl?: string
  email?: string
  renew?: boolean
}): Promise<LocalSetup> {
  // This rejects a wrong configuration before anything is made.
  await readWorker()
  ensureLocalSecrets()
  return withLocalDatabases(async ({ databases, vars }) => {
    for (const database of databases) {
      await upgrade(database)
      // The daily trigger also writes statistics, but may never run on this machine.
      if (isShard(database.binding)) {
        for (const { sql, params } of PLANNER_STATS) await database.query(sql, params)
      }
    }
    const { execute, query } = databases.find(({ binding }) => binding === DATABASE)!
    const file = LOCAL_CREDENTIALS
    const result = (credentials: Credentials | null, isNew: boolean, stale: StaleCredential[] = []) => {
      if (credentials) writeCredentials(file, credentials)
      return { credentials, isNew, stale, file, baseUrl: baseUrl || (credentials?.base_url ?? '') }
    }
    const known = readCredentials(file)
    const stale = known && (await findStale(query, known))
    if (!stale) setAside(file)
    const [user] = await query('SELECT id FROM users LIMIT 1')
    if (!user) {
      const { seedDatabase } = await import('./seed')
      const queryEngine = vars.CLICKHOUSE_URL ? 'clickhouse' : 'd1'
      return result(
        await seedDatabase(execute, { email, baseUrl: baseUrl || DEFAULT_URL, queryEngine }),
        true,
      )
    }
    if (renew) {
      const { renewCredentials } = await import('./seed')
      return result(await renewCredentials(execute, baseUrl || known?.base_url || DEFAULT_URL), true)
    }
    if (stale) return result({ ...known, base_url: baseUrl || known.base_url || DEFAULT_URL }, false, stale)
    return result(null, false)
  })
}

/**
 * Applies the migrations that a database lacks.
 * @throws when an older layout made the database, or a restore of it is not finished
 */
async function upgrade({ binding, query, migrate }: LocalDatabase): Promise<void> {
  const { tables, applied } = await readSchema(query)
  const migrations = readMigrations(migrationsFolderOf(binding))
  if (tables.includes(RESTORE_TABLE)) throw new Error(unfinishedRestore(binding))
  const missing = missingTables(migrations, { applied, tables })
  if (missing.length > 0) {
    throw new Error(
      `An earlier version made the local database, and it cannot be upgraded: it has no table ${missing.join(', ')}.\n` +
        `Delete it, with the flags, accounts and events in it, and run the command again:\n\n  rm -r ${STATE}\n`,
    )
  }
  await migrate(migrations.filter(({ file }) => !applied.includes(file)))
}
