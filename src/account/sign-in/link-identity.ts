// Links an identity of single sign-on with an account, when its sign-in is complete.
import { type SQL, sql } from 'drizzle-orm'
import { type SsoFactor, ssoIdentities } from '../../../drizzle'
import { recordActivity } from '../../activity/record'
import type { Deps } from '../../deps'
import type { Database } from '../../storage/database'
import { toStoredTimestamp } from '../../timestamps'

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
    recordActivity(deps, now, {
      organizationId,
      actor: sql<number>`${user.id}`,
      scope: 'OrganizationMembership',
      itemId: user.uuid,
      verb: 'updated',
      name: user.email,
      changes: [
        {
          type: 'OrganizationMembership',
          action: 'created',
          field: 'sso_issuer',
          before: null,
          after: identity.issuer,
        },
      ],
    }),
  ]
}

/** Write guard: the provider may still open the account to which the sign-in links an identity. */
export const isLinkable = (sso: SsoFactor | null, userId: number): SQL =>
  sso?.identity
    ? sql`EXISTS (SELECT 1 FROM organization_sso s JOIN organization_memberships m ON m.organization_id = s.organization_id
        WHERE s.organization_id = ${sso.organizationId} AND s.issuer = ${sso.identity.issuer} AND m.user_id = ${userId})`
    : sql`TRUE`
