// Reads the facts for the rules of a sign-in.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { organizations, ssoIdentities, users } from '../../../drizzle'
import { asBoolean } from '../../storage/columns'
import type { Database } from '../../storage/database'
import { isInviteValid } from '../invites/invite-validity'
import { firstFactorColumns } from '../sign-in/open-sign-in'
import type { Person, SsoFacts } from './decide'
import { domainIn, mustUseSso } from './enforcement'
import type { StoredSettings } from './settings'

/** Selects users with the facts that the rules need. @param where condition on the user */
const selectKnown = (db: Database, organizationId: string, where: SQL) =>
  db
    .select({
      id: users.id,
      isActive: users.isActive,
      isStaff: users.isStaff,
      hasPassword: asBoolean(sql`${users.passwordHash} IS NOT NULL`).as('has_password'),
      isEmailVerified: asBoolean(sql`${users.isEmailVerified} IS TRUE`).as('is_confirmed'),
      level: sql<number | null>`(SELECT m.level FROM organization_memberships m
        WHERE m.user_id = users.id AND m.organization_id = ${organizationId})`.as('the_level'),
      isElsewhere: asBoolean(sql`EXISTS (SELECT 1 FROM organization_memberships m
        WHERE m.user_id = users.id AND m.organization_id <> ${organizationId})`).as('is_elsewhere'),
      mustUseOtherSso: mustUseSso(sql`users.id`, organizationId).as('must_use_other_sso'),
    })
    .from(users)
    .where(where)

const isIdentity = ({ organizationId, issuer }: StoredSettings, subject: string) =>
  sql`EXISTS (SELECT 1 FROM ${ssoIdentities} WHERE ${and(
    eq(ssoIdentities.organizationId, organizationId),
    eq(ssoIdentities.issuer, issuer),
    eq(ssoIdentities.subject, subject),
    sql`${ssoIdentities.userId} = users.id`,
  )})`

export async function loadFacts(
  db: Database,
  settings: StoredSettings,
  { subject, email }: Person,
  now: Date,
): Promise<SsoFacts> {
  const { organizationId } = settings
  const [[organization], [linked], [holder]] = await db.batch([
    db
      .select({
        name: organizations.name,
        isDomainVerified:
          asBoolean(sql`EXISTS (SELECT 1 FROM sso_domains d WHERE d.organization_id = ${organizationId}
          AND d.domain = ${domainIn(email)} AND d.verified_at IS NOT NULL)`).as('is_domain_verified'),
        invite: sql<string | null>`(SELECT json_object('id', id, 'level', level, 'createdById', created_by_id)
          FROM organization_invites WHERE ${and(
            sql`organization_id = ${organizationId}`,
            sql`target_email = ${email}`,
            isInviteValid(now),
          )} ORDER BY created_at DESC, id DESC LIMIT 1)`.as('newest_invite'),
      })
      .from(organizations)
      .where(eq(organizations.id, organizationId)),
    selectKnown(db, organizationId, isIdentity(settings, subject)),
    selectKnown(db, organizationId, eq(users.email, email)),
  ])
  return {
    organizationName: organization!.name,
    isDomainVerified: organization!.isDomainVerified,
    invite: JSON.parse(organization!.invite ?? 'null') as SsoFacts['invite'],
    linked: linked ?? null,
    holder: holder ?? null,
  }
}

export const selectFirstFactor = (db: Database, userId: number) =>
  db
    .select(firstFactorColumns)
    .from(users)
    .where(and(eq(users.id, userId), eq(users.isActive, true)))
