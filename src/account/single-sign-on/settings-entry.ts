// What the activity log says of the settings of single sign-on.
import type { Change } from '../../activity/entry'
import { recordActivity } from '../../activity/record'
import type { Organization, SessionActor } from '../../auth/actor'
import type { Deps } from '../../deps'
import type { StoredSettings } from './settings'

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
