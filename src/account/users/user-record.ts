// The full record of a user, read in one batch (docs/reference/accounts.md#user-record).
import type * as z from 'zod'
import { and, desc, eq, sql } from 'drizzle-orm'
import { organizationInvites, organizations, projects, scenePersonalisations, users } from '../../../drizzle'
import { type Actor, isRestrictedKey, MEMBER, userOf } from '../../auth/actor'
import { currentOrganizationSql, currentProjectSql } from '../../auth/current-tenant'
import { recentAuthExpiresAt } from '../../auth/reauthentication'
import { notFound } from '../../errors'
import { asBoolean, columnsIn } from '../../storage/columns'
import type { Database } from '../../storage/database'
import { toApiTimestamp, toApiTimestampOrNull } from '../../timestamps'
import { isDelegationInviteValid, isInviteValid } from '../invites/invite-validity'
import { hasIdentity, requiresSso } from '../single-sign-on/enforcement'
import { notificationSettingsFrom, REALTIME_NOTIFICATIONS } from './notification-settings'
import { effectiveOnboarding } from '../onboarding/onboarding-state'
import {
  organizationRecordFrom,
  organizationSummaryFrom,
  selectOrganizations,
} from '../organizations/organization-record'
import { canReadInviteIdOf, maskedInviteId } from '../invites/invite-id'
import { isInReach, isProjectInReach, reachesProject } from '../organizations/reach'
import { selectTeams, teamRecordFrom } from '../organizations/team-record'
import { PendingInvite, UserRecord } from './user-schema'

type Shown = z.output<typeof UserRecord>

const MAX_PENDING_INVITES = 25

/** Fields of the caller's session. They are null for API keys. */
function sessionFactsOf(actor: Actor) {
  const impersonation = actor.kind === 'session' ? actor.impersonation : null
  return {
    is_impersonated: impersonation !== null,
    is_impersonated_until: impersonation && toApiTimestamp(impersonation.until),
    is_impersonated_read_only: impersonation && impersonation.readOnly,
    is_impersonated_reason: impersonation && impersonation.reason,
    sensitive_session_expires_at:
      actor.kind === 'session' ? toApiTimestamp(recentAuthExpiresAt(actor)) : null,
  }
}

/** The statements whose rows `userRecordFrom` takes. They can follow the writes of a batch. */
export const selectUserRecord = (db: Database, actor: Actor, userId: number, now: Date) =>
  [
    selectUser(db, userId, now),
    selectOrganizations(db, userId, isInReach(actor)),
    selectTeams(
      db,
      and(sql`${projects.organizationId} = ${currentOrganizationSql(userId)}`, isProjectInReach(actor)),
    ),
    selectPendingInvites(db, userId, now),
    db
      .select({ scene: scenePersonalisations.scene, dashboard: scenePersonalisations.dashboardId })
      .from(scenePersonalisations)
      .where(
        and(
          eq(scenePersonalisations.userId, userId),
          reachesProject(actor, userId, sql`scene_personalisations.project_id`),
        ),
      )
      .orderBy(scenePersonalisations.id),
  ] as const

const selectUser = (db: Database, userId: number, now: Date) =>
  db
    .select({
      fields: columnsIn(users, UserRecord.shape),
      hasPassword: asBoolean(sql`${users.passwordHash} IS NOT NULL`).as('has_password'),
      credentialsReviewedAt: users.credentialsReviewedAt,
      organizationId: currentOrganizationSql(userId).as('the_organization_id'),
      projectId: currentProjectSql(userId).as('the_project_id'),
      inviteIsLive: isDelegationInviteValid(now).as('invite_is_live'),
      inviteLevel: sql<number | null>`(SELECT i.level FROM organization_invites i
        WHERE i.id = users.onboarding_delegated_to_invite)`.as('invite_level'),
      hasKeys: asBoolean(sql`EXISTS (SELECT 1 FROM personal_api_keys k WHERE k.user_id = users.id)`).as(
        'has_keys',
      ),
      hasTotp: asBoolean(sql`EXISTS (SELECT 1 FROM totp_devices t WHERE t.user_id = users.id)`).as(
        'has_totp',
      ),
      hasIdentity: hasIdentity(sql`users.id`).as('has_identity'),
      hasSsoEnforcement: requiresSso(sql`users.email`, currentOrganizationSql(userId)).as(
        'has_sso_enforcement',
      ),
    })
    .from(users)
    .where(eq(users.id, userId))

