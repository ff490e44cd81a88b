// Secrets of second factors as they are stored: encrypted under ACCOUNT_KEYS.
import { Buffer } from 'node:buffer'
import { createKeyring, type Keyring } from '../../storage/cipher'

/** The key ring of the account area. */
const accountKeys = (env: Env): Keyring => createKeyring(env.ACCOUNT_KEYS)

/** A secret, encrypted. */
export const sealSecret = (env: Env, secret: Uint8Array): Promise<string> =>
  accountKeys(env).encrypt(Buffer.from(secret).toString('base64'))

/** The secret that `sealSecret` encrypted. @throws when its key is gone. */
export const openSecret = async (env: Env, sealed: string): Promise<Uint8Array> =>
  new Uint8Array(Buffer.from(await accountKeys(env).decrypt(sealed), 'base64'))

/** What is stored in place of a backup code, under each key that there is; the current one first. */
export const backupDigests = (env: Env, userId: number, code: string): [string, ...string[]] =>
  accountKeys(env).digests(`backup-code:${userId}:${code}`)
