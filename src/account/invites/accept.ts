// Accepts invites, as a signed-in user or with a new account.
import * as z from 'zod'
import { and, eq, sql } from 'drizzle-orm'
import { memberships, organizationInvites, organizations, users } from '../../../drizzle'
import { type Actor, OWNER, type SessionActor } from '../../auth/actor'
import type { Client } from '../../auth/client'
import { newSession } from '../../auth/sessions'
import type { Deps } from '../../deps'
import { invalid } from '../../errors'
import { asBoolean } from '../../storage/columns'
import { type Database, guard, isUniqueViolation } from '../../storage/database'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import { inviteExpiryCutoff, isAcceptable, isInviterActive } from './invite-validity'
import { useInvites } from './delete'
import { personName } from '../identity-fields'
import { hashPassword } from '../password/hash'
import { newPassword } from '../password/password-length'
import { recordMember } from '../organizations/record-member'
import { newUser } from '../provisioning'
import { recordLogin } from '../sign-in/open-sign-in'
import { endPasswordSessions, requiresSso, requiresSsoElsewhere } from '../single-sign-on/enforcement'

export const SignUpBody = z.object({
  first_name: personName({ max: 150 }),
  password: newPassword({ blank: true }),
})

type ValidInvite = Awaited<ReturnType<typeof getValidInvite>>

const unknown = () => invalid(null, 'The provided invite ID is not valid.')
const expired = () =>
  invalid(null, 'This invite has expired. Please ask your admin for a new one.', 'expired')
const otherRecipient = () =>
  invalid(null, 'This invite is intended for another email address.', 'invalid_recipient')
const alreadyMember = () =>
  invalid(null, 'You already are a member of this organization.', 'user_already_member')
const accountExists = () =>
  invalid(
    null,
    'There already exists an account with this email address. Please log in to accept the invite.',
    'account_exists',
  )

const ssoRequired = () =>
  invalid(
    null,
    'An organization requires single sign-on for this address: sign in that way, which makes your account, and then accept the invite.',
    'sso_enforced',
  )

/**
 * Returns a valid invite, whether its address has an account, and whether it can get one by single sign-on only.
 * @throws 400 for an expired invite, and for one that is unknown or whose inviter was deactivated
 */
export async function getValidInvite(db: Database, id: string, now: Date) {
  const [row] = await db
    .select({
      id: organizationInvites.id,
      organizationId: organizationInvites.organizationId,
      organizationName: organizations.name,
      targetEmail: organizationInvites.targetEmail,
      firstName: organizationInvites.firstName,
      level: organizationInvites.level,
      createdById: organizationInvites.createdById,
      createdAt: organizationInvites.createdAt,
      hasAccount: asBoolean(
        sql`EXISTS (SELECT 1 FROM users u WHERE u.email = ${organizationInvites.targetEmail})`,
      ).as('has_account'),
      requiresSso: requiresSso(
        sql`${organizationInvites.targetEmail}`,
        sql`${organizationInvites.organizationId}`,
      ).as('requires_sso'),
      requiresSsoElsewhere: requiresSsoElsewhere(
        sql`${organizationInvites.targetEmail}`,
        sql`${organizationInvites.organizationId}`,
      ).as('requires_sso_elsewhere'),
    })
    .from(organizationInvites)
    .innerJoin(organizations, eq(organizations.id, organizationInvites.organizationId))
    .where(and(eq(organizationInvites.id, id.toLowerCase()), isInviterActive))
  if (!row) throw unknown()
  if (row.createdAt <= inviteExpiryCutoff(now)) throw expired()
  // Owners may have a password where others have to use single sign-on.
  const mustUseSso = row.requiresSsoElsewhere || (row.requiresSso && row.level < OWNER)
  return { ...row, mustUseSso }
}

