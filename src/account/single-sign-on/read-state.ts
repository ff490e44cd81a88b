// Reads the settings of single sign-on for a change.
import { eq, type SQL, sql } from 'drizzle-orm'
import { organizations, ssoIdentities } from '../../../drizzle'
import { asBoolean } from '../../storage/columns'
import { insufficient, isAdmin } from '../organizations/membership-guards'
import { selectDomains, selectSettings } from './settings'
import type { SsoContext } from './settings-entry'

/** @throws 403 for a caller who is no admin any more. */
export async function readState({ deps: { db }, actor, organization: { id } }: SsoContext) {
  const [[settings], domains, [identity], [caller]] = await db.batch([
    selectSettings(db, id),
    selectDomains(db, id),
    db
      .select({ issuer: ssoIdentities.issuer })
      .from(ssoIdentities)
      .where(eq(ssoIdentities.organizationId, id))
      .limit(1),
    db
      .select({ isAdmin: asBoolean(isAdmin(id, actor.user.id)) })
      .from(organizations)
      .limit(1),
  ])
  if (!caller?.isAdmin) throw insufficient()
  return { settings, domains, signedInAt: identity?.issuer }
}

export type State = Awaited<ReturnType<typeof readState>>

/** Write guard: the settings are as they were read, and the caller is still an admin. */
export const isUnchanged = ({ actor, organization: { id } }: SsoContext, { settings }: State): SQL =>
  sql`${
    settings
      ? sql`EXISTS (SELECT 1 FROM organization_sso WHERE organization_id = ${id} AND updated_at = ${settings.updatedAt}
          AND client_secret = ${settings.clientSecret})`
      : sql`NOT EXISTS (SELECT 1 FROM organization_sso WHERE organization_id = ${id})`
  } AND ${isAdmin(id, actor.user.id)}`
