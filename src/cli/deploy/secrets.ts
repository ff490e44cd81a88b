// The secrets that every service needs. They are generated if they are missing, and never replaced.
import { existsSync, readFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { writeWhole } from '../write-whole'

export const DEV_VARS = '.dev.vars'

/** Makes a key ring. Encrypted values name their key, so that only one key is tried. */
const keyring = () => `k${randomBytes(4).toString('hex')}:${randomBytes(32).toString('base64')}`

const isKeyring = (value: string): boolean =>
  value.split(',').every((entry) => /^\s*[^:,\s]+:[A-Za-z0-9+/]{43}=\s*$/.test(entry))

/** Returns a sentence for each value of the environment that is not a key ring: `id:base64,id:base64`. */
export const keyringProblems = (values: Readonly<Record<string, string>>): string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    isKeyring(value)
      ? []
      : [
          `${name} in the environment has to be \`id:base64\` with 32 bytes, or several of these with commas between them.`,
        ],
  )

export const MADE_SECRETS: Readonly<Record<string, () => string>> = {
  PAYLOAD_KEYS: keyring,
  ACCOUNT_KEYS: keyring,
}

/**
 * Variables of this machine alone, for `npm start` and any `wrangler dev`: the local queue is in the runtime's memory, so that capture
 * stores events before it responds.
 */
const LOCAL_VARIABLES: typeof MADE_SECRETS = { CAPTURE_STORES: () => 'on' }

export function ensureLocalSecrets(): void {
  const existing = readLocalSecrets()
  const missing = Object.entries({ ...MADE_SECRETS, ...LOCAL_VARIABLES }).filter(
    ([name]) => !existing.split('\n').some(isLineOf(name)),
  )
  if (missing.length > 0) setLocalSecrets(Object.fromEntries(missing.map(([name, make]) => [name, make()])))
}

/** Replaces local secrets by the given ones that are not empty. */
export function setLocalSecrets(secrets: Readonly<Record<string, string>>): void {
  let text = readLocalSecrets()
  if (text && !text.endsWith('\n')) text += '\n'
  for (const [name, value] of Object.entries(secrets)) {
    if (value) text = `${withoutLine(text, name)}${name}="${value}"\n`
  }
  writeWhole(DEV_VARS, text)
}

const readLocalSecrets = () => (existsSync(DEV_VARS) ? readFileSync(DEV_VARS, 'utf8') : '')

const isLineOf = (name: string) => (line: string) => line.startsWith(`${name}=`)

const withoutLine = (text: string, name: string): string => {
  const isLine = isLineOf(name)
  return text
    .split('\n')
    .filter((line) => !isLine(line))
    .join('\n')
}
