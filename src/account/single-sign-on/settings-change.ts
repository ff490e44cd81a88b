// Reads the settings of single sign-on for a change, and says in the activity log what changed.
import { eq, type SQL, sql } from 'drizzle-orm'
import { organizations, ssoIdentities } from '../../../drizzle'
import { asBoolean } from '../../storage/columns'
import { insufficient, isAdmin } from '../organizations/membership-guards'
import { selectDomains, selectSettings, type StoredSettings } from './settings'
import type { Change } from '../../activity/entry'
import { recordActivity } from '../../activity/record'
import type { Organization, SessionActor } from '../../auth/actor'
import type { Deps } from '../../deps'

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

export interface SsoContext {
  deps: Deps
  actor: SessionActor
  organization: Organization
}

export const LOGGED = [
  'sso_issuer',
  'sso_client_id',
  'sso_domains',
  'sso_level_claim',
  'sso_levels',
  'sso_default_level',
  'sso_is_enforced',
] as const

export type Logged = Record<(typeof LOGGED)[number], unknown>

export const loggedFrom = (row: StoredSettings, domains: readonly string[]): Logged => ({
  sso_issuer: row.issuer,
  sso_client_id: row.clientId,
  sso_domains: [...domains].sort(),
  sso_level_claim: row.levelClaim,
  sso_levels: row.levels,
  sso_default_level: row.defaultLevel,
  sso_is_enforced: row.isEnforced,
})

export const changeOf = (field: string, before: unknown, after: unknown): Change => ({
  type: 'Organization',
  action: 'changed',
  field,
  before,
  after,
})

/** The statement that adds an activity entry. */
export const entryOf = ({ deps, actor, organization }: SsoContext, changes: Change[]) =>
  recordActivity(deps, deps.clock.now(), {
    organizationId: organization.id,
    actor,
    scope: 'Organization',
    itemId: organization.id,
    verb: 'updated',
    name: organization.name,
    changes,
  })
