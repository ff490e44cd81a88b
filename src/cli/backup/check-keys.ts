// Whether an environment's keys open what a backup holds encrypted. Keys have names, and key rings hold several: a restored service needs the
// keys of the one that was backed up beside its own, and nothing is encrypted again.
import { createKeyring, isEncrypted } from '../../storage/cipher'
import { type Manifest, readRows } from './manifest'
import type { Value } from './rows'

/** By the name of the secret: a key ring, `id:base64,id:base64`. */
export type Keys = Readonly<Record<'PAYLOAD_KEYS' | 'ACCOUNT_KEYS', string>>

/** Where encrypted values are, in the main database. */
const ENCRYPTED: readonly {
  table: string
  secret: keyof Keys
  values(row: Readonly<Record<string, Value>>): unknown[]
}[] = [
  {
    table: 'feature_flags',
    secret: 'PAYLOAD_KEYS',
    values: ({ filters, has_encrypted_payloads: isUsed }) =>
      isUsed === 1 ? payloadsIn(String(filters)) : [],
  },
  { table: 'totp_devices', secret: 'ACCOUNT_KEYS', values: ({ secret }) => [secret] },
  {
    table: 'webhooks',
    secret: 'ACCOUNT_KEYS',
    values: ({ secret, previous_secret: previous }) => [secret, previous],
  },
]

function payloadsIn(filters: string): unknown[] {
  const { payloads } = JSON.parse(filters) as { payloads?: Record<string, unknown> | null }
  return Object.values(payloads ?? {})
}

/** Sentences that name each key which is missing, or has the name of another; empty when the keys open every value. */
export async function keyProblems(folder: string, manifest: Manifest, keys: Keys): Promise<string[]> {
  const problems = new Set<string>()
  const [main] = manifest.databases
  for (const { table: name, secret, values } of ENCRYPTED) {
    const table = main?.tables.find((one) => one.name === name)
    if (!table) continue
    const ring = createKeyring(keys[secret])
    const known = new Set(keys[secret].split(',').map((entry) => entry.trim().split(':', 1)[0]))
    for await (const row of readRows(folder, table)) {
      for (const value of values(row)) {
        if (typeof value !== 'string' || !isEncrypted(value)) continue
        const id = value.split(':', 2)[1]!
        if (!known.has(id)) problems.add(`${secret} has no key ${id}, which encrypted rows of ${name}.`)
        else if (!(await isOpenedBy(ring, value))) {
          problems.add(
            `The key ${id} in ${secret} is not the one of that name which encrypted rows of ${name}.`,
          )
        }
      }
    }
  }
  return [...problems]
}

const isOpenedBy = (ring: ReturnType<typeof createKeyring>, value: string): Promise<boolean> =>
  ring.decrypt(value).then(
    () => true,
    () => false,
  )

/** A key ring with the keys of another behind its own. Of keys with the same name, the other's stays: nothing is encrypted with ours yet. */
export function mergeKeyrings(own: string, other: string): string {
  const entries = (ring: string) =>
    ring
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean)
  const named = new Set(entries(other).map((entry) => entry.split(':', 1)[0]))
  return [...entries(own).filter((entry) => !named.has(entry.split(':', 1)[0])), ...entries(other)].join(',')
}
