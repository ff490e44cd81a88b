// What the reference says of users: the record that they have of themselves, and the summary that others see.
import { ada, project } from '../http/docs/examples'
import type { Words } from '../docs/words'
import { exampleOrganization, exampleSummary, exampleTeam } from './organizations/organizations.words'

const settings = {
  plugin_disabled: true,
  discussions_mentioned: true,
  project_weekly_digest_disabled: { [project.id]: true },
  all_weekly_digest_disabled: false,
  error_tracking_issue_assigned: true,
  error_tracking_weekly_digest: true,
  data_pipeline_error_threshold: 0.01,
  project_api_key_exposed: true,
  materialized_view_sync_failed: false,
  web_analytics_weekly_digest: true,
  organization_member_join_email_disabled: {},
}

const user = {
  date_joined: '2026-03-20T08:28:45.440000Z',
  uuid: ada.uuid,
  distinct_id: ada.distinct_id,
  first_name: ada.first_name,
  last_name: ada.last_name,
  email: ada.email,
  pending_email: null,
  is_email_verified: ada.is_email_verified,
  notification_settings: settings,
  anonymize_data: false,
  allow_impersonation: true,
  toolbar_mode: 'toolbar',
  has_password: true,
  id: ada.id,
  is_staff: false,
  is_impersonated: false,
  is_impersonated_until: null,
  is_impersonated_read_only: null,
  is_impersonated_reason: null,
  sensitive_session_expires_at: '2026-04-01T10:30:00Z',
  team: exampleTeam,
  organization: exampleOrganization,
  organizations: [exampleSummary],
  events_column_config: { active: 'DEFAULT' },
  is_2fa_enabled: true,
  has_social_auth: false,
  has_sso_enforcement: false,
  has_seen_product_intro_for: { feature_flags: true },
  scene_personalisation: [{ scene: 'Home', dashboard: 1 }],
  theme_mode: 'dark',
  hedgehog_config: ada.hedgehog_config,
  allow_sidebar_suggestions: null,
  shortcut_position: 'above',
  role_at_organization: ada.role_at_organization,
  passkeys_enabled_for_2fa: false,
  hide_mcp_hints: false,
  onboarding_skipped_at: '2026-03-20T08:40:00Z',
  onboarding_skipped_reason: 'later',
  onboarding_skipped_organization_id: exampleOrganization.id,
  onboarding_delegated_to_invite: null,
  onboarding_delegated_to_organization_id: null,
  onboarding_delegation_accepted_at: null,
  is_organization_first_user: true,
  active_realtime_notification_types: [
    'comment_mention',
    'alert_firing',
    'approval_requested',
    'approval_resolved',
    'pipeline_failure',
    'issue_assigned',
  ],
  pending_invites: [
    {
      id: '21636369-8b52-4b4a-97b7-50923ceb3ffd',
      target_email: ada.email,
      organization_id: '019d2ef3-7380-733d-889e-7d15f17362f2',
      organization_name: 'Second example',
      created_at: '2026-03-31T16:45:00Z',
    },
  ],
  requires_credential_review: false,
}

const DISTINCT_ID = 'Random text that stands for the user in events. It never changes.'
const IS_EMAIL_VERIFIED = 'Whether the address was confirmed. Null: nobody asked, which counts as confirmed.'
const ROLE =
  'What the user does: `engineering`, `data`, `product`, `founder`, `leadership`, `marketing`, `sales` or `other`. Null until they say.'
const KEPT = 'Kept for clients; this service does nothing with it.'

