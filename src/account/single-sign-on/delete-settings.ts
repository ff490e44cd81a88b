// Deletes the settings of single sign-on.
import { eq } from 'drizzle-orm'
import { organizationSso } from '../../../drizzle'
import { diff } from '../../activity/diff'
import { guard } from '../../storage/database'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch } from '../../storage/run-batch'
import { isUnchanged, readState } from './read-state'
import { notSetUp, requireAdmin } from './settings'
import { entryOf, LOGGED, type Logged, loggedFrom, type SsoContext } from './settings-entry'

/**
 * Deletes them with their domains and identities. Members then sign in with their passwords.
 * @throws 403 for members below admin; 404 before it is set up
 */
export async function deleteSettings(context: SsoContext): Promise<void> {
  const { deps, organization } = context
  requireAdmin(organization)
  const { db } = deps
  await retryOnConflict(async () => {
    const state = await readState(context)
    const { settings, domains } = state
    if (!settings) throw notSetUp()
    const names = domains.map(({ domain }) => domain)
    await runBatch(db, [
      guard(db, isUnchanged(context, state)),
      db.delete(organizationSso).where(eq(organizationSso.organizationId, organization.id)),
      entryOf(context, diff('Organization', LOGGED, loggedFrom(settings, names), {} as Logged)),
    ])
  })
}
