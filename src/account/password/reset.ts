// Links that set a new password. An admin creates one for a member, and the operator for any user.
import { and, eq, gt, or, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { loginChallenges, memberships, passwordResets, users } from '../../../drizzle'
import { ADMIN, type Organization, type SessionActor } from '../../auth/actor'
import { endOtherSessions, hashToken, newToken } from '../../auth/sessions'
import type { Ids } from '../../clock'
import type { Deps } from '../../deps'
import { invalid, notFound, permissionDenied } from '../../errors'
import { dateTime } from '../../http/fields'
import { asBoolean } from '../../storage/columns'
import type { Database } from '../../storage/database'
import { runIf } from '../../storage/run-batch'
import { toApiTimestamp, toStoredTimestamp } from '../../timestamps'
import { recordMember } from '../organizations/record-member'
import { hasIdentityOfDomain, mustUseSso } from '../single-sign-on/enforcement'
import { hashPassword } from './hash'
import { hasOtherCredentials, removeOtherCredentials } from './other-credentials'

const LIFE_MS = 3_600_000

export const RESET_PATH = '/reset'

export const ResetLink = z.object({ url: z.string(), expires_at: dateTime() })

/** Creates a link. `token` is not stored. The new link replaces an earlier one of the user. */
export function newPasswordReset(
  { db, ids, now }: { db: Database; ids: Pick<Ids, 'secret'>; now: Date },
  userId: number,
  createdById: number | null,
) {
  const token = newToken(ids)
  const expiresAt = toStoredTimestamp(new Date(now.getTime() + LIFE_MS))
  return {
    token,
    expiresAt,
    statements: [
      db.delete(passwordResets).where(eq(passwordResets.userId, userId)),
      db.insert(passwordResets).values({ tokenHash: hashToken(token), userId, createdById, expiresAt }),
    ] as const,
  }
}

/**
 * SQL condition: a user may set the password of another. The other is not staff, and in each organization of the other the user is an
 * admin of at least the same level.
 */
const canReset = (callerId: number | SQL, userId: number | SQL): SQL =>
  sql`(EXISTS (SELECT 1 FROM users u WHERE u.id = ${userId} AND u.is_active AND NOT u.is_staff)
    AND EXISTS (SELECT 1 FROM organization_memberships t WHERE t.user_id = ${userId})
    AND NOT EXISTS (SELECT 1 FROM organization_memberships t WHERE t.user_id = ${userId}
      AND NOT EXISTS (SELECT 1 FROM organization_memberships c JOIN users cu ON cu.id = c.user_id AND cu.is_active
        WHERE c.organization_id = t.organization_id AND c.user_id = ${callerId} AND c.level >= max(${ADMIN}, t.level))))`

/**
 * Creates a link for a member.
 * @param origin of this service
 * @throws 404 unless the user is an active member; 400 for the caller, and for a member who has to use single sign-on and does; 403 for a
 * caller below admin or the member's level, here or in another organization of the member, and for staff
 */
export async function createResetLink(
  deps: Deps,
  actor: SessionActor,
  organization: Organization,
  userUuid: string,
  origin: string,
): Promise<z.output<typeof ResetLink>> {
  const { db, clock } = deps
  const callerId = actor.user.id
  const [member] = await db
    .select({
      id: users.id,
      email: users.email,
      isStaff: users.isStaff,
      level: memberships.level,
      hasNoUse: asBoolean(sql`(${mustUseSso(sql`users.id`)} AND ${hasIdentityOfDomain(sql`users.id`)})`).as(
        'has_no_use',
      ),
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.organizationId, organization.id),
        eq(users.uuid, userUuid),
        eq(users.isActive, true),
      ),
    )
  if (!member) throw notFound()
  if (organization.membershipLevel < ADMIN) {
    throw permissionDenied('You can only edit others if you are an admin.')
  }
  if (member.id === callerId) throw invalid(null, 'Change your own password in your settings.')
  if (member.level > organization.membershipLevel) {
    throw permissionDenied('You can only edit others with level lower or equal to you.')
  }
  if (member.isStaff)
    throw permissionDenied('Only the operator of this service can reset the password of staff.')
  if (member.hasNoUse) throw passwordUseless()

  const now = clock.now()
  const { token, expiresAt, statements } = newPasswordReset({ db, ids: deps.ids, now }, member.id, callerId)
  await runIf(
    db,
    canReset(callerId, member.id),
    [
      ...statements,
      recordMember(deps, now, {
        organizationId: organization.id,
        actor,
        member: { uuid: userUuid, email: member.email },
        change: {
          action: 'created',
          field: 'password_reset',
          before: null,
          after: toApiTimestamp(expiresAt),
        },
      }),
    ],
    elsewhere,
  )
  return { url: `${origin}${RESET_PATH}/${token}`, expires_at: toApiTimestamp(expiresAt) }
}