/** The statements that make a user a member. They use up every invite of the address to the organization. */
function joinStatements(
  { db, ids }: Pick<Deps, 'db' | 'ids'>,
  invite: ValidInvite,
  { uuid: userUuid, actor }: { uuid: string; actor: Actor | null },
  now: Date,
) {
  const user = sql<number>`(SELECT id FROM users WHERE uuid = ${userUuid})`
  return [
    // The invite may have been deleted or used since it was read.
    guard(db, isAcceptable(invite.id, now)),
    db.insert(memberships).values({
      userId: user,
      organizationId: invite.organizationId,
      level: invite.level,
      invitedById: invite.createdById,
      joinedAt: toStoredTimestamp(now),
    }),
    db
      .update(users)
      .set({ currentOrganizationId: invite.organizationId, currentProjectId: null })
      .where(eq(users.uuid, userUuid)),
    ...useInvites(db, invite.organizationId, invite.targetEmail, now),
    // The sessions of the caller end too, so that the next sign-in is at the provider.
    ...endPasswordSessions(db, sql`(${user})`, null),
    recordMember({ db, ids }, now, {
      organizationId: invite.organizationId,
      // A new user gets the id in this batch, so that the actor is SQL.
      actor: actor ?? user,
      member: { uuid: userUuid, email: invite.targetEmail },
      verb: 'created',
      change: { action: 'created', field: 'level', before: null, after: invite.level },
    }),
  ]
}

/**
 * Makes a signed-in user a member, and switches to the organization.
 * @throws 400 for an invite that is unknown, expired or for another address, and for a member
 */
export async function acceptInvite(deps: Deps, actor: SessionActor, inviteId: string): Promise<void> {
  const { db } = deps
  const { user } = actor
  const now = deps.clock.now()
  await retryOnConflict(async () => {
    const invite = await getValidInvite(db, inviteId, now)
    if (invite.targetEmail !== user.email) throw otherRecipient()
    try {
      await runBatch(db, joinStatements(deps, invite, { uuid: user.uuid, actor }, now))
    } catch (error) {
      throw isUniqueViolation(error) ? alreadyMember() : error
    }
  })
}

/**
 * Creates an account for the invited address.
 * @param client if given, the user is signed in
 * @returns the new user's uuid, and the token of the session
 * @throws 400 for an unknown or expired invite, an address with an account or that has to use single sign-on, and a weak password
 */
export async function signUpByInvite(
  deps: Deps,
  inviteId: string,
  account: { firstName: string; password: string },
  client: Client | null = null,
): Promise<{ uuid: string; token: string | null }> {
  const { db, ids, clock } = deps
  const now = clock.now()
  return retryOnConflict(async () => {
    const invite = await getValidInvite(db, inviteId, now)
    if (invite.hasAccount) throw accountExists()
    if (invite.mustUseSso) throw ssoRequired()
    const { checkStrength } = await import('../password/password-strength')
    checkStrength(account.password, [account.firstName, invite.targetEmail, invite.organizationName])
    const user = newUser(
      { db, ids, now },
      {
        email: invite.targetEmail,
        firstName: account.firstName,
        passwordHash: await hashPassword(account.password),
        // A caller who knows the id of the invite has not proven to own the address.
        isEmailVerified: null,
      },
    )
    const userId = sql<number>`(SELECT id FROM users WHERE uuid = ${user.uuid})`
    const session = client && newSession({ db, ids, now }, { userId, client })
    try {
      await runBatch(db, [
        // Single sign-on may have become required since the invite was read, because hashing takes time.
        ...[requiresSsoElsewhere, ...(invite.level < OWNER ? [requiresSso] : [])].map((requires) =>
          guard(db, sql`NOT ${requires(sql`${invite.targetEmail}`, sql`${invite.organizationId}`)}`),
        ),
        user.statement,
        ...joinStatements(deps, invite, { uuid: user.uuid, actor: null }, now),
        ...(session ? [session.statement, recordLogin(db, userId, now)] : []),
      ])
    } catch (error) {
      throw isUniqueViolation(error) ? accountExists() : error
    }
    return { uuid: user.uuid, token: session?.token ?? null }
  })
}
