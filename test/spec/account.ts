// The tables of the specification about accounts.
import * as z from 'zod'
import { any, boolean, filled, integer, maps, object, record, text, timestamp, uuid } from './fields'
import type { SpecOperation } from './operations'

const candidate = record('Chat workspace link candidate', {
  service_team_id: integer,
  service_team_name: text,
  service_organization_name: text,
  chat_team_id: text,
  chat_team_name: text,
})

const loginSession = record('Login session', {
  id: uuid,
  created_at: timestamp,
  last_activity: timestamp,
  location: text,
  device: text,
  login_method: text,
  is_current: boolean,
})

const pushToken = z.strictObject({
  id: uuid,
  platform: text,
  created_at: timestamp,
  last_seen_at: timestamp,
})

const team = record('Team', {
  id: integer,
  uuid,
  organization: uuid,
  project_id: integer,
  api_token: text,
  name: text,
  completed_snippet_onboarding: boolean,
  has_completed_onboarding_for: any,
  ingested_event: boolean,
  is_demo: boolean,
  timezone: text,
  access_control: boolean,
})

const summary = {
  id: uuid,
  name: text,
  slug: text,
  logo_media_id: uuid,
  membership_level: integer,
  members_can_use_personal_api_keys: boolean,
  is_active: boolean,
  is_not_active_reason: text,
  is_pending_deletion: boolean,
}

const organization = record('Organization', {
  ...summary,
  created_at: timestamp,
  updated_at: timestamp,
  plugins_access_level: integer,
  teams: filled(object),
  projects: filled(object),
  available_product_features: z.array(z.unknown()),
  is_member_join_email_enabled: boolean,
  metadata: maps(text),
  customer_id: text,
  enforce_2fa: boolean,
  members_can_invite: boolean,
  members_can_create_projects: boolean,
  allow_publicly_shared_resources: boolean,
  member_count: integer,
  is_ai_data_processing_approved: boolean,
  is_ai_training_opted_in: boolean,
  is_ai_training_locked: boolean,
  is_ai_training_cta_shown: boolean,
  is_hipaa: boolean,
  default_experiment_stats_method: text,
  default_anonymize_ips: boolean,
  default_role_id: text,
})

const user = record('User', {
  date_joined: timestamp,
  uuid,
  distinct_id: text,
  first_name: text,
  last_name: text,
  email: text,
  pending_email: text,
  is_email_verified: boolean,
  notification_settings: object,
  anonymize_data: boolean,
  allow_impersonation: boolean,
  toolbar_mode: text,
  has_password: boolean,
  id: integer,
  is_staff: boolean,
  is_impersonated: boolean,
  is_impersonated_until: text,
  is_impersonated_read_only: boolean,
  is_impersonated_reason: text,
  sensitive_session_expires_at: text,
  team,
  organization,
  organizations: filled(record('Organization', summary)),
  set_current_organization: text,
  set_current_team: text,
  password: text,
  current_password: text,
  events_column_config: any,
  is_2fa_enabled: boolean,
  has_social_auth: boolean,
  has_sso_enforcement: boolean,
  has_seen_product_intro_for: any,
  scene_personalisation: z.array(z.strictObject({ scene: text, dashboard: integer })),
  theme_mode: text,
  hedgehog_config: any,
  allow_sidebar_suggestions: boolean,
  shortcut_position: text,
  role_at_organization: text,
  passkeys_enabled_for_2fa: boolean,
  hide_mcp_hints: boolean,
  onboarding_skipped_at: timestamp,
  onboarding_skipped_reason: text,
  onboarding_skipped_organization_id: uuid,
  onboarding_delegated_to_invite: uuid,
  onboarding_delegated_to_organization_id: uuid,
  onboarding_delegation_accepted_at: timestamp,
  is_organization_first_user: boolean,
  active_realtime_notification_types: z.array(text),
  pending_invites: z.array(
    z.strictObject({
      id: text,
      target_email: text,
      organization_id: text,
      organization_name: text,
      created_at: timestamp,
    }),
  ),
  requires_credential_review: boolean,
})

const U = '/api/users/:uuid/'

export const accountSpec: readonly SpecOperation[] = [
  {
    method: 'get',
    path: `${U}integrations/chat/linkable_workspaces/`,
    scope: 'user:read',
    success: [200, z.strictObject({ results: filled(candidate) })],
  },
  {
    method: 'post',
    path: `${U}integrations/chat/start/`,
    scope: 'user:write',
    success: [200, z.strictObject({ install_url: z.url() })],
  },
  // "Whether the login session list returns an array or a single record: not shown."
  { method: 'get', path: `${U}login_sessions/`, scope: null, success: [200, filled(loginSession)] },
  { method: 'delete', path: `${U}login_sessions/:session_id/`, scope: null, success: [204, null] },
  {
    method: 'post',
    path: `${U}login_sessions/revoke_others/`,
    scope: null,
    success: [200, z.strictObject({ revoked_count: integer })],
  },
  { method: 'post', path: `${U}onboarding/skip/`, scope: 'user:write', success: [200, user] },
  { method: 'post', path: `${U}push_tokens/`, scope: 'user:write', success: [200, pushToken] },
  { method: 'post', path: `${U}push_tokens/unregister/`, scope: 'user:write', success: [204, null] },
  { method: 'post', path: `${U}scene_personalisation/`, scope: 'user:write', success: [200, null] },
  { method: 'get', path: `${U}start_2fa_setup/`, scope: null, success: [200, null] },
]
