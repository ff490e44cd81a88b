import { invalid } from '../../errors'
import { hashPassword, verifyPassword } from './hash'

/**
 * Checks the current password, then the new one. A user without a password needs none to set one.
 * @returns the new hash
 * @throws 400 `required` or `incorrect_password` for the current password; 400 for a weak new one
 */
export async function changedHash(
  user: { passwordHash: string | null; email: string; firstName: string; lastName: string },
  password: string,
  { current_password: currentPassword }: { current_password?: string | undefined },
): Promise<string> {
  if (user.passwordHash !== null) {
    if (!currentPassword) {
      throw invalid('current_password', 'This field is required when updating your password.', 'required')
    }
    if (!(await verifyPassword(currentPassword, user.passwordHash))) {
      throw invalid('current_password', 'Your current password is incorrect.', 'incorrect_password')
    }
  }
  const { checkStrength } = await import('./password-strength')
  checkStrength(password, [user.email, user.firstName, user.lastName])
  return hashPassword(password)
}
