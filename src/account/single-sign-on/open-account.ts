// Opens the account of a confirmed identity.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { memberships, organizations, organizationSso, type SsoFactor, ssoIdentities } from '../../../drizzle'
import { OWNER } from '../../auth/actor'
import type { Deps } from '../../deps'
import { invalid } from '../../errors'
import { isUniqueViolation } from '../../storage/database'
import { toStoredTimestamp } from '../../timestamps'
import { useInvites } from '../invites/delete'
import { isAcceptable } from '../invites/invite-validity'
import { recordMember } from '../organizations/record-member'
import { verifyPassword } from '../password/hash'
import { newUser } from '../provisioning'
import { countAttempt, lockedOut, LOGIN_LIMIT } from '../sign-in/attempt-limits'
import { insertIdentity } from '../sign-in/link-identity'
import { isUserUnchanged, openSignIn, type Origin, type SignIn } from '../sign-in/open-sign-in'
import type { Outcome, Person } from './decide'
import { domainIn, mustUseSso } from './enforcement'
import { selectFirstFactor } from './facts'
import { selectSettings, type StoredSettings } from './settings'
import { expired, LINK, type Link } from './state'

const factorOf = (
  { organizationId, issuer, clientId }: StoredSettings,
  { email }: Pick<Person, 'email'>,
  more: Pick<SsoFactor, 'identity'> & { isInvited?: boolean },
): SsoFactor => ({ organizationId, issuer, clientId, domain: domainIn(email), isInvited: false, ...more })

const changed = () => invalid(null, 'Your account changed during the sign-in. Begin again.', 'conflict')

/** Creates the user, the membership and the session, or none of them. */
export async function createMember(
  deps: Deps,
  settings: StoredSettings,
  person: Person,
  { level, invite }: Extract<Outcome, { kind: 'create' }>,
  origin: Origin,
  now: Date,
): Promise<SignIn> {
  const { db, ids } = deps
  const { organizationId } = settings
  const user = newUser({ db, ids, now }, { ...person, passwordHash: null, isEmailVerified: true })
  const userId = sql<number>`(SELECT id FROM users WHERE uuid = ${user.uuid})`
  const [organization] = await db
    .select({ enforce2fa: organizations.enforce2fa })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
  const identity = { organizationId, issuer: settings.issuer, subject: person.subject }
  const factor = {
    user: {
      id: userId,
      uuid: user.uuid,
      email: person.email,
      hasTotp: false,
      needsTwoFactor: organization?.enforce2fa ?? false,
    },
    sso: factorOf(settings, person, { identity: null }),
    condition: invite ? isAcceptable(invite.id, now) : sql`TRUE`,
    writes: [
      user.statement,
      db.insert(memberships).values({
        userId,
        organizationId,
        level,
        invitedById: invite?.createdById,
        joinedAt: toStoredTimestamp(now),
      }),
      insertIdentity(db, identity, userId, now),
      ...useInvites(db, organizationId, person.email, now),
      recordMember(deps, now, {
        organizationId,
        actor: userId,
        member: { uuid: user.uuid, email: person.email },
        verb: 'created',
        change: { action: 'created', field: 'level', before: null, after: level },
      }),
    ],
  }
  return openOnce(deps, factor, origin, now)
}

/** Opens a sign-in that may write an identity: the same person may sign in twice at the same time. */
const openOnce = (deps: Deps, factor: Parameters<typeof openSignIn>[1], origin: Origin, now: Date) =>
  openSignIn(deps, factor, origin, now, changed).catch((error: unknown) => {
    throw isUniqueViolation(error) ? changed() : error
  })

