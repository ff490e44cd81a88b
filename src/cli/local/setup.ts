// Prepares the local service: secrets, migrations, planner statistics, and in an empty database the first user.
import { PLANNER_STATS } from '../../storage/planner-stats'
import { type Credentials, LOCAL_CREDENTIALS, readCredentials, writeCredentials } from './credentials'
import { DATABASE, isShard, migrationsFolderOf } from '../deploy/bindings'
import { readDesiredState } from '../deploy/desired-state'
import { type LocalDatabase, STATE, withLocalDatabases } from './databases'
import { missingTables, readMigrations, unfinishedRestore } from '../migrations'
import { readSchema, RESTORE_TABLE } from '../../storage/backup/schema'
import { ensureLocalSecrets } from '../deploy/secrets'
import { renewCredentials, seedDatabase } from './seed'

const DEFAULT_EMAIL = 'admin@localhost.localdomain'

export interface LocalSetup {
  credentials: Credentials
  /** Whether this run made the credentials. */
  isNew: boolean
  file: string
}

/** Idempotent: keeps existing data. */
export async function setUpLocally({
  baseUrl = '',
  email = DEFAULT_EMAIL,
}: {
  baseUrl?: string
  email?: string
}): Promise<LocalSetup> {
  // A configuration that could not be deployed does not start either.
  readDesiredState(null)
  ensureLocalSecrets()
  return withLocalDatabases(async ({ databases, vars }) => {
    for (const database of databases) {
      await upgrade(database)
      // The daily trigger writes them too, and may never run on this machine.
      if (isShard(database.binding)) {
        for (const { sql, params } of PLANNER_STATS) await database.query(sql, params)
      }
    }
    const { execute } = databases.find(({ binding }) => binding === DATABASE)!
    const file = LOCAL_CREDENTIALS
    const known = readCredentials(file)
    const [user] = await execute(['SELECT id FROM users LIMIT 1'])
    if (known && user) {
      const credentials = { ...known, base_url: baseUrl || known.base_url }
      writeCredentials(file, credentials)
      return { credentials, isNew: false, file }
    }
    const queryEngine = vars.CLICKHOUSE_URL ? 'clickhouse' : 'd1'
    // Without the file, the credentials are lost: the developer owns the database and gets new ones.
    const credentials = await (user
      ? renewCredentials(execute, baseUrl)
      : seedDatabase(execute, { email, baseUrl, queryEngine }))
    writeCredentials(file, credentials)
    return { credentials, isNew: true, file }
  })
}

/**
 * Applies the migrations that a database lacks.
 * @throws when an older layout made the database, or a restore of it is not finished.
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