export const userWords: Words = {
  schemas: {
    UserSummary: {
      is: 'A user as other records show them.',
      fields: {
        id: 'Number of the user; paths name users by `uuid`.',
        uuid: 'What paths name the user by.',
        distinct_id: DISTINCT_ID,
        first_name: 'Given name. May be empty.',
        last_name: 'Family name. May be empty.',
        email: 'Address, in lower case.',
        is_email_verified: IS_EMAIL_VERIFIED,
        hedgehog_config:
          'The avatar: `use_as_profile`, `color`, `accessories` and `skin`, each null where it is not set. Null without an avatar.',
        role_at_organization: ROLE,
      },
      example: ada,
    },
    User: {
      is: 'Everything that users may know of themselves. Passwords are never shown.',
      fields: {
        date_joined: 'When the account was made. ISO 8601, UTC.',
        uuid: 'What paths name the user by.',
        distinct_id: DISTINCT_ID,
        first_name: 'Given name, at most 150 characters. May be empty.',
        last_name: 'Family name, at most 150 characters. May be empty.',
        email: 'Address that the user signs in with, in lower case. Nobody else has it.',
        pending_email:
          'An address that waits to be confirmed. Always null: this service sends no mail, so a new address counts at once.',
        is_email_verified: IS_EMAIL_VERIFIED,
        anonymize_data: `Whether clients should send what the user does without saying who they are. ${KEPT}`,
        allow_impersonation: 'Whether staff may look at the service as this user. Only false keeps them out.',
        toolbar_mode: `What the toolbar does on the user’s pages: \`disabled\`, \`toolbar\`, or empty. ${KEPT}`,
        has_password: 'Whether the user can sign in with a password.',
        id: 'Number of the user; paths name users by `uuid`.',
        is_staff:
          'Whether the user runs this deployment: staff read other users’ records, and may act on some of them.',
        is_impersonated: 'Whether staff are looking at the service as this user, with the session that asks.',
        is_impersonated_until:
          'When that ends: two hours after it began, or 30 minutes after the last request, whichever is sooner. ISO 8601, UTC. Null while nobody does.',
        is_impersonated_read_only: 'Whether staff may only read meanwhile. Null while nobody does.',
        is_impersonated_reason: 'What staff said it was for. Null while nobody does.',
        sensitive_session_expires_at:
          'Until when the session may do what asks for a recent sign-in: two hours after it. ISO 8601, UTC. Null for API keys, which are not asked.',
        team: 'The project that the user works in, which `@current` stands for. Null for users without one.',
        organization:
          'The organization that the user works in, which `@current` stands for. Null for users without one.',
        organizations: 'Every organization of the user, in the order in which they joined.',
        events_column_config: `Which columns clients show of events; any JSON. \`{"active": "DEFAULT"}\` until it is set. ${KEPT}`,
        is_2fa_enabled: 'Whether signing in takes a second factor.',
        has_social_auth:
          'Whether the user can sign in by another service. Always false: there is no such sign-in.',
        has_sso_enforcement: 'Whether the organization asks for single sign-on. Always false: there is none.',
        has_seen_product_intro_for: `Which introductions the user has seen; any JSON, usually a map from product to true. ${KEPT}`,
        scene_personalisation: 'The dashboards that the user wants to see, scene by scene, of all projects.',
        'scene_personalisation.scene': 'The scene, as clients call it.',
        'scene_personalisation.dashboard': 'Id of the dashboard.',
        theme_mode: `Colours that the user prefers: \`light\`, \`dark\`, \`system\` or empty. Null until they choose. ${KEPT}`,
        hedgehog_config: 'The avatar: any JSON. Null until it is set. Others see four fields of it.',
        allow_sidebar_suggestions: `Whether clients may suggest things in the sidebar. Null until the user says. ${KEPT}`,
        shortcut_position: `Where shortcuts stand: \`above\` (also when nothing is set), \`below\`, \`hidden\` or empty. ${KEPT}`,
        role_at_organization: ROLE,
        passkeys_enabled_for_2fa:
          'Whether passkeys count as second factor. Never true: there are no passkeys. Null when it was set so.',
        hide_mcp_hints: `Whether clients leave out hints about MCP. ${KEPT}`,
        onboarding_skipped_at:
          'When the user skipped or delegated onboarding. ISO 8601, UTC. Null while it goes on.',
        onboarding_skipped_reason: '`delegated`, `later` or `other`. Null while onboarding goes on.',
        onboarding_skipped_organization_id:
          'The organization that the user worked in then. Null while onboarding goes on.',
        onboarding_delegated_to_invite:
          'Id of the invite by which the user delegated onboarding, or null. Callers who may not read the id see another UUID: keys without ' +
          '`organization_member:write`, all keys for an invite above level 1, and staff who impersonate the user.',
        onboarding_delegated_to_organization_id:
          'The organization of that invite. Null when nobody was asked.',
        onboarding_delegation_accepted_at:
          'When whoever was asked joined. ISO 8601, UTC. Null while they have not.',
        is_organization_first_user:
          'Whether the user came to the current organization without an invite. Null in records of others, and without an organization.',
        active_realtime_notification_types:
          'Kinds of notification that clients show at once. The same for everybody.',
        pending_invites:
          'Invites to the user’s address that can still be accepted, newest first, at most 25. Empty until the address is verified, and in records of others.',
        'pending_invites.id':
          'Id of the invite, to accept it with at `/api/signup/{invite_id}/`. Callers who may not read the id see another UUID: keys without ' +
          '`organization_member:write`, all keys for an invite above level 1, and staff who impersonate the user.',
        'pending_invites.target_email': 'The address that was invited.',
        'pending_invites.organization_id': 'Id of the organization.',
        'pending_invites.organization_name': 'Name of the organization.',
        'pending_invites.created_at': 'When the invite was made; it is good for three days. ISO 8601, UTC.',
        requires_credential_review:
          'Whether the user should look through their API keys: there are some, and nobody has said that they are known. False while impersonated.',
      },
      example: user,
    },
    NotificationSettings: {
      is: 'What a user wants to be told of. Kept for clients; this service sends no mail.',
      fields: {
        plugin_disabled: 'Whether to tell of plugins that were turned off because they failed. Default true.',
        discussions_mentioned: 'Whether to tell of being mentioned in discussions. Default true.',
        project_weekly_digest_disabled:
          'By project id: true for projects without a weekly digest. Default none.',
        all_weekly_digest_disabled: 'Whether there are to be no weekly digests at all. Default false.',
        error_tracking_issue_assigned:
          'Whether to tell of errors that are assigned to the user. Default true.',
        error_tracking_weekly_digest: 'Whether to send a weekly digest of errors. Default true.',
        data_pipeline_error_threshold:
          'Share of a pipeline’s runs that must fail before it is told of: 0 to 1. Default 0.01.',
        project_api_key_exposed: 'Whether to tell of keys that were found in public places. Default true.',
        materialized_view_sync_failed:
          'Whether to tell of materialized views that could not be renewed. Default false.',
        web_analytics_weekly_digest: 'Whether to send a weekly digest of web traffic. Default true.',
        organization_member_join_email_disabled:
          'By organization id: true for those of whose new members the user is not to be told. Default none.',
      },
      example: settings,
    },
  },
}
