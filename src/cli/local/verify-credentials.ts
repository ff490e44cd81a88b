// Checks whether credentials of a file belong to a database.
import { secureValueOf } from '../../auth/secure-value'
import { verifyPassword } from '../../account/password/hash'
import type { SqlDatabase } from '../sql-database'
import type { Credentials } from './credentials'

export type StaleCredential = 'password' | 'API key'

/**
 * @returns the credentials that no longer work, or null when the database does not have their user and project, because it is another one
 */
export async function findStale(
  query: SqlDatabase['query'],
  { user_uuid, project_id, project_api_token, personal_api_key, password }: Credentials,
): Promise<StaleCredential[] | null> {
  const [user] = await query('SELECT uuid, password_hash FROM users WHERE uuid = ?1', [user_uuid])
  const [project] = await query('SELECT id FROM projects WHERE id = ?1 AND api_token = ?2', [
    project_id,
    project_api_token,
  ])
  if (!user || !project) return null
  const [key] = await query('SELECT id FROM personal_api_keys WHERE secure_value = ?1', [
    await secureValueOf(personal_api_key),
  ])
  const isPassword = await verifyPassword(password, String(user.password_hash))
  return [...(isPassword ? [] : ['password' as const]), ...(key ? [] : ['API key' as const])]
}
