// Changes the level of members and removes them. A guard in the batch repeats the conditions of the rules: when two requests remove the
// last two owners at the same time, the second one rolls back, and its retry finds the last owner.
import * as z from 'zod'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { memberships, scenePersonalisations, users } from '../../../drizzle'
import { type Actor, ADMIN, LEVELS, type Organization, OWNER, userOf } from '../../auth/actor'
import type { Deps } from '../../deps'
import { notFound, permissionDenied } from '../../errors'
import { integerOf } from '../../http/fields'
import { asBoolean } from '../../storage/columns'
import { type Database, guard } from '../../storage/database'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import { revokeInvitesOf } from '../invites/delete'
import { endPasswordSessions } from '../single-sign-on/enforcement'
import { checkMemberChange, endsOwnership, type MemberChange } from './member-rules'
import { type MemberRecord, memberRecordFrom, selectMember } from './member-record'
import { recordMember } from './record-member'
import { hasActiveOwnerBesides, hasLevel, isAtLeast } from './membership-guards'

export const UpdateMemberBody = z.object({ level: integerOf(LEVELS) })

/**
 * Changes the level of a member. It deletes invites of the member above the new level, because their ids would give the level back.
 * @throws 404 unless the user is an active member; 403 and 400 as `checkMemberChange` does
 */
export async function updateMember(
  deps: Deps,
  actor: Actor,
  organization: Organization,
  userUuid: string,
  level: number,
): Promise<MemberRecord> {
  const { db } = deps
  const change: MemberChange = { kind: 'level', level }
  return withMember(deps, actor, organization, userUuid, change, async (member, now) => {
    const isChange = level !== member.level
    const statements = isChange
      ? [
          db
            .update(memberships)
            .set({ level, updatedAt: toStoredTimestamp(now) })
            .where(isMembership(organization.id, member.userId)),
          ...revokeInvitesOf(db, organization.id, member.userId, { above: level }),
          // Owners are exempt from a required single sign-on.
          ...(member.level === OWNER ? endPasswordSessions(db, sql`(${member.userId})`, null) : []),
          recordMember(deps, now, {
            organizationId: organization.id,
            actor,
            member: { uuid: userUuid, email: member.email },
            change: { action: 'changed', field: 'level', before: member.level, after: level },
          }),
        ]
      : []
    const results = await runBatch(db, [
      guardOf(db, actor, organization.id, member, change),
      ...statements,
      selectMember(db, organization.id, member.userId),
    ])
    const [row] = results.at(-1) as Awaited<ReturnType<typeof selectMember>>
    return memberRecordFrom(row!)
  })
}

/**
 * Removes a member, with their invites and their choices in the organization.
 * @throws 404 unless the user is an active member; 403 and 400 as `checkMemberChange` does
 */
export async function removeMember(
  deps: Deps,
  actor: Actor,
  organization: Organization,
  userUuid: string,
): Promise<void> {
  const { db } = deps
  const change: MemberChange = { kind: 'removal' }
  await withMember(deps, actor, organization, userUuid, change, async (member, now) => {
    await runBatch(db, [
      guardOf(db, actor, organization.id, member, change),
      db.delete(memberships).where(isMembership(organization.id, member.userId)),
      ...revokeInvitesOf(db, organization.id, member.userId, {}),
      ...leaveStatements(db, organization.id, member.userId),
      recordMember(deps, now, {
        organizationId: organization.id,
        actor,
        member: { uuid: userUuid, email: member.email },
        verb: 'deleted',
      }),
    ])
  })
}

type Member = NonNullable<Awaited<ReturnType<typeof findMember>>>

/** Reads the facts, checks the rules and writes. It retries on conflict. */
async function withMember<T>(
  { db, clock, keyCache }: Deps,
  actor: Actor,
  organization: Organization,
  userUuid: string,
  change: MemberChange,
  write: (member: Member, now: Date) => Promise<T>,
): Promise<T> {
  return retryOnConflict(async () => {
    const now = clock.now()
    const callerId = userOf(actor)!.id
    const member = await findMember(db, organization.id, userUuid, callerId)
    if (!member) throw notFound()
    if (member.callerLevel === null) throw permissionDenied("You don't have access to the organization.")
    const facts = {
      callerLevel: member.callerLevel,
      isSelf: member.userId === callerId,
      level: member.level,
      hasOtherOwner: member.hasOtherOwner,
    }
    checkMemberChange(actor, facts, change, now)
    return keyCache.forgetAfter({ userId: member.userId }, () => write(member, now))
  })
}

async function findMember(db: Database, organizationId: string, userUuid: string, callerId: number) {
  const [row] = await db
    .select({
      userId: users.id,
      email: users.email,
      level: memberships.level,
      callerLevel: sql<number | null>`(SELECT c.level FROM organization_memberships c
        WHERE c.organization_id = ${organizationId} AND c.user_id = ${callerId})`.as('caller_level'),
      hasOtherOwner: asBoolean(hasActiveOwnerBesides(organizationId, sql`${users.id}`)).as('has_other_owner'),
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(eq(memberships.organizationId, organizationId), eq(users.uuid, userUuid), eq(users.isActive, true)),
    )
  return row
}

const isMembership = (organizationId: string, userId: number) =>
  and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId))

function guardOf(db: Database, actor: Actor, organizationId: string, member: Member, change: MemberChange) {
  const { userId, level } = member
  const callerId = userOf(actor)!.id
  const needed = Math.max(ADMIN, level, change.kind === 'level' ? change.level : 0)
  const isLeaving = callerId === userId && change.kind === 'removal'
  const conditions = [
    hasLevel(organizationId, userId, level),
    ...(isLeaving ? [] : [isAtLeast(organizationId, callerId, needed)]),
    ...(level === OWNER && endsOwnership(change)
      ? [hasActiveOwnerBesides(organizationId, sql`${userId}`)]
      : []),
  ]
  return guard(db, sql.join(conditions, sql` AND `))
}

const leaveStatements = (db: Database, organizationId: string, userId: number) => {
  const isItsProject = (id: SQL) =>
    sql`EXISTS (SELECT 1 FROM projects p WHERE p.id = ${id} AND p.organization_id = ${organizationId})`
  return [
    db
      .update(users)
      .set({
        currentOrganizationId: sql`nullif(current_organization_id, ${organizationId})`,
        currentProjectId: sql`iif(${isItsProject(sql`users.current_project_id`)}, NULL, current_project_id)`,
      })
      .where(eq(users.id, userId)),
    db
      .delete(scenePersonalisations)
      .where(
        and(eq(scenePersonalisations.userId, userId), isItsProject(sql`scene_personalisations.project_id`)),
      ),
  ]
}
