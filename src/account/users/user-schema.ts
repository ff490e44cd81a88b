// The full user record (docs/reference/accounts.md#user-record).
import * as z from 'zod'
import { dateTime } from '../../http/fields'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { ada } from '../../http/docs/examples'
import { identityFields, UserSummary } from '../../http/user-summary'
import { inviteIdText } from '../invites/invite-record'
import { NotificationSettings, REALTIME_NOTIFICATIONS } from './notification-settings'
import {
  organizationExample,
  OrganizationRecord,
  OrganizationSummary,
} from '../organizations/organization-record'
import { teamExample, TeamRecord } from '../organizations/team-record'

export const PendingInvite = z.object({
  id: z.uuid(),
  target_email: z.string(),
  organization_id: z.uuid(),
  organization_name: z.string(),
  created_at: dateTime(),
})

export const UserRecord = z
  .object({
    ...UserSummary.shape,
    date_joined: dateTime(),
    pending_email: z.string().nullable(),
    notification_settings: NotificationSettings,
    anonymize_data: z.boolean().nullable(),
    allow_impersonation: z.boolean().nullable(),
    toolbar_mode: z.string().nullable(),
    has_password: z.boolean(),
    is_staff: z.boolean(),
    is_impersonated: z.boolean(),
    is_impersonated_until: dateTime().nullable(),
    is_impersonated_read_only: z.boolean().nullable(),
    is_impersonated_reason: z.string().nullable(),
    sensitive_session_expires_at: dateTime().nullable(),
    team: TeamRecord.nullable(),
    organization: OrganizationRecord.nullable(),
    organizations: z.array(OrganizationSummary),
    set_current_organization: z.uuid().nullable(),
    set_current_team: z.string().nullable(),
    events_column_config: z.unknown(),
    is_2fa_enabled: z.boolean(),
    has_social_auth: z.boolean(),
    has_sso_enforcement: z.boolean(),
    has_seen_product_intro_for: z.unknown(),
    scene_personalisation: z.array(z.object({ scene: z.string(), dashboard: z.int().nullable() })),
    theme_mode: z.string().nullable(),
    hedgehog_config: z.unknown(),
    allow_sidebar_suggestions: z.boolean().nullable(),
    shortcut_position: z.string(),
    passkeys_enabled_for_2fa: z.boolean().nullable(),
    hide_mcp_hints: z.boolean(),
    onboarding_skipped_at: dateTime().nullable(),
    onboarding_skipped_reason: z.string().nullable(),
    onboarding_skipped_organization_id: z.uuid().nullable(),
    onboarding_delegated_to_invite: z.uuid().nullable(),
    onboarding_delegated_to_organization_id: z.uuid().nullable(),
    onboarding_delegation_accepted_at: dateTime().nullable(),
    is_organization_first_user: z.boolean().nullable(),
    active_realtime_notification_types: z.array(z.string()),
    pending_invites: z.array(PendingInvite),
    requires_credential_review: z.boolean(),
  })
  .meta({ id: 'User' })

/** Marks fields that the service stores and returns, and does not use itself. */
const CLIENT = 'Only stored, for clients.'

const REACHED = 'A key gets only what it has access to.'

/** Fields that a profile update can also set. */
export const preferenceFields = () => ({
  anonymize_data: `Whether clients should send events without identity. ${CLIENT}`,
  allow_impersonation: 'Whether staff can impersonate the user. Only false forbids it.',
  toolbar_mode: CLIENT,
  events_column_config: `Event columns in clients; any JSON. Default \`{"active": "DEFAULT"}\`. ${CLIENT}`,
  has_seen_product_intro_for: `Introductions that the user has seen; any JSON, usually a map of product to true. ${CLIENT}`,
  theme_mode: `Null if not set. ${CLIENT}`,
  allow_sidebar_suggestions: `Whether clients can show suggestions in the sidebar. Null if not set. ${CLIENT}`,
  shortcut_position: `Default \`above\`. ${CLIENT}`,
  hide_mcp_hints: `Whether clients hide hints about MCP. ${CLIENT}`,
})

