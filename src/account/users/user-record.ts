// The full record of a user, read in one batch (spec "User record", reference/account-api.md §8).
import type * as z from 'zod'
import { and, desc, eq, gt, sql } from 'drizzle-orm'
import { organizationInvites, organizations, scenePersonalisations, users } from '../../../drizzle'
import { type Actor, MEMBER, userOf } from '../../auth/actor'
import { currentOrganizationSql, currentProjectSql } from '../../auth/current-tenant'
import { recentAuthExpiresAt } from '../../auth/reauthentication'
import { notFound } from '../../errors'
import type { Database } from '../../storage/database'
import { shown, shownOrNull } from '../../timestamps'
import { inviteExpiryCutoff, isDelegationInviteValid } from '../invites/invite-expiry'
import { notificationSettingsFrom, REALTIME_NOTIFICATIONS } from './notification-settings'
import { effectiveOnboarding, type Onboarding } from '../onboarding/onboarding-state'
import { ONBOARDING_COLUMNS } from '../onboarding/onboarding-store'
import {
  organizationRecordFrom,
  organizationSummaryFrom,
  selectOrganizations,
} from '../organizations/organization-record'
import { canReadInviteIdOf, maskedInviteId } from '../invites/invite-id'
import { selectTeamsOf, teamRecordFrom } from '../organizations/team-record'
import type { UserRecord } from './user-schema'

type Shown = z.output<typeof UserRecord>

const MAX_PENDING_INVITES = 25

/** Fields of the caller's session; null for API keys. */
function sessionFactsOf(actor: Actor) {
  const impersonation = actor.kind === 'session' ? actor.impersonation : null
  return {
    is_impersonated: impersonation !== null,
    is_impersonated_until: impersonation && shown(impersonation.until),
    is_impersonated_read_only: impersonation && impersonation.readOnly,
    is_impersonated_reason: impersonation && impersonation.reason,
    sensitive_session_expires_at: actor.kind === 'session' ? shown(recentAuthExpiresAt(actor)) : null,
  }
}

/** Statements for `userRecordFrom`; they can follow the writes of a batch. */
export const selectUserRecord = (db: Database, userId: number, now: Date) =>
  [
    selectUser(db, userId, now),
    selectOrganizations(db, userId),
    selectTeamsOf(db, currentOrganizationSql(userId)),
    selectPendingInvites(db, userId, now),
    db
      .select({ scene: scenePersonalisations.scene, dashboard: scenePersonalisations.dashboardId })
      .from(scenePersonalisations)
      .where(eq(scenePersonalisations.userId, userId))
      .orderBy(scenePersonalisations.id),
  ] as const

const selectUser = (db: Database, userId: number, now: Date) =>
  db
    .select({
      id: users.id,
      uuid: users.uuid,
      distinctId: users.distinctId,
      email: users.email,
      pendingEmail: users.pendingEmail,
      firstName: users.firstName,
      lastName: users.lastName,
      hasPassword: sql<number>`${users.passwordHash} IS NOT NULL`.as('has_password'),
      isEmailVerified: users.isEmailVerified,
      isStaff: users.isStaff,
      roleAtOrganization: users.roleAtOrganization,
      hedgehogConfig: users.hedgehogConfig,
      notificationSettings: users.notificationSettings,
      anonymizeData: users.anonymizeData,
      allowImpersonation: users.allowImpersonation,
      toolbarMode: users.toolbarMode,
      eventsColumnConfig: users.eventsColumnConfig,
      hasSeenProductIntroFor: users.hasSeenProductIntroFor,
      themeMode: users.themeMode,
      allowSidebarSuggestions: users.allowSidebarSuggestions,
      shortcutPosition: users.shortcutPosition,
      passkeysEnabledFor2fa: users.passkeysEnabledFor2fa,
      hideMcpHints: users.hideMcpHints,
      credentialsReviewedAt: users.credentialsReviewedAt,
      ...ONBOARDING_COLUMNS,
      dateJoined: users.dateJoined,
      organizationId: currentOrganizationSql(userId).as('the_organization_id'),
      projectId: currentProjectSql(userId).as('the_project_id'),
      inviteIsLive: isDelegationInviteValid(now).as('invite_is_live'),
      inviteLevel: sql<number | null>`(SELECT i.level FROM organization_invites i
        WHERE i.id = users.onboarding_delegated_to_invite)`.as('invite_level'),
      hasKeys: sql<number>`EXISTS (SELECT 1 FROM personal_api_keys k WHERE k.user_id = users.id)`.as(
        'has_keys',
      ),
      hasTotp: sql<number>`EXISTS (SELECT 1 FROM totp_devices t WHERE t.user_id = users.id)`.as('has_totp'),
    })
    .from(users)
    .where(eq(users.id, userId))

