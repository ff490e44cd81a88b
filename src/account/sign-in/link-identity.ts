// Links an identity of single sign-on with an account, when its sign-in is complete.
import { type SQL, sql } from 'drizzle-orm'
import { type SsoFactor, ssoIdentities } from '../../../drizzle'
import type { Deps } from '../../deps'
import type { Database } from '../../storage/database'
import { toStoredTimestamp } from '../../timestamps'
import { recordMember } from '../organizations/record-member'

/** A user who signs in. */
export interface SigningIn {
  /** The id, or SQL of it when the same batch creates the user. */
  id: number | SQL<number>
  uuid: string
  email: string
}

export type NewIdentity = { organizationId: string } & NonNullable<SsoFactor['identity']>

export const insertIdentity = (
  db: Database,
  { organizationId, issuer, subject }: NewIdentity,
  userId: SigningIn['id'],
  now: Date,
) =>
  db
    .insert(ssoIdentities)
    .values({ organizationId, issuer, subject, userId, createdAt: toStoredTimestamp(now) })

/** Returns the statements that link a new identity, and say so in the log of the organization. */
export function linkIdentity(deps: Deps, sso: SsoFactor | null, user: SigningIn, now: Date) {
  if (!sso?.identity) return []
  const { organizationId, identity } = sso
  return [
    insertIdentity(deps.db, { organizationId, ...identity }, user.id, now),
    recordMember(deps, now, {
      organizationId,
      actor: sql<number>`${user.id}`,
      member: user,
      change: { action: 'created', field: 'sso_issuer', before: null, after: identity.issuer },
    }),
  ]
}

type Provider = 'organizationId' | 'issuer' | 'clientId' | 'domain'

/** SQL condition: the organization still has this provider and the domain. */
export const isProviderValid = (of: Record<Provider, string | SQL>): SQL =>
  sql`EXISTS (SELECT 1 FROM organization_sso s JOIN sso_domains d ON d.organization_id = s.organization_id AND d.verified_at IS NOT NULL
    WHERE s.organization_id = ${of.organizationId} AND s.issuer = ${of.issuer} AND s.client_id = ${of.clientId} AND d.domain = ${of.domain})`

const stored = (field: keyof SsoFactor) => sql`login_challenges.sso ->> ${sql.raw(`'${field}'`)}`

/** SQL condition on a row of `login_challenges`: the first factor may still open the account. */
export const isFirstFactorValid: SQL = sql`(login_challenges.sso IS NULL OR ${isProviderValid({
  organizationId: stored('organizationId'),
  issuer: stored('issuer'),
  clientId: stored('clientId'),
  domain: stored('domain'),
})} AND (${stored('isInvited')} OR EXISTS (SELECT 1 FROM organization_memberships m
  WHERE m.organization_id = ${stored('organizationId')} AND m.user_id = login_challenges.user_id)))`
