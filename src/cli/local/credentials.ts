// Reads and writes .dev/credentials.json and .dev/credentials.remote.json, which contain what a client needs to call a service. Git
// ignores them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export interface Credentials {
  base_url: string
  project_id: number
  project_api_token: string
  personal_api_key: string
  email: string
  password: string
  user_uuid: string
}

export const LOCAL_CREDENTIALS = '.dev/credentials.json'

export const remoteCredentials = (environment: string | null) =>
  `.dev/credentials.remote${environment ? `.${environment}` : ''}.json`

/** @throws when the file is not JSON */
export function readCredentials(file: string): Credentials | null {
  if (!existsSync(file)) return null
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Credentials
  } catch {
    throw new Error(`${file} is not valid JSON. Delete it: then new credentials are made.`)
  }
}

/** Writes the file so that only its owner may read it. */
export function writeCredentials(file: string, credentials: Credentials): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
}
