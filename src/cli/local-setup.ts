// Prepares the local databases: secrets, migrations, planner statistics, and in an empty database the first user. A deployment does the same in
// steps (deploy/).
import { seedPlannerStats } from '../storage/planner-stats'
import { type Credentials, LOCAL_CREDENTIALS, readCredentials, writeCredentials } from './credentials'
import { DATABASE, isShard } from './deploy/bindings'
import { readDesiredState } from './deploy/desired-state'
import { migrate, withLocalDatabases } from './local-databases'
import { ensureLocalSecrets } from './secrets'
import { type Execute, renewCredentials, seedDatabase } from './seed'

const DEFAULT_EMAIL = 'admin@localhost.localdomain'

export interface LocalSetupOptions {
  baseUrl?: string
  email?: string
}

export interface LocalSetup {
  credentials: Credentials
  /** Whether this run made the credentials. */
  isNew: boolean
  file: string
}

/** Can be repeated: it keeps what exists. */
export async function setUpLocally({
  baseUrl = '',
  email = DEFAULT_EMAIL,
}: LocalSetupOptions): Promise<LocalSetup> {
  // A configuration that could not be deployed does not start either.
  readDesiredState(null)
  ensureLocalSecrets()
  return withLocalDatabases(async ({ databases, vars }) => {
    for (const [binding, database] of Object.entries(databases)) {
      await migrate(database, binding)
      // The daily trigger seeds them too, and may never run on this machine.
      if (isShard(binding)) await seedPlannerStats(database)
    }
    const execute = executeOn(databases[DATABASE]!)

    const file = LOCAL_CREDENTIALS
    const known = readCredentials(file)
    const [user] = await execute(['SELECT id FROM users LIMIT 1'])
    if (known && user) {
      const credentials = { ...known, base_url: baseUrl || known.base_url }
      writeCredentials(file, credentials)
      return { credentials, isNew: false, file }
    }
    const queryEngine = vars.CLICKHOUSE_URL ? 'clickhouse' : 'd1'
    // Where only the file is gone, new credentials replace the lost ones: the database is on the developer's own machine.
    const credentials = await (user
      ? renewCredentials(execute, baseUrl)
      : seedDatabase(execute, { email, baseUrl, queryEngine }))
    writeCredentials(file, credentials)
    return { credentials, isNew: true, file }
  })
}

const executeOn =
  (database: D1Database): Execute =>
  async (statements) => {
    const results = await database.batch<Record<string, unknown>>(
      statements.map((statement) => database.prepare(statement)),
    )
    return results.at(-1)?.results ?? []
  }
