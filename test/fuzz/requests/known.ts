// What callers really send, by the name of a member or parameter: seeds, without which few requests would get past the first rule.
import * as fc from 'fast-check'
import { FILTERS, goodQuery, PROPERTIES, QUERIES } from './seeds'

type Known = Record<string, fc.Arbitrary<unknown>>

const one = (...values: unknown[]) => fc.constantFrom(...values)

const MOMENTS = [
  '2026-03-10T11:00:00Z',
  '2026-03-09T23:59:59.123456+02:00',
  '2026-03-01',
  '2020-02-29T00:00:00',
  '2030-01-01T00:00:00Z',
]

const CONDITIONS = [
  { properties: [] },
  ...PROPERTIES.map((each) => ({ properties: [each], rollout_percentage: 50 })),
]
const PEOPLE = ['ada', 'ada-before', 'grace', 'nobody', 'x'.repeat(300)]
const word = fc.stringMatching(/^[a-z][a-z0-9_-]{0,12}$/)

/** For every operation. */
const COMMON: Known = {
  key: word,
  filters: one(...FILTERS),
  query: one(...QUERIES),
  condition: one(...CONDITIONS),
  created_at: one(...MOMENTS),
  timestamp: one(...MOMENTS),
  after: one(...MOMENTS),
  before: one(...MOMENTS),
  sent_at: one(...MOMENTS),
  last_called_at: one(...MOMENTS, null),
  distinct_id: one(...PEOPLE),
  $anon_distinct_id: one(...PEOPLE),
  anon_distinct_id: one(...PEOPLE),
  person_id: one('{{person}}', '{{other.person}}'),
  targetingKey: one(...PEOPLE),
  ids: one(
    ['{{flag}}'],
    ['{{flag}}', '{{flag:variants}}', '{{flag:dependent}}'],
    ['{{flag}}', '{{other.flag}}', '{{flag:deleted}}', 999_999_999],
    ['{{other.flag}}', '{{other.flag:variants}}'],
  ),
  tags: one([], ['sample'], ['a', 'B', 'a'], ['two words']),
  evaluation_contexts: one([], ['site'], ['site', 'app']),
  analytics_dashboards: one([], ['{{dashboard}}'], ['{{other.dashboard}}']),
  record_id: one('{{flag}}', '{{flag}}', '{{flag:variants}}', '{{other.flag}}'),
  payload: one(
    { operation: 'update_status', value: true },
    { operation: 'update_status', value: false },
    { operation: 'add_release_condition', value: { groups: CONDITIONS } },
    { operation: 'update_variants', value: { variants: [{ key: 'a', rollout_percentage: 100 }] } },
  ),
  scheduled_at: one('2099-01-01T00:00:00Z', '2099-06-01', '2099-06-02T10:00:00+02:00', '2020-01-01'),
  is_recurring: one(false, false, true),
  recurrence_interval: one(null, null, 'daily'),
  end_date: one('2099-12-31', null),
  dashboard: one('{{dashboard}}', '{{other.dashboard}}', null),
  scene: one('Home', 'Insights'),
  issuer: one(
    'https://accounts.example.com',
    'https://accounts.example.com',
    'https://10.0.0.1/',
    'accounts',
  ),
  client_id: one('client'),
  client_secret: one('secret'),
  domains: one(['example.com'], ['example.com', 'sso.example.net'], ['example']),
  // DNS is asked for no domain that is not in the settings.
  domain: one('other.example.net', 'example'),
  level_claim: one('groups', 'groups', null),
  levels: one({}, { admins: 8, guests: 0 }, { admins: 15 }),
  default_level: one(0, 1, 8, 15),
  is_enforced: one(false, false, true),
  url: one('https://hooks.example.com/x', 'http://localhost/', 'https://10.0.0.1/', 'hooks'),
  events: one(['*'], ['FeatureFlag.*', 'Cohort.created'], ['FeatureFlag.exploded'], []),
  bucket_overrides: one({ timestamp: 'hour' }, { day: 'week' }, {}, null),
  data_freshness_seconds: one(900, 86_400, 604_800, null),
  optional_breakdown_properties: one(['plan'], [], null),
  version: one(1, 1, 1, 1, 2, 99),
  variables: one({}, { '{{variable_code}}': 'purchase' }, { plan: 'pro' }, null),
  filters_override: one({ date_from: '-7d' }, { date_from: '2026-03-01', date_to: null }, null),
  refresh: one('cache', 'force', 'direct'),
  timezone: one('UTC', 'America/New_York', 'Asia/Tokyo', 'Mars/Olympus'),
  email: one('{{email}}', 'ada@example.com', 'new-address@example.com', '{{other.email}}'),
  target_email: one('sample@example.com', 'grace@example.com', '{{email}}', '{{other.email}}'),
  first_name: one('Ada', 'Grace', ''),
  password: one('{{password}}', 'another-Tr0ub4dor', 'short'),
  current_password: one('{{password}}', 'wrong'),
  notification_settings: one(
    {},
    { plugin_disabled: false },
    { project_weekly_digest_disabled: { '{{project}}': true } },
  ),
  hedgehog_config: one(null, { use_as_profile: true, color: 'red', accessories: [] }),
  set_current_organization: one('{{organization}}', '{{other.organization}}'),
  set_current_team: one('{{project}}', '{{other.project}}'),
  team_id: one('{{project}}', '{{other.project}}', null),
  chat_team_id: one('T1', 'T2'),
  scopes: one(['*'], ['feature_flag:read'], ['feature_flag:write', 'user:read'], ['nothing:read']),
  scoped_teams: one([], ['{{project}}'], ['{{other.project}}']),
  scoped_organizations: one([], ['{{organization}}'], ['{{other.organization}}']),
  names: one(['{{endpoint}}'], ['{{endpoint}}', '{{other.endpoint}}', 'nothing'], []),
  groups: one({}, { company: 'acme' }, { company: 1 }),
  properties: one(
    {},
    { plan: 'pro' },
    { $set: { plan: 'free' }, $set_once: { first: 1 }, $unset: ['version'] },
  ),
  person_properties: one({}, { email: 'ada@example.com', version: '1.2.3' }),
  group_properties: one({}, { company: { size: 12 } }),
  flag_keys: one([], ['{{flag_key}}'], ['{{other.flag_key}}']),
  event: one('$pageview', 'purchase', '$set', '$identify', '$create_alias', '$groupidentify', 'opened'),
  uuid: one('{{person}}', '0194f1d0-0000-7000-8000-000000000001'),
  // Parameters of queries, as text.
  search: one('a', 'own', 'zebra', 'flag', '%', '_', '%25'),
  order: one('key', '-created_at', 'name', '-id', 'nothing'),
  created_by: one('{{user_id}}', '{{other.user_id}}'),
  created_by_id: one('{{user_id}}', '{{other.user_id}}', '["{{user_id}}"]'),
  excluded_tags: one('["sample"]', '["a","b"]', 'sample'),
  level: one('INFO', 'ERROR', 'DEBUG,WARN', 1, 8, 15),
  limit: one(1, 2, 100, 0),
  offset: one(0, 1, 1_000),
  page: one(1, 2),
  send_cohorts: one('', 'true'),
  v: one('1', '2', '3'),
  config: one('true', '1'),
  kind: one('chat', 'github'),
}

