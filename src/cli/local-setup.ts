// A local database, brought to where it can be used: secrets, migrations, and when it is empty the first data. A deployed one is set up in
// steps, in deploy/.
import { type Credentials, LOCAL_CREDENTIALS, readCredentials, writeCredentials } from './credentials'
import { type Execute, seedDatabase, renewCredentials } from './seed'
import { ensureLocalSecrets } from './secrets'
import { executeSql, runWrangler } from './wrangler'

const DEFAULT_EMAIL = 'admin@localhost.localdomain'

export interface SetUpOptions {
  baseUrl?: string
  email?: string
}

export interface SetUpResult {
  credentials: Credentials
  /** Whether credentials were made by this run. */
  isNew: boolean
  file: string
}

/** Safe to repeat: what is there is kept. */
export async function setUp({ baseUrl = '', email = DEFAULT_EMAIL }: SetUpOptions): Promise<SetUpResult> {
  ensureLocalSecrets()
  for (const database of ['DB', 'EVENTS'])
    await runWrangler(['d1', 'migrations', 'apply', database, '--local'])
  const execute: Execute = (statements) => executeSql('--local', statements)

  const file = LOCAL_CREDENTIALS
  const known = readCredentials(file)
  const [user] = await execute(['SELECT id FROM users LIMIT 1'])
  if (known && user) {
    const credentials = { ...known, base_url: baseUrl || known.base_url }
    writeCredentials(file, credentials)
    return { credentials, isNew: false, file }
  }
  // Where only the file is gone, new credentials may take the place of lost ones: it is somebody's own machine.
  const credentials = await (user
    ? renewCredentials(execute, baseUrl)
    : seedDatabase(execute, { email, baseUrl, queryEngine: 'd1' }))
  writeCredentials(file, credentials)
  return { credentials, isNew: true, file }
}
