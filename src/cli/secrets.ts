// The secrets that every service needs: made where they are missing, never replaced.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'

const DEV_VARS = '.dev.vars'

/** A key has a name of its own: what it encrypted bears it, and no other key is ever tried on that. */
const keyring = () => `k${randomBytes(4).toString('hex')}:${randomBytes(32).toString('base64')}`

/** Whether a value that somebody brings is a ring of keys: `id:base64,id:base64`, of 32 bytes each. */
export const isKeyring = (value: string): boolean =>
  value.split(',').every((entry) => /^\s*[^:,\s]+:[A-Za-z0-9+/]{43}=\s*$/.test(entry))

/** By name, with a function that makes a value. */
export const MADE_SECRETS: Readonly<Record<string, () => string>> = {
  PAYLOAD_KEYS: keyring,
  ACCOUNT_KEYS: keyring,
}

/** Makes what the local service lacks. */
export function ensureLocalSecrets(): void {
  const existing = readLocalSecrets()
  const missing = Object.keys(MADE_SECRETS).filter((name) => !lineOf(name).test(existing))
  if (missing.length > 0)
    setLocalSecrets(Object.fromEntries(missing.map((name) => [name, MADE_SECRETS[name]!()])))
}

/** Replaces secrets of the local service; one that is empty is left as it is. */
export function setLocalSecrets(secrets: Readonly<Record<string, string>>): void {
  let text = readLocalSecrets()
  if (text && !text.endsWith('\n')) text += '\n'
  for (const [name, value] of Object.entries(secrets)) {
    if (value) text = `${text.replace(lineOf(name), '')}${name}="${value}"\n`
  }
  writeFileSync(DEV_VARS, text, { mode: 0o600 })
  // The mode above is for a new file only.
  chmodSync(DEV_VARS, 0o600)
}

const readLocalSecrets = () => (existsSync(DEV_VARS) ? readFileSync(DEV_VARS, 'utf8') : '')

const lineOf = (name: string) => new RegExp(`^${name}=.*\n?`, 'm')
