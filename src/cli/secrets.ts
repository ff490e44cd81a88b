// The secrets that a deployment needs: made where they are missing, never replaced.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { type Place, runWrangler } from './wrangler'

const DEV_VARS = '.dev.vars'

const keyring = () => `k1:${randomBytes(32).toString('base64')}`

/** Every secret by name, with a function that makes a value for it. */
const SECRETS: Record<string, () => string> = {
  PAYLOAD_KEYS: keyring,
  ACCOUNT_KEYS: keyring,
}

/** Makes the secrets that are missing; returns their names. */
export async function ensureSecrets(place: Place): Promise<string[]> {
  return place === '--local' ? ensureLocal() : ensureRemote()
}

function ensureLocal(): string[] {
  const present = existsSync(DEV_VARS) ? readFileSync(DEV_VARS, 'utf8') : ''
  const missing = Object.keys(SECRETS).filter((name) => !new RegExp(`^${name}=`, 'm').test(present))
  if (missing.length > 0) {
    const lines = missing.map((name) => `${name}="${SECRETS[name]!()}"\n`).join('')
    writeFileSync(DEV_VARS, present + (present && !present.endsWith('\n') ? '\n' : '') + lines, {
      mode: 0o600,
    })
  }
  return missing
}

async function ensureRemote(): Promise<string[]> {
  const missing = await missingRemotely()
  for (const name of missing) await runWrangler(['secret', 'put', name], SECRETS[name]!())
  return missing
}

/** What wrangler says of a Worker that was never deployed. */
const NO_SUCH_WORKER = /\[code: 10007\]|does not exist|not found/i

/** Names of the secrets that the deployed Worker lacks: all of them before the first deployment. */
async function missingRemotely(): Promise<string[]> {
  const listed = await runWrangler(['secret', 'list', '--format', 'json']).catch((error: unknown) => {
    if (error instanceof Error && NO_SUCH_WORKER.test(error.message)) return '[]'
    throw error
  })
  const present = new Set((JSON.parse(listed) as { name: string }[]).map(({ name }) => name))
  return Object.keys(SECRETS).filter((name) => !present.has(name))
}

/** New values for the secrets that the deployed Worker lacks, as lines of a secrets file; empty when it lacks none. */
export async function newSecretLines(): Promise<string> {
  return (await missingRemotely()).map((name) => `${name}="${SECRETS[name]!()}"\n`).join('')
}
