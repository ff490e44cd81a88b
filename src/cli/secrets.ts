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
  const listed = JSON.parse(await runWrangler(['secret', 'list', '--format', 'json'])) as { name: string }[]
  const missing = Object.keys(SECRETS).filter((name) => listed.every((secret) => secret.name !== name))
  for (const name of missing) await runWrangler(['secret', 'put', name], SECRETS[name]!())
  return missing
}
