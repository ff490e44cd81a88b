// The shape of the full user record, for the OpenAPI document (spec "User record", reference/account-api.md §8).
import * as z from 'zod'
import { dateTime } from '../http/fields'
import { NotificationSettings } from './notification-settings'
import { OrganizationRecord, OrganizationSummary } from './organization-record'
import { TeamRecord } from './team-record'

const identity = {
  date_joined: dateTime(),
  uuid: z.uuid(),
  distinct_id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  pending_email: z.string().nullable(),
  is_email_verified: z.boolean().nullable(),
}

const session = {
  is_impersonated: z.boolean(),
  is_impersonated_until: dateTime().nullable(),
  is_impersonated_read_only: z.boolean().nullable(),
  is_impersonated_reason: z.string().nullable(),
  sensitive_session_expires_at: dateTime().nullable(),
}

const onboarding = {
  onboarding_skipped_at: dateTime().nullable(),
  onboarding_skipped_reason: z.string().nullable(),
  onboarding_skipped_organization_id: z.uuid().nullable(),
  onboarding_delegated_to_invite: z.uuid().nullable(),
  onboarding_delegated_to_organization_id: z.uuid().nullable(),
  onboarding_delegation_accepted_at: dateTime().nullable(),
}

const PendingInvite = z.object({
  id: z.uuid(),
  target_email: z.string(),
  organization_id: z.uuid(),
  organization_name: z.string(),
  created_at: dateTime(),
})

export const UserRecord = z
  .object({
    ...identity,
    notification_settings: NotificationSettings,
    anonymize_data: z.boolean().nullable(),
    allow_impersonation: z.boolean().nullable(),
    toolbar_mode: z.string().nullable(),
    has_password: z.boolean(),
    id: z.int(),
    is_staff: z.boolean(),
    ...session,
    team: TeamRecord.nullable(),
    organization: OrganizationRecord.nullable(),
    organizations: z.array(OrganizationSummary),
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
    role_at_organization: z.string().nullable(),
    passkeys_enabled_for_2fa: z.boolean().nullable(),
    hide_mcp_hints: z.boolean(),
    ...onboarding,
    is_organization_first_user: z.boolean().nullable(),
    active_realtime_notification_types: z.array(z.string()),
    pending_invites: z.array(PendingInvite),
    requires_credential_review: z.boolean(),
  })
  .meta({ id: 'User' })
