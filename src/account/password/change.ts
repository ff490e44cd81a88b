// A new password (reference §1.3): the current one first, then whether the new one is any good.
import { invalid } from '../../errors'
import { hashPassword, verifyPassword } from './hash'

export interface PasswordChange {
  password: string
  currentPassword: string | undefined
  /** Null: the user has none so far, and needs none to set one. */
  storedHash: string | null
  /** What others know of the user. */
  known: readonly string[]
}

/**
 * Checks a change of password and hashes the new one.
 * @returns what is to be stored.
 * @throws 400 `required` or `incorrect_password` for the current one, then 400 for a new one that is weak.
 */
export async function changedHash(change: PasswordChange): Promise<string> {
  const { password, currentPassword, storedHash, known } = change
  if (storedHash !== null) {
    if (!currentPassword) {
      throw invalid('current_password', 'This field is required when updating your password.', 'required')
    }
    if (!(await verifyPassword(currentPassword, storedHash))) {
      throw invalid('current_password', 'Your current password is incorrect.', 'incorrect_password')
    }
  }
  const { checkStrength } = await import('./password-strength')
  checkStrength(password, known)
  return hashPassword(password)
}