const ofFlags = { tags: one('["sample"]', '["a"]', 'sample') }

/** Where an operation means something else by a name. */
const SPECIAL: Record<string, Known> = {
  groups_find_retrieve: { group_type_index: one(0), group_key: one('{{group}}') },
  feature_flags_list: ofFlags,
  feature_flags_matching_ids_retrieve: ofFlags,
  feature_flags_bulk_delete_create: {
    filters: one({}, { search: 'own' }, { active: 'true' }, { tags: '["sample"]', type: 'boolean' }),
  },
  feature_flags_evaluation_reasons_retrieve: { groups: one('{}', '{"company":"acme"}', 'x') },
  property_definitions_list: { properties: one('plan,amount', 'plan') },
  property_definitions_partial_update: { property_type: one('String', 'Numeric', 'Boolean', 'DateTime') },
  insight_variables_create: {
    name: fc.oneof(
      word.map((text) => `v ${text}`),
      one('Plan', 'é 1'),
    ),
  },
  insight_variables_partial_update: { name: one('Plan', 'Event name') },
  login_create: {
    email: one('{{email}}', '{{email}}', '{{email}}', '{{email}}', 'nobody@example.com', '{{other.email}}'),
    password: one('{{password}}', '{{password}}', '{{password}}', 'wrong'),
  },
  login_token_create: { token: one('{{code}}', '{{code}}', '{{code}}', '000000', 'aaaa-bbbb') },
  users_two_factor_validate_create: { token: one('{{pending_code}}', '000000') },
  users_validate_2fa_create: { token: one('{{pending_code}}', '000000') },
  signup_invite_create: { password: one('another-Tr0ub4dor', 'short') },
  integrations_create: { kind: fc.constant('chat'), scopes: one(null, ['users:read', 'users:read.email']) },
  capture_pixel: { data: one('{"api_key":"{{token}}","event":"opened","distinct_id":"ada"}') },
  capture: { api_key: one('{{token}}'), token: one('{{token}}', 'phc_unknown') },
  flags_evaluate: {
    token: one('{{token}}', '{{token}}', '{{token}}', '{{token}}', '{{token}}', 'phc_unknown'),
  },
  local_evaluation: { token: one('{{token}}', '{{other.token}}') },
}

