// Limits the raw text of passwords, because normalization takes quadratic time on combining marks, and scrypt accepts any length.
import { Buffer } from 'node:buffer'
import { isLongerThan } from '../../characters'
import { type ApiError, invalid } from '../../errors'
import * as z from 'zod'

/** Maximum code points. No password manager generates more. */
export const MAX_PASSWORD_LENGTH = 1_024
/** Maximum bytes in UTF-8. Every text of 1,024 UTF-16 units fits. */
export const MAX_PASSWORD_BYTES = 3_072

export const passwordText =
  '8 to 1,024 characters and at most 3,072 bytes, hard to guess, not derived from name or address.'

/** Returns the error text for an invalid length, or null, in constant time for text far beyond the limit. */
function lengthProblem(password: string): string | null {
  if (isLongerThan(password, MAX_PASSWORD_LENGTH)) {
    return `Ensure this field has no more than ${MAX_PASSWORD_LENGTH} characters.`
  }
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) {
    return `Ensure this field has no more than ${MAX_PASSWORD_BYTES} bytes.`
  }
  return null
}

export const isPasswordTooLong = (password: string): boolean => lengthProblem(password) !== null

export const passwordTooLong = (password: string): ApiError =>
  invalid('password', lengthProblem(password) ?? '', 'max_length')

/**
 * The schema of a new password. A current password has no limit: one beyond the limit is wrong.
 * @param options.blank whether the schema accepts empty text, which `checkStrength` then rejects
 */
export const newPassword = ({ blank = false }: { blank?: boolean } = {}) =>
  (blank ? z.string() : z.string().min(1))
    .refine((password) => !isPasswordTooLong(password), {
      error: ({ input }) => lengthProblem(String(input)) ?? '',
      params: { code: 'max_length' },
      abort: true,
    })
    .meta({ maxLength: MAX_PASSWORD_LENGTH })
