// Reads and writes .dev/credentials.json and .dev/credentials.remote.json, which contain what a client needs to call a service. Git
// ignores them.
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { writeWhole } from '../write-whole'
import { secureValueOf } from '../../auth/secure-value'
import { verifyPassword } from '../../account/password/hash'
import type { SqlDatabase } from '../sql-database'

export interface Credentials {
  base_url: string
  project_id: number
  project_api_token: string
  personal_api_key: string
  email: string
  password: string
  user_uuid: string
}

const FOLDER = '.dev'
const PREVIOUS = '.previous.json'

export const LOCAL_CREDENTIALS = `${FOLDER}/credentials.json`

export const remoteCredentials = (environment: string | null) =>
  `${FOLDER}/credentials.remote${environment ? `.${environment}` : ''}.json`

/** @throws when the file is not JSON */
export function readCredentials(file: string): Credentials | null {
  if (!existsSync(file)) return null
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Credentials
  } catch {
    throw new Error(`${file} is not valid JSON. Delete it: then new credentials are made.`)
  }
}

/** Returns the key that `npm start` or `npm run deploy` has stored for a service. */
export function storedKey(origin: string): string | undefined {
  const names = existsSync(FOLDER) ? readdirSync(FOLDER) : []
  return names
    .filter((name) => /^credentials(\.remote(\..+)?)?\.json$/.test(name) && !name.endsWith(PREVIOUS))
    .map((name) => readCredentials(`${FOLDER}/${name}`))
    .find((known) => known && URL.parse(known.base_url)?.origin === origin)?.personal_api_key
}

export const writeCredentials = (file: string, credentials: Credentials): void =>
  writeWhole(file, `${JSON.stringify(credentials, null, 2)}\n`)

/** Keeps the credentials of another database, because that database may be put back. */
export function setAside(file: string): void {
  if (existsSync(file)) renameSync(file, file.replace('.json', PREVIOUS))
}

export type StaleCredential = 'password' | 'API key'

/**
 * @returns the credentials that no longer work, or null when the database does not have their user and project, because it is another one
 */
export async function findStale(
  query: SqlDatabase['query'],
  { user_uuid, project_id, project_api_token, personal_api_key, password }: Credentials,
): Promise<StaleCredential[] | null> {
  const [user] = await query('SELECT uuid, password_hash FROM users WHERE uuid = ?1', [user_uuid])
  const [project] = await query('SELECT id FROM projects WHERE id = ?1 AND api_token = ?2', [
    project_id,
    project_api_token,
  ])
  if (!user || !project) return null
  const [key] = await query('SELECT id FROM personal_api_keys WHERE secure_value = ?1', [
    await secureValueOf(personal_api_key),
  ])
  const isPassword = await verifyPassword(password, String(user.password_hash))
  return [...(isPassword ? [] : ['password' as const]), ...(key ? [] : ['API key' as const])]
}
