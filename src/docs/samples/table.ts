// What samples need that the operations do not tell: something to be about, and bodies that can be sent twice.
import {
  anAccount,
  anAuthenticator,
  anEndpoint,
  aQueryOfAVariable,
  aSecondFactor,
  aSecret,
  aVariable,
  aWorkspace,
  signIn,
  somebody,
  twoBrowsers,
} from '../../http/docs/sample-setup'
import { inProject, type SampleDocs } from '../../http/docs/sample-steps'

/** By operation, what it needs besides. What is said of one inside projects holds inside environments. */
export const NEEDS: Readonly<Record<string, SampleDocs>> = {
  endpoints_create: { into: { name: 'events_by_name_$N' } },
  endpoints_run_create: {
    before: aQueryOfAVariable,
    body: { variables: { plan_$N: 'free' } },
  },
  endpoints_last_execution_times_create: { before: [anEndpoint], body: { names: ['$NAME'] } },
  endpoints_materialization_suggestion_create: {
    before: [
      {
        says: 'A language model has to be configured, and the organization to let it see queries',
        as: 'key',
        method: 'patch',
        path: '/api/organizations/@current/',
        body: { is_ai_data_processing_approved: true },
      },
      aVariable,
      inProject(
        'endpoints/',
        {
          name: 'sample_$N',
          query: {
            kind: 'HogQLQuery',
            query: 'SELECT event, count() AS n FROM events GROUP BY event HAVING event = {variables.plan_$N}',
          },
        },
        { says: 'A query that cannot be materialized as it is', keeps: { NAME: 'name' } },
      ),
    ],
    body: {},
  },
  insight_variables_create: { into: { name: 'Plan $N' } },
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
