// Reads and writes .dev/credentials.json and .dev/credentials.remote.json, which contain what a client needs to call a service. Git
// ignores them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeWhole } from '../write-whole'

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
    .filter((name) => /^credentials(\.remote(\..+)?)?\.json$/.test(name))
    .map((name) => readCredentials(`${FOLDER}/${name}`))
    .find((known) => known && URL.parse(known.base_url)?.origin === origin)?.personal_api_key
}

export const writeCredentials = (file: string, credentials: Credentials): void =>
  writeWhole(file, `${JSON.stringify(credentials, null, 2)}\n`)
