// Replaces keys of the local service, which must be stopped. Whenever it ends, `.dev.vars` has every key that a value needs.
import { createKeyring } from '../../storage/cipher'
import type { KeyringSecret } from '../../storage/encrypted-columns'
import { type KeyRotation, readRotation, reencrypt } from '../../storage/reencrypt'
import { MADE_SECRETS, setLocalSecrets } from '../deploy/secrets'
import type { SqlDatabase } from '../sql-database'
import { checkBackupCodes, endBackupCodes, type RotateOptions, describeRotation, sayRest } from './rotation'

/**
 * @param database the main database
 * @param vars the secrets of this machine
 */
export async function rotateLocal(
  database: SqlDatabase,
  vars: Readonly<Record<string, unknown>>,
  options: RotateOptions,
): Promise<void> {
  await checkBackupCodes(database, options)
  const currentOf = (secret: KeyringSecret) => String(vars[secret] ?? '')
  const begun: KeyringSecret[] = []
  for (const secret of options.secrets) {
    const rotation = await readRotation(database.query, secret)
    if (rotation && !rotation.isVerified && rotation.keyId === createKeyring(currentOf(secret)).currentId)
      begun.push(secret)
  }
  for (const secret of begun.length > 0 ? begun : options.secrets) {
    const current = currentOf(secret)
    const ring = begun.includes(secret)
      ? current
      : [MADE_SECRETS[secret]!(), current].filter(Boolean).join(',')
    setLocalSecrets({ [secret]: ring })
    let state: KeyRotation | null
    do state = await reencrypt(database.query, secret, createKeyring(ring))
    while (!state!.isVerified)
    await endBackupCodes(database, secret, options)
    setLocalSecrets({ [secret]: ring.split(',', 1)[0]! })
    options.say(`${secret}: ${describeRotation(state!)} The key is in .dev.vars.\n`)
  }
  sayRest(begun, options)
}
