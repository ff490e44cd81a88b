// One-time codes: six digits from a shared secret and the time (RFC 6238: SHA-1, 30 seconds), and backup codes for when the phone is gone.
import { encodeBase32LowerCaseNoPadding, encodeBase32UpperCaseNoPadding } from '@oslojs/encoding'
import { createTOTPKeyURI, verifyHOTP } from '@oslojs/otp'

const STEP_SECONDS = 30
const DIGITS = 6
/** Clocks differ: the step before and the one after count too. */
const TOLERANCE = 1
const SECRET_BYTES = 20
const BACKUP_BYTES = 5
const BACKUP_CODES = 10
const ISSUER = 'Halyard'

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))

/** A new secret: 20 random bytes. */
export const newSecret = (): Uint8Array => random(SECRET_BYTES)

/** A secret as people type it. */
export const secretText = (secret: Uint8Array): string => encodeBase32UpperCaseNoPadding(secret)

/** What an authenticator app reads from the QR code. */
export const secretUri = (secret: Uint8Array, email: string): string =>
  createTOTPKeyURI(ISSUER, email, secret, STEP_SECONDS, DIGITS)

/** The step that a moment lies in. */
export const stepAt = (now: Date): number => Math.floor(now.getTime() / 1000 / STEP_SECONDS)

/**
 * The step that a code belongs to, or null for a wrong code.
 * @param after steps up to this one are used up: their codes are wrong.
 */
export function matchingStep(secret: Uint8Array, code: string, now: Date, after: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const current = stepAt(now)
  for (let step = current - TOLERANCE; step <= current + TOLERANCE; step += 1) {
    if (step > after && verifyHOTP(secret, BigInt(step), DIGITS, code)) return step
  }
  return null
}

/** Ten new backup codes of eight characters. */
export const newBackupCodes = (): string[] =>
  Array.from({ length: BACKUP_CODES }, () => encodeBase32LowerCaseNoPadding(random(BACKUP_BYTES)))

const MAX_TYPED_CODE = 64

/** A code as it was typed, without the spaces and capitals that people put in. Empty, which no code is, for a text that is too long. */
export const normalizeCode = (typed: string): string =>
  typed.length > MAX_TYPED_CODE ? '' : typed.replace(/[\s-]/g, '').toLowerCase()

/** Whether a code could be a backup code. */
export const isBackupCode = (code: string): boolean => /^[a-z2-7]{8}$/.test(code)
