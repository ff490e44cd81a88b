import type { KeyringSecret } from '../../storage/encrypted-columns'
import { PreflightError } from '../command'
import type { SqlDatabase } from '../sql-database'
import type { KeyRotation } from '../../storage/reencrypt'

export interface RotateOptions {
  secrets: readonly KeyringSecret[]
  endsBackupCodes: boolean
  say(text: string): void
}

/**
 * Checks backup codes, of which the database has only digests under a key of ACCOUNT_KEYS. They cannot be computed under another key.
 * @throws PreflightError when there are some, and the operator did not accept that they stop working
 */
export async function checkBackupCodes(
  { query }: SqlDatabase,
  { secrets, endsBackupCodes }: RotateOptions,
): Promise<void> {
  if (endsBackupCodes || !secrets.includes('ACCOUNT_KEYS')) return
  const [row] = await query('SELECT count(DISTINCT user_id) AS users FROM backup_codes')
  const users = Number(row?.users)
  if (users === 0) return
  throw new PreflightError(
    `Backup codes of ${users} ${users === 1 ? 'user' : 'users'} work only with the current ACCOUNT_KEYS, because only their digests are stored. ` +
      'Add --end-backup-codes to delete them: second factors stay, and users make new codes in their settings. Or rotate PAYLOAD_KEYS alone.',
  )
}

export async function endBackupCodes(
  { query }: SqlDatabase,
  secret: KeyringSecret,
  { endsBackupCodes }: RotateOptions,
): Promise<void> {
  if (secret === 'ACCOUNT_KEYS' && endsBackupCodes) await query('DELETE FROM backup_codes')
}

/** Returns a sentence or two about a verified rotation. */
export const describeRotation = ({ keyId, unreadable }: KeyRotation): string =>
  `every value is encrypted with the new key ${keyId}, and the old keys are retired.` +
  (unreadable > 0
    ? ` ${unreadable} ${unreadable === 1 ? 'value was' : 'values were'} left, which no key opened before either.`
    : '')

/** Names the keys that a run left as they are because it continued the rotation of others. */
export function sayRest(begun: readonly KeyringSecret[], { secrets, say }: RotateOptions): void {
  const rest = begun.length > 0 ? secrets.filter((secret) => !begun.includes(secret)) : []
  if (rest.length > 0) say(`This run continued an earlier one. It left ${rest.join(' and ')} as it is.\n`)
}