const selectPendingInvites = (db: Database, userId: number, now: Date) =>
  db
    .select({
      id: organizationInvites.id,
      targetEmail: organizationInvites.targetEmail,
      organizationId: organizationInvites.organizationId,
      organizationName: organizations.name,
      level: organizationInvites.level,
      createdAt: organizationInvites.createdAt,
    })
    .from(organizationInvites)
    .innerJoin(organizations, eq(organizations.id, organizationInvites.organizationId))
    .where(
      and(
        eq(organizationInvites.targetEmail, sql`(SELECT lower(email) FROM users WHERE id = ${userId})`),
        gt(organizationInvites.createdAt, inviteExpiryCutoff(now)),
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
  userRecordFrom(await db.batch(selectUserRecord(db, userId, now)), actor)

/**
 * Invites and private fields are for the user only.
 * @param rows results of `selectUserRecord`, in order.
 * @throws 404 for an unknown user.
 */
export function userRecordFrom(rows: readonly unknown[], actor: Actor): Shown {
  const [found, memberships, teams, invites, scenes] = rows as unknown as Rows
  const user = found[0]
  if (!user) throw notFound()
  const isSelf = userOf(actor)?.id === user.id
  const session = sessionFactsOf(actor)
  const inviteId = (id: string, level: number) =>
    canReadInviteIdOf(actor, user.id, level) ? id : maskedInviteId(id)
  const organization = memberships.find(({ id }) => id === user.organizationId)
  const team = teams.find(({ id }) => id === user.projectId)
  return {
    date_joined: shown(user.dateJoined),
    uuid: user.uuid,
    distinct_id: user.distinctId,
    first_name: user.firstName,
    last_name: user.lastName,
    email: user.email,
    pending_email: user.pendingEmail,
    is_email_verified: user.isEmailVerified,
    notification_settings: notificationSettingsFrom(user.notificationSettings),
    anonymize_data: user.anonymizeData,
    allow_impersonation: user.allowImpersonation,
    toolbar_mode: user.toolbarMode,
    has_password: Boolean(user.hasPassword),
    id: user.id,
    is_staff: user.isStaff,
    ...session,
    team: team ? teamRecordFrom(team) : null,
    organization: organization ? organizationRecordFrom(organization, teams) : null,
    organizations: memberships.map(organizationSummaryFrom),
    events_column_config: user.eventsColumnConfig,
    is_2fa_enabled: Boolean(user.hasTotp),
    has_social_auth: false,
    has_sso_enforcement: false,
    has_seen_product_intro_for: user.hasSeenProductIntroFor,
    scene_personalisation: scenes,
    theme_mode: user.themeMode,
    hedgehog_config: user.hedgehogConfig,
    allow_sidebar_suggestions: user.allowSidebarSuggestions,
    shortcut_position: user.shortcutPosition ?? 'above',
    role_at_organization: user.roleAtOrganization,
    passkeys_enabled_for_2fa: user.passkeysEnabledFor2fa,
    hide_mcp_hints: user.hideMcpHints,
    ...onboardingFrom(effectiveOnboarding(user, Boolean(user.inviteIsLive)), (id) =>
      // Without a row the invite was accepted or deleted, so its id is not a secret.
      inviteId(id, user.inviteLevel ?? MEMBER),
    ),
    is_organization_first_user: isSelf && organization ? organization.invitedById === null : null,
    active_realtime_notification_types: [...REALTIME_NOTIFICATIONS],
    // The id of an invite is a secret: changing one's address must not reveal invites for it.
    pending_invites:
      isSelf && user.isEmailVerified
        ? invites.map((invite) => pendingInviteFrom(invite, inviteId(invite.id, invite.level)))
        : [],
    requires_credential_review:
      user.credentialsReviewedAt === null && !session.is_impersonated && Boolean(user.hasKeys),
  }
}

const onboardingFrom = (state: Onboarding, inviteId: (id: string) => string) => ({
  onboarding_skipped_at: shownOrNull(state.onboardingSkippedAt),
  onboarding_skipped_reason: state.onboardingSkippedReason,
  onboarding_skipped_organization_id: state.onboardingSkippedOrganizationId,
  onboarding_delegated_to_invite:
    state.onboardingDelegatedToInvite && inviteId(state.onboardingDelegatedToInvite),
  onboarding_delegated_to_organization_id: state.onboardingDelegatedToOrganizationId,
  onboarding_delegation_accepted_at: shownOrNull(state.onboardingDelegationAcceptedAt),
})

const pendingInviteFrom = (invite: Rows[3][number], id: string) => ({
  id,
  target_email: invite.targetEmail,
  organization_id: invite.organizationId,
  organization_name: invite.organizationName,
  created_at: shown(invite.createdAt),
})

export interface Profile {
  firstName: string
  lastName: string
  email: string
  hasPassword: boolean
}

/** @param userId of an existing user. */
export async function getProfile(db: Database, userId: number): Promise<Profile> {
  const [row] = await db
    .select({
      firstName: users.firstName,
      lastName: users.lastName,
      email: users.email,
      hasPassword: sql<number>`${users.passwordHash} IS NOT NULL`.as('has_password'),
    })
    .from(users)
    .where(eq(users.id, userId))
  return { ...row!, hasPassword: Boolean(row!.hasPassword) }
}
