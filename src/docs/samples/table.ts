// What samples need that the operations do not tell: something to be about, and bodies that can be sent twice.
import {
  aChatLink,
  aCohort,
  aDashboard,
  aFlag,
  aKey,
  aMember,
  anAccount,
  anAuthenticator,
  anEndpoint,
  anInvite,
  anotherBrowser,
  aProperty,
  aQueryOfAVariable,
  aSecondFactor,
  aSecret,
  aVariable,
  aWorkspace,
  published,
  signIn,
  somebody,
  twoBrowsers,
} from './preludes'
import { type Caller, inProject, type Step } from './steps'

/** What a sample does otherwise than its operation tells. */
export interface Need {
  before?: readonly Step[]
  /** Parameters of the path. */
  path?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  /** In place of the document's example. */
  body?: unknown
  /** Into the document's example, or the body above. */
  into?: Readonly<Record<string, unknown>>
  as?: Caller
}

/** Segments that are the same everywhere. */
export const SEGMENTS: Readonly<Record<string, string>> = {
  project_id: '@current',
  environment_id: '@current',
  organization_id: '@current',
  uuid: '@me',
  version_number: '1',
  token: '$TOKEN',
}

/** By path, what it is about. The first that matches counts. */
export const SUBJECTS: readonly [path: RegExp, need: Need][] = [
  [/\/feature_flags\/\{id\}\//, { before: [aFlag()], path: { id: '$FLAG' } }],
  [/\/endpoints\/\{name\}\//, { before: [anEndpoint], path: { name: '$NAME' } }],
  [/\/insight_variables\/\{id\}\//, { before: [aVariable], path: { id: '$VARIABLE' } }],
  [/\/cohorts\/\{id\}\//, { before: aCohort, path: { id: '$COHORT' } }],
  [/\/dashboards\/\{id\}\//, { before: [aDashboard], path: { id: '$DASHBOARD' } }],
  [/\/property_definitions\/\{id\}\//, { before: aProperty, path: { id: '$PROPERTY' } }],
  [/\/invites\/\{invite_id\}\/|\/signup\//, { before: [anInvite], path: { invite_id: '$INVITE' } }],
  [/\/members\/\{user_uuid\}\//, { before: aMember, path: { user_uuid: '$MEMBER' } }],
  [/\/integrations\/\{id\}\//, { before: [aWorkspace], path: { id: '$WORKSPACE' } }],
  [/\/chat\/\{chat_user_id\}\//, { before: [aChatLink], path: { chat_user_id: '$CHAT_USER' } }],
  [
    /^\/ofrep\/v1\/evaluate\/flags\/\{key\}/,
    { before: [aFlag(), published], path: { key: 'sample-$N' }, as: 'token' },
  ],
  [/^\/ofrep\//, { as: 'token' }],
  [
    /\/login_sessions\/\{session_id\}\//,
    { before: anotherBrowser, path: { session_id: '$SESSION' }, as: 'somebody' },
  ],
  [/\/personal_api_keys\/\{id\}\//, { before: aKey, path: { id: '$ID' }, as: 'somebody' }],
]

/** By operation, what it needs besides. What is said of one inside projects holds inside environments. */
export const NEEDS: Readonly<Record<string, Need>> = {
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
  personal_api_keys_create: { before: somebody, as: 'somebody' },
  personal_api_keys_retrieve: { before: [], path: { id: '@current' }, as: 'key' },
}
