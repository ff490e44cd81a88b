// How long a password may be. Checked on the raw text: normalization takes quadratic time on combining marks, and scrypt takes any length.
import { Buffer } from 'node:buffer'
import * as z from 'zod'
import { isLongerThan } from '../../characters'
import { type ApiError, invalid } from '../../errors'

/** Code points, as clients of this API count. No password manager generates more. */
export const MAX_PASSWORD_LENGTH = 1_024
/** Bytes in UTF-8: every text of 1,024 UTF-16 units fits. */
export const MAX_PASSWORD_BYTES = 3_072

export const passwordText =
  '8 to 1,024 characters and at most 3,072 bytes, hard to guess, not derived from name or address.'

/** What is wrong with the length of a password, or null. Costs O(1) for text far past the limit. */
function lengthProblem(password: string): string | null {
  if (isLongerThan(password, MAX_PASSWORD_LENGTH)) {
    return `Ensure this field has no more than ${MAX_PASSWORD_LENGTH} characters.`
  }
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) {
    return `Ensure this field has no more than ${MAX_PASSWORD_BYTES} bytes.`
  }
  return null
}

/** Whether a text is too long to be a password. */
export const isPasswordTooLong = (password: string): boolean => lengthProblem(password) !== null

/** 400 `max_length` for a new password that is too long. */
export const passwordTooLong = (password: string): ApiError =>
  invalid('password', lengthProblem(password) ?? '', 'max_length')

/**
 * A field for a new password. A current password has no limit of its own: one that is too long is answered as a wrong one.
 * @param options.blank whether the schema accepts empty text; then `checkStrength` refuses it.
 */
export const newPassword = ({ blank = false }: { blank?: boolean } = {}) =>
  (blank ? z.string() : z.string().min(1))
    .refine((password) => !isPasswordTooLong(password), {
      error: ({ input }) => lengthProblem(String(input)) ?? '',
      params: { code: 'max_length' },
      abort: true,
    })
    .meta({ maxLength: MAX_PASSWORD_LENGTH })
