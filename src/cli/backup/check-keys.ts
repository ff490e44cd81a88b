// Checks whether an environment's keys open the encrypted values of a backup. Keys have names, and key rings hold several: a restored
// service needs the keys of the one that was backed up beside its own, and nothing is encrypted again.
import { createKeyring } from '../../storage/cipher'
import {
  encryptedColumnsOf,
  encryptedValuesIn,
  KEYRING_SECRETS,
  type KeyringSecret,
} from '../../storage/encrypted-columns'
import { readRows } from './manifest'
import type { Manifest } from '../../storage/backup/format'

/** Key rings, `id:base64,id:base64`, by the name of the secret. */
export type Keys = Readonly<Record<KeyringSecret, string>>

/** Returns a sentence for each key that is missing, or has the name of another. There are none when the keys open every value. */
export async function keyProblems(folder: string, manifest: Manifest, keys: Keys): Promise<string[]> {
  const problems = new Set<string>()
  const [main] = manifest.databases
  for (const secret of KEYRING_SECRETS) {
    const ring = createKeyring(keys[secret])
    const known = new Set(keys[secret].split(',').map((entry) => entry.trim().split(':', 1)[0]))
    for (const { table: name, column, isHistory } of encryptedColumnsOf(secret)) {
      const table = main?.tables.find((one) => one.name === name)
      if (!table || isHistory) continue
      for await (const row of readRows(folder, table)) {
        if (name === 'feature_flags' && row.has_encrypted_payloads !== 1) continue
        for (const { value, keyId } of encryptedValuesIn(String(row[column]))) {
          if (!known.has(keyId))
            problems.add(`${secret} has no key ${keyId}, which encrypted rows of ${name}.`)
          else if (!(await isOpenedBy(ring, value))) {
            problems.add(
              `The key ${keyId} in ${secret} is not the one of that name which encrypted rows of ${name}.`,
            )
          }
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

/**
 * Returns a key ring with the keys of another after its own. Of two keys with the same name, the other's stays, because nothing is
 * encrypted with ours yet.
 */
export function mergeKeyrings(own: string, other: string): string {
  const entries = (ring: string) =>
    ring
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean)
  const named = new Set(entries(other).map((entry) => entry.split(':', 1)[0]))
  return [...entries(own).filter((entry) => !named.has(entry.split(':', 1)[0])), ...entries(other)].join(',')
}