const selectPendingInvites = (db: Database, userId: number, now: Date) =>
  db
    .select({
      ...columnsIn(organizationInvites, PendingInvite.shape),
      organization_name: organizations.name,
      level: organizationInvites.level,
    })
    .from(organizationInvites)
    .innerJoin(organizations, eq(organizations.id, organizationInvites.organizationId))
    .where(
      and(
        eq(organizationInvites.targetEmail, sql`(SELECT lower(email) FROM users WHERE id = ${userId})`),
        isInviteValid(now),
        sql`NOT EXISTS (SELECT 1 FROM organization_memberships m
          WHERE m.user_id = ${userId} AND m.organization_id = ${organizationInvites.organizationId})`,
      ),
    )
    .orderBy(desc(organizationInvites.createdAt), desc(organizationInvites.id))
    .limit(MAX_PENDING_INVITES)

type Statements = ReturnType<typeof selectUserRecord>
type Rows = { readonly [Index in keyof Statements]: Awaited<Statements[Index]> }

/** @throws 404 for an unknown user. */
export const getUserRecord = async (db: Database, actor: Actor, userId: number, now: Date): Promise<Shown> =>
  userRecordFrom(await db.batch(selectUserRecord(db, actor, userId, now)), actor)

/**
 * Returns the record. Only the user sees their invites and private fields. A key sees nothing of organizations and projects out of its reach.
 * @param rows results of `selectUserRecord`, in order
 * @throws 404 for an unknown user
 */
export function userRecordFrom(rows: readonly unknown[], actor: Actor): Shown {
  const [found, memberships, teams, invites, scenes] = rows as unknown as Rows
  if (!found[0]) throw notFound()
  const [{ fields: user, ...facts }] = found
  const isSelf = userOf(actor)?.id === user.id
  const session = sessionFactsOf(actor)
  const inviteId = (id: string, level: number) =>
    canReadInviteIdOf(actor, user.id, level) ? id : maskedInviteId(id)
  const organization = memberships.find(({ summary }) => summary.id === facts.organizationId)
  const team = organization && teams.find(({ id }) => id === facts.projectId)
  const ifInReach = (id: string | null) =>
    actor.kind !== 'apiKey' || memberships.some(({ summary }) => summary.id === id) ? id : null
  const onboarding = effectiveOnboarding(user, facts.inviteIsLive)
  const delegatedTo = onboarding.onboarding_delegated_to_invite
  const delegatedIn = ifInReach(onboarding.onboarding_delegated_to_organization_id)
  return {
    ...user,
    ...onboarding,
    date_joined: toApiTimestamp(user.date_joined),
    notification_settings: notificationSettingsFrom(user.notification_settings),
    has_password: facts.hasPassword,
    ...session,
    team: team ? teamRecordFrom(team) : null,
    organization: organization ? organizationRecordFrom(organization, teams) : null,
    organizations: memberships.map(organizationSummaryFrom),
    set_current_organization: organization?.summary.id ?? null,
    set_current_team: team ? String(team.id) : null,
    is_2fa_enabled: facts.hasTotp,
    has_social_auth: facts.hasIdentity,
    has_sso_enforcement: organization !== undefined && facts.hasSsoEnforcement,
    scene_personalisation: scenes,
    shortcut_position: user.shortcut_position ?? 'above',
    onboarding_skipped_at: toApiTimestampOrNull(onboarding.onboarding_skipped_at),
    onboarding_skipped_organization_id: ifInReach(onboarding.onboarding_skipped_organization_id),
    // Without a row, the invite was accepted or deleted, so that its id is not a secret.
    onboarding_delegated_to_invite:
      delegatedTo &&
      (delegatedIn ? inviteId(delegatedTo, facts.inviteLevel ?? MEMBER) : maskedInviteId(delegatedTo)),
    onboarding_delegated_to_organization_id: delegatedIn,
    onboarding_delegation_accepted_at: toApiTimestampOrNull(onboarding.onboarding_delegation_accepted_at),
    is_organization_first_user: isSelf && organization ? organization.invitedById === null : null,
    active_realtime_notification_types: [...REALTIME_NOTIFICATIONS],
    // The id of an invite is a secret. A user who changes their address must not see invites for the new one.
    pending_invites:
      isSelf && user.is_email_verified && !isRestrictedKey(actor)
        ? invites.map(({ level, ...invite }) => ({
            ...invite,
            id: inviteId(invite.id, level),
            created_at: toApiTimestamp(invite.created_at),
          }))
        : [],
    requires_credential_review:
      facts.credentialsReviewedAt === null && !session.is_impersonated && facts.hasKeys,
  }
}