export const passwordUseless = () =>
  invalid(null, 'This member has to use single sign-on, and needs no password.', 'sso_enforced')

export const elsewhere = () =>
  permissionDenied('You have to be an admin, of at least the same level, in every organization of this user.')

const invalidToken = () =>
  invalid('token', 'This link is invalid, was used, or has expired. Ask for a new one.', 'invalid_token')

const isValid = (token: string, now: Date) =>
  and(
    eq(passwordResets.tokenHash, hashToken(token)),
    gt(passwordResets.expiresAt, toStoredTimestamp(now)),
    or(
      sql`${passwordResets.createdById} IS NULL`,
      canReset(sql`${passwordResets.createdById}`, sql`${passwordResets.userId}`),
    ),
  )!

/** Returns the user of a link. @throws 400 `invalid_token`, also when the user who created it no longer may */
export async function getResetUser({ db, clock }: Pick<Deps, 'db' | 'clock'>, token: string) {
  const [user] = await db
    .select({ id: users.id, email: users.email, firstName: users.firstName, lastName: users.lastName })
    .from(passwordResets)
    .innerJoin(users, and(eq(users.id, passwordResets.userId), eq(users.isActive, true)))
    .where(isValid(token, clock.now()))
  if (!user) throw invalidToken()
  return user
}

/** What a new password does with the other credentials of the user. */
export type OtherCredentialsChoice = 'keep' | 'remove'

/**
 * Sets the password, and ends all sessions and pending sign-ins of the user.
 * @param choice null for a user without other credentials
 * @throws 400 `invalid_token`, for a weak password, and without a choice where there are other credentials
 */
export async function resetPassword(
  deps: Deps,
  token: string,
  { password, choice }: { password: string; choice: OtherCredentialsChoice | null },
): Promise<void> {
  const { db, clock, keyCache } = deps
  const user = await getResetUser(deps, token)
  const { checkStrength } = await import('./password-strength')
  checkStrength(password, [user.email, user.firstName, user.lastName])
  const isChosen = choice === null ? sql`NOT ${hasOtherCredentials(user.id)}` : sql`TRUE`
  const link = sql`EXISTS (SELECT 1 FROM ${passwordResets} WHERE ${isValid(token, clock.now())})`
  const passwordHash = await hashPassword(password)
  await keyCache.forgetAfter({ userId: user.id }, () =>
    runIf(
      db,
      sql`${link} AND ${isChosen}`,
      [
        db.update(users).set({ passwordHash }).where(eq(users.id, user.id)),
        db.delete(passwordResets).where(eq(passwordResets.userId, user.id)),
        endOtherSessions(db, user.id, null),
        db.delete(loginChallenges).where(eq(loginChallenges.userId, user.id)),
        ...(choice === 'remove' ? removeOtherCredentials(db, user.id) : []),
      ],
      async () => {
        await getResetUser(deps, token)
        return invalid(
          'other_credentials',
          'Choose whether to keep or to remove what else acts for this account.',
        )
      },
    ),
  )
}
