// Migrations, secrets, and on an empty database the first organization, project, user and key (decision 13).
// A local database and a deployed one take the same path; only where wrangler acts differs.
import { drizzle } from 'drizzle-orm/d1'
import type { SQLWrapper } from 'drizzle-orm'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { firstRun } from '../account/first-run'
import { newPersonalApiKey } from '../account/tenancy'
import { hashPassword } from '../account/password/hash'
import { createIds, systemClock } from '../clock'
import type { Database } from '../storage/database'
import { type Credentials, credentialsFile, readCredentials, writeCredentials } from './credentials'
import { ensureSecrets } from './secrets'
import { executeSql, type Place, runWrangler } from './wrangler'

const DEFAULT_EMAIL = 'admin@localhost.localdomain'

export interface SetUpOptions {
  place: Place
  baseUrl?: string
  email?: string
}

export interface SetUpResult {
  credentials: Credentials | null
  /** Whether credentials were made by this run. */
  isNew: boolean
  file: string
}

/** Brings a database to where it can be used. Safe to repeat: what is there is kept. */
export async function setUp({ place, baseUrl, email = DEFAULT_EMAIL }: SetUpOptions): Promise<SetUpResult> {
  await ensureSecrets(place)
  await runWrangler(['d1', 'migrations', 'apply', 'DB', place])

  const file = credentialsFile(place)
  const [state] = await executeSql(place, ['SELECT count(*) AS users, min(uuid) AS first FROM users'])
  if (Number(state?.users) === 0) {
    const credentials = await start(place, email, baseUrl)
    writeCredentials(file, credentials)
    return { credentials, isNew: true, file }
  }

  const known = readCredentials(file)
  if (known) {
    const credentials = baseUrl ? { ...known, base_url: baseUrl } : known
    writeCredentials(file, credentials)
    return { credentials, isNew: false, file }
  }
  // The file is gone. On one's own machine new secrets may replace lost ones; on a deployment that takes its owner.
  if (place === '--remote') return { credentials: null, isNew: false, file }
  const credentials = await renew(place, baseUrl)
  writeCredentials(file, credentials)
  return { credentials, isNew: true, file }
}

const ids = createIds()

/** Builds statements and never runs them: wrangler does. */
const writer = drizzle({} as D1Database) as unknown as Database
const dialect = new SQLiteSyncDialect()
const literal = (statement: SQLWrapper) => dialect.sqlToQuery(statement.getSQL().inlineParams()).sql

async function start(place: Place, email: string, baseUrl = ''): Promise<Credentials> {
  const { credentials, statements } = await firstRun(writer, ids, systemClock.now(), email)
  const [project] = await executeSql(place, [
    ...statements.map(literal),
    `SELECT id FROM projects WHERE uuid = '${credentials.projectUuid}'`,
  ])
  return {
    base_url: baseUrl,
    project_id: Number(project?.id),
    project_api_token: credentials.projectApiToken,
    personal_api_key: credentials.personalApiKey,
    email: credentials.email,
    password: credentials.password,
    user_uuid: credentials.userUuid,
  }
}

/** A new key and password for the first user. */
async function renew(place: Place, baseUrl = ''): Promise<Credentials> {
  const [first] = await executeSql(place, [
    `SELECT u.uuid, u.email, p.id AS project_id, p.api_token FROM users u
      JOIN organization_memberships m ON m.user_id = u.id JOIN projects p ON p.organization_id = m.organization_id
      ORDER BY u.id, p.id LIMIT 1`,
  ])
  const userUuid = String(first?.uuid)
  const password = ids.secret(18)
  const birth = { db: writer, ids, now: systemClock.now() }
  const key = await newPersonalApiKey(birth, userUuid, { label: 'Renewed key', scopes: ['*'] })
  await executeSql(place, [
    literal(key.statement),
    `UPDATE users SET password_hash = '${await hashPassword(password)}' WHERE uuid = '${userUuid}'`,
  ])
  return {
    base_url: baseUrl,
    project_id: Number(first?.project_id),
    project_api_token: String(first?.api_token),
    personal_api_key: key.value,
    email: String(first?.email),
    password,
    user_uuid: userUuid,
  }
}
