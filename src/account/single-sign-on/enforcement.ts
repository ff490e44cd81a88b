// Decides who has to sign in with single sign-on. Only members have to: an organization that has a domain decides nothing for users of
// other organizations. Owners keep their password, for when the provider fails.
import { type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { loginChallenges, sessions } from '../../../drizzle'
import { OWNER } from '../../auth/actor'
import { invalid } from '../../errors'
import { asBoolean } from '../../storage/columns'
import type { Database } from '../../storage/database'

/** The value of `login_method` and `sso_enforcement`. */
export const SSO_METHOD = 'oidc'

/** Returns the domain of an address, which has one `@`. */
export const domainIn = (email: string): string => email.slice(email.indexOf('@') + 1)

/** SQL of the domain of an address. */
const domainOf = (email: SQL): SQL<string> => sql`substr(${email}, instr(${email}, '@') + 1)`

/** SQL condition on a row `d` of `sso_domains`. */
const isVerified = sql`d.verified_at IS NOT NULL`

/**
 * SQL condition: the user is a member, but no owner, of an organization that requires single sign-on for the domain of the user's
 * address.
 * @param exceptOrganization does not count
 */
export const mustUseSso = (userId: SQL, exceptOrganization: SQL | string | null = null): SQL<boolean> =>
  asBoolean(sql`EXISTS (SELECT 1 FROM users u JOIN organization_memberships m ON m.user_id = u.id AND m.level < ${OWNER}
      AND m.organization_id IS NOT ${exceptOrganization}
    JOIN organization_sso s ON s.organization_id = m.organization_id AND s.is_enforced
    JOIN sso_domains d ON d.organization_id = s.organization_id AND d.domain = ${domainOf(sql`u.email`)} AND ${isVerified}
    WHERE u.id = ${userId})`)

/** SQL of the organizations `s` that require single sign-on for a domain. A further condition may follow. */
const requirersOf = (domain: SQL | string): SQL =>
  sql`sso_domains d JOIN organization_sso s ON s.organization_id = d.organization_id AND s.is_enforced
    WHERE d.domain = ${domain} AND ${isVerified}`

/**
 * SQL condition: an organization that requires single sign-on has the domain of an address. Organizations of which the user is an owner
 * do not count.
 */
export const isTaken = (email: string, userId: number): SQL<boolean> =>
  asBoolean(sql`EXISTS (SELECT 1 FROM ${requirersOf(domainIn(email))}
    AND NOT EXISTS (SELECT 1 FROM organization_memberships m
      WHERE m.organization_id = s.organization_id AND m.user_id = ${userId} AND m.level = ${OWNER}))`)

/** Whether an organization requires single sign-on for the domain of an address. */
export async function isRequiredFor(db: Database, email: string): Promise<boolean> {
  return (await db.all(sql`SELECT 1 FROM ${requirersOf(domainIn(email))}`)).length > 0
}

/** SQL condition: an organization requires single sign-on for the domain of an address. */
export const requiresSso = (email: SQL, organizationId: SQL<string | null>): SQL<boolean> =>
  asBoolean(
    sql`EXISTS (SELECT 1 FROM ${requirersOf(domainOf(email))} AND s.organization_id = ${organizationId})`,
  )

/**
 * SQL condition: another organization requires single sign-on for the domain of an address. An account with a password would take the
 * address from its owner, whom the provider then could not sign in.
 */
export const requiresSsoElsewhere = (email: SQL, organizationId: SQL): SQL<boolean> =>
  asBoolean(
    sql`EXISTS (SELECT 1 FROM ${requirersOf(domainOf(email))} AND s.organization_id <> ${organizationId})`,
  )

/** SQL condition: the user has an identity at a provider. */
export const hasIdentity = (userId: SQL): SQL<boolean> =>
  asBoolean(sql`EXISTS (SELECT 1 FROM sso_identities i WHERE i.user_id = ${userId})`)

/** SQL condition: the user has an identity at the organization that has the domain of the user's address. */
export const hasIdentityOfDomain = (userId: SQL): SQL<boolean> =>
  asBoolean(sql`EXISTS (SELECT 1 FROM users u JOIN sso_identities i ON i.user_id = u.id
    JOIN sso_domains d ON d.organization_id = i.organization_id AND d.domain = ${domainOf(sql`u.email`)} AND ${isVerified}
    WHERE u.id = ${userId})`)

/**
 * The statements that sign out users who now have to use single sign-on and did not. They have no effect where it is not required.
 * @param users SQL of a list of ids
 * @param kept the session that stays
 */
export const endPasswordSessions = (db: Database, users: SQL, kept: string | null): BatchItem<'sqlite'>[] => [
  db
    .delete(sessions)
    .where(
      sql`user_id IN ${users} AND id IS NOT ${kept} AND ${mustUseSso(sql`sessions.user_id`, sql`sessions.sso_organization_id`)}`,
    ),
  db
    .delete(loginChallenges)
    .where(
      sql`user_id IN ${users} AND ${mustUseSso(sql`login_challenges.user_id`, sql`login_challenges.sso ->> 'organizationId'`)}`,
    ),
]

/** Signs out members who now have to use single sign-on and did not. @param kept the session that stays */
export const endPasswordSessionsIn = (db: Database, organizationId: string, kept: string | null) =>
  endPasswordSessions(
    db,
    sql`(SELECT m.user_id FROM organization_memberships m WHERE m.organization_id = ${organizationId})`,
    kept,
  )

/** The 400 error, as upstream. */
export const ssoEnforced = () =>
  invalid(null, `You can only login with SSO for this account (${SSO_METHOD}).`, 'sso_enforced')
