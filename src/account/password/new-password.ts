import * as z from 'zod'
import { isPasswordTooLong, lengthProblem, MAX_PASSWORD_LENGTH } from './password-length'

/**
 * For a new password. A current password beyond the limit is a wrong one.
 * @param options.blank whether the schema accepts empty text, which `checkStrength` then rejects.
 */
export const newPassword = ({ blank = false }: { blank?: boolean } = {}) =>
  (blank ? z.string() : z.string().min(1))
    .refine((password) => !isPasswordTooLong(password), {
      error: ({ input }) => lengthProblem(String(input)) ?? '',
      params: { code: 'max_length' },
      abort: true,
    })
    .meta({ maxLength: MAX_PASSWORD_LENGTH })