/** Signs in a user who has an account. @throws 400 when the account or the provider has changed meanwhile */
export async function signInAs(
  deps: Deps,
  settings: StoredSettings,
  person: Person,
  outcome: Extract<Outcome, { kind: 'sign in' | 'link' }>,
  origin: Origin,
  now: Date,
): Promise<SignIn> {
  const { db } = deps
  const { userId } = outcome
  const [user] = await selectFirstFactor(db, userId)
  const isLink = outcome.kind === 'link'
  if (!user || (isLink && user.passwordHash !== null)) throw changed()
  const isInvited = !isLink && outcome.inviteId !== undefined
  return openOnce(
    deps,
    {
      user,
      sso: factorOf(settings, person, {
        identity: isLink ? { issuer: settings.issuer, subject: person.subject } : null,
        isInvited,
      }),
      condition: sql`${isUserUnchanged(user)}
        AND ${usesNoOtherSso(settings.organizationId, userId)}
        AND ${isInvited ? sql`TRUE` : isMember(settings.organizationId, userId)}
        AND ${isLink ? isAddressConfirmed(userId) : sql`TRUE`}
        AND ${isInvited || isLink ? hasNoOtherAccess(settings.organizationId, userId) : sql`TRUE`}`,
    },
    origin,
    now,
  )
}

/** Write guard, which repeats what `decide` requires of accounts that open without a proof: no access that the provider does not decide about. */
const hasNoOtherAccess = (organizationId: string, userId: number): SQL =>
  sql`EXISTS (SELECT 1 FROM users u WHERE u.id = ${userId} AND NOT u.is_staff AND NOT EXISTS (
    SELECT 1 FROM organization_memberships m WHERE m.user_id = u.id AND (m.organization_id <> ${organizationId} OR m.level = ${OWNER})))`

const isAddressConfirmed = (userId: number): SQL =>
  sql`EXISTS (SELECT 1 FROM users u WHERE u.id = ${userId} AND u.is_email_verified)`

const isMember = (organizationId: string, userId: number): SQL =>
  sql`EXISTS (SELECT 1 FROM organization_memberships m WHERE m.organization_id = ${organizationId} AND m.user_id = ${userId})`

const usesNoOtherSso = (organizationId: string, userId: number): SQL =>
  sql`NOT ${mustUseSso(sql`${userId}`, organizationId)}`

/** Returns the link in a cookie. @throws 400 for an invalid or expired one */
export function getLink({ env, clock }: Pick<Deps, 'env' | 'clock'>, cookie: string | null): Link {
  const link = LINK.verify(env, cookie, clock.now())
  if (!link) throw expired()
  return link
}

/**
 * Links the identity with the account whose password this is, and signs in.
 * @throws 400 for a wrong password or an invalid link; 403 for a locked-out network
 */
export async function proveAccount(
  deps: Deps,
  cookie: string | null,
  password: string,
  origin: Origin,
): Promise<SignIn> {
  const { db, clock } = deps
  const now = clock.now()
  const link = getLink(deps, cookie)
  const { organization: organizationId, issuer, subject } = link
  const [[tries], [settings], [identity], [user]] = await db.batch([
    countAttempt(db, LOGIN_LIMIT, origin.client.network, now),
    selectSettings(db, organizationId, eq(organizationSso.issuer, issuer)),
    db
      .select({ userId: ssoIdentities.userId })
      .from(ssoIdentities)
      .where(
        and(
          eq(ssoIdentities.organizationId, organizationId),
          eq(ssoIdentities.issuer, issuer),
          eq(ssoIdentities.subject, subject),
        ),
      ),
    selectFirstFactor(db, link.user),
  ])
  if (tries!.count > LOGIN_LIMIT.attempts) throw lockedOut()
  if (!settings || !user || user.email !== link.email || user.passwordHash === null) throw expired()
  if (!(await verifyPassword(password, user.passwordHash)))
    throw tries!.count >= LOGIN_LIMIT.attempts
      ? lockedOut()
      : invalid('password', 'That is not the password of this account.', 'invalid_credentials')
  if (identity && identity.userId !== link.user) throw changed()
  return openOnce(
    deps,
    {
      user,
      // The link of a form that was sent twice is there already.
      sso: factorOf(settings, link, { identity: identity ? null : { issuer, subject } }),
      condition: sql`${isUserUnchanged(user)} AND ${isMember(organizationId, link.user)}
        AND ${usesNoOtherSso(organizationId, link.user)}`,
    },
    origin,
    now,
  )
}
