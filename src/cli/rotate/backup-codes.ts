import type { KeyringSecret } from '../../storage/encrypted-columns'
import { PreflightError } from '../command'
import type { SqlDatabase } from '../sql-database'

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