export const UserRecordDocs = (): SchemaDocs => ({
  description: 'A user, as users see themselves and staff see them.',
  fields: {
    ...identityFields(),
    ...preferenceFields(),
    date_joined: 'When the account was created. ISO 8601, UTC.',
    email: 'Email address for sign-in, in lower case, unique.',
    pending_email: 'Always null: a new address applies at once, because this service sends no email.',
    has_password: 'Whether the user has a password.',
    is_staff: 'Whether the user operates this deployment: staff read user records and can change some.',
    is_impersonated: 'Whether the session of this request impersonates the user.',
    is_impersonated_until:
      'When the impersonation ends: two hours after its start or 30 minutes after the last request, whichever is earlier. ISO 8601, UTC. Null without one.',
    is_impersonated_read_only: 'Whether the impersonation is read-only. Null without one.',
    is_impersonated_reason: 'Reason that staff gave. Null without an impersonation.',
    sensitive_session_expires_at:
      'Until when the session counts as recently authenticated: two hours after sign-in. ISO 8601, UTC. Null for API keys.',
    team: `The current project of the user, \`@current\` in paths. Null without one. ${REACHED}`,
    organization: `The current organization of the user, \`@current\` in paths. Null without one. ${REACHED}`,
    organizations: `All organizations of the user, in the order of joining. ${REACHED}`,
    set_current_organization: 'Id of `organization`: another one switches. Null without one.',
    set_current_team: 'Id of `team`, as text: another one switches. Null without one.',
    is_2fa_enabled: 'Whether sign-in requires a second factor.',
    has_social_auth: 'Whether the user signs in with single sign-on.',
    has_sso_enforcement:
      'Whether the current organization requires single sign-on for the domain of the address.',
    scene_personalisation: `The chosen dashboards by scene, of all projects. ${REACHED}`,
    'scene_personalisation.scene': 'Name of the scene in clients.',
    'scene_personalisation.dashboard': 'Id of the dashboard.',
    hedgehog_config: 'The avatar: any JSON. Null if not set. Other users see four fields of it.',
    passkeys_enabled_for_2fa: 'Never true: there are no passkeys. Null if set to null.',
    onboarding_skipped_at: 'When the user skipped or delegated onboarding. ISO 8601, UTC. Null if neither.',
    onboarding_skipped_reason: '`delegated`, `later` or `other`. Null if onboarding was not skipped.',
    onboarding_skipped_organization_id:
      'The current organization at that time. Null if onboarding was not skipped.',
    onboarding_delegated_to_invite: `Id of the invite that delegates onboarding, or null. ${inviteIdText()}`,
    onboarding_delegated_to_organization_id: 'Organization of that invite. Null without a delegation.',
    onboarding_delegation_accepted_at: 'When the invite was accepted. ISO 8601, UTC. Null if not yet.',
    is_organization_first_user:
      'Whether the user joined the current organization without an invite. Null in records of other users, and without an organization.',
    active_realtime_notification_types: 'Kinds of real-time notification. The same for all users.',
    pending_invites:
      'Valid invites for the address of the user, newest first, at most 25. Empty until the address is verified, in records of other users, and for restricted keys.',
    'pending_invites.id': `Id of the invite, for \`/api/signup/{invite_id}/\`. ${inviteIdText()}`,
    'pending_invites.target_email': 'Invited email address.',
    'pending_invites.organization_id': 'Id of the organization.',
    'pending_invites.organization_name': 'Name of the organization.',
    'pending_invites.created_at': 'When the invite was created; it is valid for three days. ISO 8601, UTC.',
    requires_credential_review:
      'Whether the user has API keys and has never confirmed them. False while impersonated.',
  },
  example: {
    date_joined: '2026-03-20T08:28:45.440000Z',
    ...ada,
    anonymize_data: false,
    allow_impersonation: true,
    toolbar_mode: 'toolbar',
    has_password: true,
    sensitive_session_expires_at: '2026-04-01T10:30:00Z',
    set_current_organization: organizationExample().id,
    set_current_team: String(teamExample().id),
    events_column_config: { active: 'DEFAULT' },
    is_2fa_enabled: true,
    has_seen_product_intro_for: { feature_flags: true },
    scene_personalisation: [{ scene: 'Home', dashboard: 1 }],
    theme_mode: 'dark',
    shortcut_position: 'above',
    passkeys_enabled_for_2fa: false,
    onboarding_skipped_at: '2026-03-20T08:40:00Z',
    onboarding_skipped_reason: 'later',
    onboarding_skipped_organization_id: organizationExample().id,
    is_organization_first_user: true,
    active_realtime_notification_types: [...REALTIME_NOTIFICATIONS],
    pending_invites: [
      {
        id: '21636369-8b52-4b4a-97b7-50923ceb3ffd',
        target_email: ada.email,
        organization_id: '019d2ef3-7380-733d-889e-7d15f17362f2',
        organization_name: 'Second example',
        created_at: '2026-03-31T16:45:00Z',
      },
    ],
  },
})
