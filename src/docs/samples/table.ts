// What samples need that the operations do not tell: something to be about, and bodies that can be sent twice.
import {
  aFlag,
  anAccount,
  anAuthenticator,
  aSecondFactor,
  aSecret,
  aWorkspace,
  signIn,
  somebody,
  twoBrowsers,
} from '../../http/docs/sample-setup'
import type { SampleDocs } from '../../http/docs/sample-steps'

/** By operation, what it needs besides. What is said of one inside projects holds inside environments. */
export const NEEDS: Readonly<Record<string, SampleDocs>> = {
  feature_flags_create: { into: { key: 'new-checkout-$N' } },
  feature_flags_remote_config_retrieve: {
    before: [
      aFlag({ is_remote_configuration: true, filters: { groups: [{}], payloads: { true: '"12 months"' } } }),
    ],
  },
  feature_flags_evaluation_reasons_retrieve: { query: { distinct_id: 'user-1' } },
  feature_flags_enrich_usage_dashboard_create: {
    before: [aFlag({ has_enriched_analytics: true, _should_create_usage_dashboard: true })],
  },
  feature_flags_bulk_delete_create: { before: [aFlag()], body: { ids: ['#$FLAG'] } },
  feature_flags_bulk_keys_create: { before: [aFlag()], body: { ids: ['#$FLAG'] } },
  feature_flags_bulk_update_tags_create: {
    before: [aFlag()],
    body: { ids: ['#$FLAG'], action: 'add', tags: ['checkout'] },
  },
  capture: { into: { api_key: '$TOKEN' } },
  flags_evaluate: { into: { token: '$TOKEN' } },
  organizations_invites_create: { into: { target_email: 'ada-$N@example.com' } },
  organizations_members_partial_update: { as: 'session' },
  organizations_invites_delegate_create: { as: 'session', into: { target_email: 'ada-$N@example.com' } },
  signup_invite_create: { body: { first_name: 'Ada', password: 'lantern-over-$N' } },
  integrations_create: { body: { kind: 'chat', config: { chat_team_id: 'T$N', chat_team_name: 'Harbour' } } },
  users_partial_update: { body: { first_name: 'Ada' } },
  users_integrations_list: { query: { kind: 'chat' } },
  users_integrations_chat_start_create: { before: [aWorkspace], body: { chat_team_id: 'T$N' } },
  chat_link_start: {
    as: 'session',
    before: [
      aWorkspace,
      {
        as: 'key',
        method: 'post',
        path: '/api/users/@me/integrations/chat/start/',
        body: { chat_team_id: 'T$N' },
        keeps: { STATE: "install_url.split('state=')[1]" },
      },
    ],
    query: { state: '$STATE' },
  },
  chat_link_callback: { as: 'session', query: { error: 'access_denied' } },
  login_create: {
    before: anAccount,
    body: { email: 'ada-$N@example.com', password: 'lantern-over-$N' },
  },
  login_token_create: {
    as: 'somebody',
    before: [
      ...aSecondFactor,
      {
        as: 'somebody',
        method: 'post',
        path: '/api/users/@me/two_factor_backup_codes/',
        body: {},
        keeps: { BACKUP: 'backup_codes[0]' },
      },
      { shell: '# The password alone is not enough any more' },
      signIn('ADA'),
    ],
    body: { token: '$BACKUP' },
  },
  users_login_sessions_revoke_others_create: { before: twoBrowsers, as: 'somebody' },
  users_start_2fa_setup_retrieve: { before: somebody, as: 'somebody' },
  users_two_factor_start_setup_retrieve: { before: somebody, as: 'somebody' },
  users_two_factor_qr_retrieve: { before: aSecret, as: 'somebody' },
  users_two_factor_validate_create: { before: anAuthenticator, as: 'somebody', body: { token: '$CODE' } },
  users_validate_2fa_create: { before: anAuthenticator, as: 'somebody', body: { token: '$CODE' } },
  users_two_factor_backup_codes_create: { before: aSecondFactor, as: 'somebody' },
  users_two_factor_disable_create: { before: aSecondFactor, as: 'somebody' },
}
