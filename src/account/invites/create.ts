import * as z from 'zod'
import { eq, sql } from 'drizzle-orm'
import { organizationInvites, organizations } from '../../../drizzle'
import { type Actor, ADMIN, LEVELS, MEMBER, type Organization, userOf } from '../../auth/actor'
import { requireRecentSession } from '../../auth/reauthentication'
import type { Deps } from '../../deps'
import { invalid, permissionDenied } from '../../errors'
import { integerOf, text } from '../../http/fields'
import { type Database, guard } from '../../storage/database'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { recordInvite } from '../organizations/record-member'
import { toStoredTimestamp } from '../../timestamps'
import { email, personName } from '../identity-fields'
import { type InviteRecord, inviteRecordFrom, selectInvites } from './invite-record'
import { inviteExpiryCutoff } from './invite-validity'
import { canInvite } from '../organizations/membership-guards'

export const CreateInviteBody = z.object({
  target_email: email(),
  first_name: personName({ max: 30, blank: true }).optional().meta({ default: '' }),
  level: integerOf(LEVELS).optional().meta({ default: MEMBER }),
  message: text({ blank: true, max: 1000 }).nullable().optional(),
})

/** The most invites of an organization that can be accepted. */
export const MAX_INVITES = 1_000

type NewInvite = Pick<typeof organizationInvites.$inferSelect, 'organizationId' | 'targetEmail' | 'level'> &
  Pick<typeof organizationInvites.$inferInsert, 'firstName' | 'message' | 'isSetupDelegation'>

export function newInvite(deps: Deps, actor: Actor, invite: NewInvite, now: Date) {
  const { db, ids } = deps
  const at = toStoredTimestamp(now)
  const id = ids.opaqueUuid()
  return {
    id,
    statements: [
      db
        .insert(organizationInvites)
        .values({ id, ...invite, createdById: userOf(actor)!.id, createdAt: at, updatedAt: at }),
      recordInvite(deps, now, actor, invite, 'created'),
    ] as const,
  }
}

/** SQL: the invites of an organization that have not expired. */
const liveInvites = (organizationId: string, now: Date) =>
  sql<number>`(SELECT count(*) FROM organization_invites i
    WHERE i.organization_id = ${organizationId} AND i.created_at > ${inviteExpiryCutoff(now)})`

/** Makes the statement that fails a batch unless the user may create an invite of the level now, and there is room for it. */
export const guardInvite = (db: Database, organizationId: string, userId: number, level: number, now: Date) =>
  guard(
    db,
    sql`${canInvite(organizationId, userId, level)} AND ${liveInvites(organizationId, now)} < ${MAX_INVITES}`,
  )

export const selectInvitePolicy = (
  db: Database,
  organizationId: string,
  userId: number,
  targetEmail: string,
  now: Date,
) =>
  db
    .select({
      membersCanInvite: organizations.membersCanInvite,
      level: sql<number | null>`(SELECT m.level FROM organization_memberships m
        WHERE m.organization_id = ${organizationId} AND m.user_id = ${userId})`.as('level_of_inviter'),
      isMember:
        sql<number>`EXISTS (SELECT 1 FROM users u CROSS JOIN organization_memberships m ON m.user_id = u.id
        WHERE m.organization_id = ${organizationId} AND u.email = ${targetEmail})`.as('is_member'),
      invites: liveInvites(organizationId, now).as('invites'),
    })
    .from(organizations)
    .where(eq(organizations.id, organizationId))

export type InvitePolicy = Awaited<ReturnType<typeof selectInvitePolicy>>[number]

/** @throws 403 if only admins can invite, or above the caller's level; 400 for an existing member, and beyond MAX_INVITES */
export function checkInvite(policy: InvitePolicy | undefined, level: number): void {
  if (!policy || policy.level === null) throw permissionDenied("You don't have access to the organization.")
  if (policy.level < (policy.membersCanInvite ? MEMBER : ADMIN)) {
    throw permissionDenied('Only admins can invite people to this organization.')
  }
  if (level > policy.level) {
    throw permissionDenied('You cannot invite to a higher permission level than your own.')
  }
  if (policy.isMember) {
    throw invalid('target_email', 'A user with this email address already belongs to the organization.')
  }
  if (policy.invites >= MAX_INVITES) {
    throw invalid(
      null,
      `An organization has at most ${MAX_INVITES} pending invites. Delete one to create another.`,
    )
  }
}

/**
 * Requires a recent sign-in for an invite above member level, so that a leaked key or an unattended browser cannot create an admin.
 * @throws 403 for such an invite from a key, or from a session that signed in too long ago
 */
export function requireRecentSessionToInvite(level: number, actor: Actor, now: Date): void {
  if (level < ADMIN) return
  requireRecentSession(
    actor,
    now,
    'Inviting admins and owners needs a recent sign-in. Personal API keys can invite members and viewers only.',
  )
}

/** @throws as `checkInvite` and `requireRecentSessionToInvite` do. */
export async function createInvite(
  deps: Deps,
  actor: Actor,
  organization: Organization,
  body: z.output<typeof CreateInviteBody>,
): Promise<InviteRecord> {
  const { db } = deps
  const now = deps.clock.now()
  const level = body.level ?? MEMBER
  const user = userOf(actor)!
  return retryOnConflict(async () => {
    const [policy] = await selectInvitePolicy(db, organization.id, user.id, body.target_email, now)
    checkInvite(policy, level)
    requireRecentSessionToInvite(level, actor, now)
    const invite = newInvite(
      deps,
      actor,
      {
        organizationId: organization.id,
        targetEmail: body.target_email,
        firstName: body.first_name,
        level,
        message: body.message ?? null,
      },
      now,
    )
    const [, , , [row]] = await db.batch([
      guardInvite(db, organization.id, user.id, level, now),
      ...invite.statements,
      selectInvites(db, eq(organizationInvites.id, invite.id)),
    ])
    return inviteRecordFrom(row!, now)
  })
}
