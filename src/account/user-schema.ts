// The shape of the full user record, for the OpenAPI document (spec "User record", reference/account-api.md §8).
import * as z from 'zod'
import { OrganizationRecord, OrganizationSummary } from './organization-record'
import { TeamRecord } from './team-record'

const moment = () => z.string().meta({ format: 'date-time' })

const identity = {
  date_joined: moment(),
  uuid: z.uuid(),
  distinct_id: z.string().nullable(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  pending_email: z.string().nullable().describe('An address that waits to be confirmed.'),
  is_email_verified: z.boolean().nullable().describe('Null: never asked; treated as verified.'),
}

const session = {
  is_impersonated: z.boolean().nullable(),
  is_impersonated_until: moment().nullable(),
  is_impersonated_read_only: z.boolean().nullable(),
  is_impersonated_reason: z.string().nullable(),
  sensitive_session_expires_at: moment()
    .nullable()
    .describe('Until when sensitive actions need no new sign-in; null for API keys.'),
}

const onboarding = {
  onboarding_skipped_at: moment().nullable(),
  onboarding_skipped_reason: z
    .string()
    .nullable()
    .describe('`delegated`, `later` or `other`; null while onboarding goes on.'),
  onboarding_skipped_organization_id: z.uuid().nullable(),
  onboarding_delegated_to_invite: z.uuid().nullable(),
  onboarding_delegated_to_organization_id: z.uuid().nullable(),
  onboarding_delegation_accepted_at: moment().nullable(),
}

const PendingInvite = z.object({
  id: z.uuid(),
  target_email: z.string(),
  organization_id: z.uuid(),
  organization_name: z.string(),
  created_at: moment(),
})

export const UserRecord = z
  .object({
    ...identity,
    notification_settings: z.record(z.string(), z.unknown()),
    anonymize_data: z.boolean().nullable(),
    allow_impersonation: z.boolean().nullable().describe('Only an explicit false opts out.'),
    toolbar_mode: z.string().nullable().describe('`disabled`, `toolbar` or empty.'),
    has_password: z.boolean(),
    id: z.int(),
    is_staff: z.boolean(),
    ...session,
    team: TeamRecord.nullable().describe('The project that the user works in.'),
    organization: OrganizationRecord.nullable().describe('The organization that the user works in.'),
    organizations: z.array(OrganizationSummary).describe('Every organization of the user.'),
    events_column_config: z.unknown(),
    is_2fa_enabled: z.boolean(),
    has_social_auth: z.boolean(),
    has_sso_enforcement: z.boolean(),
    has_seen_product_intro_for: z.unknown(),
    scene_personalisation: z.array(z.object({ scene: z.string(), dashboard: z.int().nullable() })),
    theme_mode: z.string().nullable().describe('`light`, `dark`, `system` or empty.'),
    hedgehog_config: z.unknown(),
    allow_sidebar_suggestions: z.boolean().nullable(),
    shortcut_position: z.string().describe('`above`, `below`, `hidden` or empty.'),
    role_at_organization: z.string().nullable(),
    passkeys_enabled_for_2fa: z.boolean().nullable(),
    hide_mcp_hints: z.boolean(),
    ...onboarding,
    is_organization_first_user: z
      .boolean()
      .nullable()
      .describe('Whether nobody invited the caller to this organization; null for other users.'),
    active_realtime_notification_types: z.array(z.string()),
    pending_invites: z
      .array(PendingInvite)
      .describe('For the caller only: invites to their address, once it is verified.'),
    requires_credential_review: z.boolean(),
  })
  .meta({ id: 'User', description: 'Everything that a user may know of themselves. Never a password.' })
