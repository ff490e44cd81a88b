import * as z from 'zod'
import { isPasswordTooLong, lengthProblem, MAX_PASSWORD_LENGTH } from './password-length'

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
