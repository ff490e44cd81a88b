import { invalid } from '../../errors'
import { hashPassword, verifyPassword } from './hash'

export interface PasswordChange {
  password: string
  currentPassword: string | undefined
  /** Null: the user has no password, and needs none to set one. */
  storedHash: string | null
  /** Facts that others know of the user. */
  known: readonly string[]
}

/**
 * Checks the current password, then the new one (reference §1.3).
 * @returns the new hash.
 * @throws 400 `required` or `incorrect_password` for the current password; 400 for a weak new one.
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
