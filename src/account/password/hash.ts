// Hashes passwords with scrypt. The hash contains its parameters, so that they can be raised.
import { Buffer } from 'node:buffer'
import crypto from 'node:crypto'
import { createHashLimit } from './hash-limit'
import { isPasswordTooLong, passwordTooLong } from './password-length'

/** A guess costs 16 MiB and some tens of milliseconds. */
const COST = { N: 2 ** 14, r: 8, p: 1 }
const KEY_BYTES = 32
const SALT_BYTES = 16

/** The limit of the isolate, whose requests share a thread. */
const hashWithin = createHashLimit()

/**
 * Derives the key of a password. Everything that normalizes or hashes a password calls it.
 * @returns null, without work, for text beyond the maximum length
 * @throws 503 as `createHashLimit` says
 */
async function deriveKey(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer | null> {
  if (isPasswordTooLong(password)) return null
  return hashWithin(
    () =>
      new Promise((resolve, reject) => {
        crypto.scrypt(password.normalize('NFKC'), salt, KEY_BYTES, cost, (error, key) =>
          error ? reject(error) : resolve(Buffer.from(key)),
        )
      }),
  )
}

/**
 * Returns `scrypt$N$r$p$salt$hash`, the last two in base64.
 * @throws 400 for a password that is too long; 503 when the isolate hashes too many at the same time
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.randomBytes(SALT_BYTES)
  const key = await deriveKey(password, salt, COST)
  if (!key) throw passwordTooLong(password)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), key.toString('base64')].join('$')
}

/**
 * Compares in constant time. Text beyond the maximum length is wrong at once.
 * @throws 503 when the isolate hashes too many at the same time
 */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [scheme, N, r, p, salt, key] = stored.split('$')
  if (scheme !== 'scrypt' || !salt || !key) return false
  const expected = Buffer.from(key, 'base64')
  const actual = await deriveKey(password, Buffer.from(salt, 'base64'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  })
  return actual !== null && crypto.timingSafeEqual(expected, actual)
}