const personalApiKey = fc.record({
  label: word,
  scopes: one(['*'], ['feature_flag:read', 'user:write']),
  scoped_teams: one([], ['{{project}}']),
  scoped_organizations: fc.constant([]),
})

/** Whole bodies, where a schema cannot say what goes with what. */
const WHOLE: Record<string, fc.Arbitrary<unknown>> = {
  feature_flags_create: fc.record(
    { key: word, filters: one(...FILTERS), name: word },
    { requiredKeys: ['key'], noNullPrototype: true },
  ),
  feature_flags_test_evaluation_create: one(
    { distinct_id: 'ada' },
    { distinct_id: 'ada', groups: { company: 'acme' } },
    { person_id: '{{person}}' },
    { distinct_id: 'grace', timestamp: '2026-03-10T12:00:00Z' },
    { distinct_id: 'nobody', timestamp: '2026-03-11' },
    { person_id: '{{other.person}}' },
  ),
  feature_flags_user_blast_radius_create: one(...CONDITIONS).map((condition) => ({ condition })),
  endpoints_create: fc.record({ name: word.map((text) => `e-${text}`), query: goodQuery }),
  endpoints_partial_update: fc.record({ query: goodQuery }),
  endpoints_update: fc.record({ query: goodQuery }),
  endpoints_run_create: one(
    {},
    { refresh: 'force' },
    { refresh: 'direct', debug: true },
    { limit: 1 },
    { limit: 2, offset: 1 },
    { variables: { '{{variable_code}}': 'purchase' } },
    { variables: { plan: 'pro' } },
  ),
  query_create: fc.oneof(
    goodQuery.map((query) => ({ query })),
    one(
      { query: { kind: 'DatabaseSchemaQuery' } },
      { query: { kind: 'HogQLMetadata', language: 'hogQL', query: 'SELECT {variables.plan} FROM events' } },
      { query: { kind: 'HogQLMetadata', language: 'hogQL', query: 'SELECT evnt FROM (' } },
      { query: { kind: 'HogQLQuery', query: 'SELECT {x}', values: { x: ["'", '\u0000'] } } },
    ),
  ),
  // Somebody else was faster, with the same field or with another one.
  feature_flags_partial_update: fc.record(
    {
      name: word,
      active: fc.boolean(),
      filters: one(...FILTERS),
      version: one(0, 1, 2),
      original_flag: one({ name: 'as it was' }, { active: true }, {}),
      deleted: fc.boolean(),
    },
    { requiredKeys: [], noNullPrototype: true },
  ),
  users_two_factor_validate_create: fc.constant({ token: '{{pending_code}}' }),
  users_validate_2fa_create: fc.constant({ token: '{{pending_code}}' }),
  login_create: fc.constant({ email: '{{email}}', password: '{{password}}' }),
  login_token_create: fc.constant({ token: '{{code}}' }),
  personal_api_keys_create: personalApiKey,
  personal_api_keys_update: personalApiKey,
  signup_invite_create: fc.constant({ first_name: 'Grace', password: 'another-Tr0ub4dor' }),
  capture: fc.record({
    api_key: fc.constant('{{token}}'),
    batch: fc.array(
      fc.record({
        event: COMMON.event!,
        distinct_id: one('ada', 'grace'),
        properties: one(
          { plan: 'pro', amount: 3 },
          { $set: { plan: 'free' }, $unset: ['version'] },
          { $anon_distinct_id: 'ada-before' },
          { alias: 'grace' },
          { $group_type: 'company', $group_key: 'acme', $group_set: { size: 3 } },
          { $groups: { company: 'acme' }, $feature_flag: '{{flag_key}}', $feature_flag_response: true },
        ),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  flags_evaluate: fc.record({
    token: fc.constant('{{token}}'),
    distinct_id: one('ada', 'grace', 'nobody'),
    person_properties: COMMON.person_properties!,
    groups: one({}, { company: 'acme' }),
  }),
}

/** What is known of the whole body of an operation. */
export const wholeBodyOf = (operationId: string): fc.Arbitrary<unknown> | undefined =>
  WHOLE[operationId.replace(/^environments_/, '')]

/** What is known of an operation's members and parameters. What holds in projects holds in environments. */
export function knownOf(operationId: string): Known {
  const id = operationId.replace(/^environments_/, '')
  return { ...COMMON, ...(id.startsWith('endpoints_') ? ENDPOINTS : {}), ...SPECIAL[id] }
}

const ENDPOINTS: Known = {
  name: fc.oneof(
    word.map((text) => `e-${text}`),
    one('{{endpoint}}'),
  ),
  created_by: one('{{user_id}}', '{{other.user_id}}'),
}
