// One-time codes (RFC 6238: SHA-1, 30 seconds, six digits) and backup codes.
import { encodeBase32LowerCaseNoPadding, encodeBase32UpperCaseNoPadding } from '@oslojs/encoding'
import { createTOTPKeyURI, verifyHOTP } from '@oslojs/otp'
import { Buffer } from 'node:buffer'
import { type Keyring, keyringOf } from '../../storage/cipher'

const STEP_SECONDS = 30
const DIGITS = 6
/** The number of steps before and after the current one that are accepted. */
const TOLERANCE = 1
const SECRET_BYTES = 20
const BACKUP_BYTES = 5
const BACKUP_CODES = 10
const ISSUER = 'Halyard'

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))

export const newSecret = (): Uint8Array => random(SECRET_BYTES)

export const secretText = (secret: Uint8Array): string => encodeBase32UpperCaseNoPadding(secret)

/** Returns the content of the QR code. */
export const secretUri = (secret: Uint8Array, email: string): string =>
  createTOTPKeyURI(ISSUER, email, secret, STEP_SECONDS, DIGITS)

export const stepAt = (now: Date): number => Math.floor(now.getTime() / 1000 / STEP_SECONDS)

/** Returns the step of a code, or null for a wrong code. @param after codes of steps up to this one are used up */
export function matchingStep(secret: Uint8Array, code: string, now: Date, after: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const current = stepAt(now)
  for (let step = current - TOLERANCE; step <= current + TOLERANCE; step += 1) {
    if (step > after && verifyHOTP(secret, BigInt(step), DIGITS, code)) return step
  }
  return null
}

export const newBackupCodes = (): string[] =>
  Array.from({ length: BACKUP_CODES }, () => encodeBase32LowerCaseNoPadding(random(BACKUP_BYTES)))

const MAX_TYPED_CODE = 64

/** Removes spaces and dashes, and converts to lower case. The result is empty for text beyond the maximum length. */
export const normalizeCode = (typed: string): string =>
  typed.length > MAX_TYPED_CODE ? '' : typed.replace(/[\s-]/g, '').toLowerCase()

export const isBackupCode = (code: string): boolean => /^[a-z2-7]{8}$/.test(code)

const accountKeys = (env: Env): Keyring => keyringOf(env, 'ACCOUNT_KEYS')

export const sealSecret = (
  env: Env,
  secret: Uint8Array,
  column: 'secondFactor' | 'pendingSecondFactor',
): Promise<string> => accountKeys(env).encrypt(Buffer.from(secret).toString('base64'), column)

/** @throws if the key of `sealSecret` is no longer configured. */
export const openSecret = async (env: Env, sealed: string): Promise<Uint8Array> =>
  new Uint8Array(Buffer.from(await accountKeys(env).decrypt(sealed), 'base64'))

/** Returns the stored form of a backup code under each key, the current one first. */
export const backupDigests = (env: Env, userId: number, code: string): [string, ...string[]] =>
  accountKeys(env).digests(`backup-code:${userId}:${code}`)
