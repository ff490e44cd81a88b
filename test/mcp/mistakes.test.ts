// Calls as models make them, with the names, types and shapes of other tools: each does what was meant, or its error says what to send.
import { describe, expect, it } from 'vitest'
import { event, sendEach } from '../support/capture'
import { createTenant, type Tenant } from '../support/tenant'
import { ask, callTool } from './support'

interface World extends Tenant {
  id: number
}

async function world(): Promise<World> {
  const tenant = await createTenant({ level: 15 })
  await sendEach(tenant, [event('ada', { $set: { plan: 'pro' } }, 'purchase')])
  const { id } = await tenant.flag({ key: 'checkout', filters: { groups: [{ rollout_percentage: 50 }] } })
  await tenant.flag({ key: 'banner', active: false })
  await tenant.endpoint({ name: 'top-events' })
  return { ...tenant, id }
}

type Given = Record<string, unknown> | ((world: World) => Record<string, unknown>)
const filled = (given: Given, made: World) => (typeof given === 'function' ? given(made) : given)

const FIND_FLAG = 'Find id with feature-flag-get-all.'
const GROUPS =
  'Send it in filters: {"groups": [{"properties": [], "rollout_percentage": 20}]}. They replace all condition sets of the flag.'
const QUERY = 'Send query: {"kind": "HogQLQuery", "query": "SELECT count() FROM events"}.'
const ofFlag = (filters: unknown) => ({ key: 'new', filters })
const inGroup = (set: unknown) => ofFlag({ groups: [set] })

/** Tool, arguments, and a part of the error's `detail` or `hint`. */
const REJECTED: [tool: string, given: Given, says: string][] = [
  // Keys, names and addresses in place of ids.
  ['feature-flag-get-definition', { id: 'checkout' }, `Nothing was found by id "checkout". ${FIND_FLAG}`],
  ['feature-flag-get-definition', { key: 'checkout' }, FIND_FLAG],
  ['feature-flag-get-definition', { flag_key: 'checkout' }, FIND_FLAG],
  ['feature-flag-get-definition', ({ id }) => ({ flagId: id }), `Send id. ${FIND_FLAG}`],
  ['feature-flag-get-definition', {}, FIND_FLAG],
  ['update-feature-flag', { id: 'checkout', active: false }, FIND_FLAG],
  ['update-feature-flag', { key: 'checkout', active: false }, FIND_FLAG],
  ['delete-feature-flag', { key: 'checkout' }, FIND_FLAG],
  ['delete-feature-flag', { id: 'checkout' }, FIND_FLAG],
  [
    'feature-flags-bulk-delete-create',
    { keys: ['checkout'] },
    'Send ids: feature-flag-get-all has the id of each key.',
  ],
  ['feature-flags-bulk-delete-create', { ids: '1' }, 'ids must be a list'],
  ...['ada', '42'].map((id): (typeof REJECTED)[number] => [
    'persons-retrieve',
    { id },
    'No person has this uuid or number: persons-list finds a distinct_id.',
  ]),
  ['groups-find-retrieve', { group_type_index: 0, group_key: 'Acme' }, 'groups-list has the keys.'],
  [
    'event-definitions-partial-update',
    { id: 'purchase', description: 'x' },
    'Find id with event-definitions-list.',
  ],
  [
    'organizations-members-partial-update',
    { user_uuid: 'ada@example.com', level: 8 },
    'Find user_uuid with organizations-members-list.',
  ],
  ['endpoint-run', { name: 'Top Events' }, 'Find name with endpoints-get-all.'],
  ['endpoint-run', { endpoint: 'top-events' }, 'Find name with endpoints-get-all.'],
  [
    'feature-flags-versions-retrieve',
    ({ id }) => ({ id, version_number: 'latest' }),
    'the flag has no such version',
  ],
  [
    'feature-flags-versions-retrieve',
    ({ id }) => ({ id, version_number: 99 }),
    `in feature-flag-get-definition is its newest. ${FIND_FLAG}`,
  ],
  ['feature-flags-remote-config-retrieve', ({ id }) => ({ id }), 'or the flag is no remote configuration'],
  ['dashboards-retrieve', { id: 'Usage' }, 'Find id in usage_dashboard of the flag'],
  ['feature-flag-get-all', { project_id: 'Production' }, 'Find project_id with projects-list.'],
  [
    'scheduled-changes-create',
    { record_id: 'checkout', model_name: 'FeatureFlag', payload: {}, scheduled_at: '2099-01-01' },
    'feature-flag-get-all has the id of each flag.',
  ],
  // Names of other tools.
  ['feature-flag-get-all', { key: 'checkout' }, 'Send search.'],
  ['feature-flag-get-all', { projectId: 1 }, 'Did you mean project_id?'],
  [
    'feature-flag-get-definition',
    { environment_id: 1 },
    `Send project_id. Find it with projects-list. ${FIND_FLAG}`,
  ],
  ['feature-flag-get-definition', ({ id }) => ({ id, team_id: 1 }), 'Send project_id.'],
  ['project-get', { id: 1 }, 'Send project_id.'],
  ['organizations-invites-destroy', { id: 'x' }, 'Send invite_id. Find invite_id with'],
  ['feature-flag-get-all', { page: 2 }, 'Send offset, the rows to skip.'],
  ['feature-flag-get-all', { cursor: 'x' }, 'Send offset, the rows to skip.'],
  ['persons-list', { offset: 100 }, 'Send cursor, which is in next.'],
  ['feature-flags-activity-retrieve', ({ id }) => ({ id, offset: 10 }), 'Send page, from 1.'],
  ['feature-flag-get-all', { deleted: true }, 'Deleted flags are not listed.'],
  ['persons-list', { email: 'ada@example.com' }, "WHERE person.properties.email = 'ada@example.com'"],
  ['persons-list', { search: 'ada' }, 'Find the distinct id with query-run'],
  ['update-feature-flag', ({ id }) => ({ id, enabled: false }), 'Send active: true or false.'],
  ['update-feature-flag', ({ id }) => ({ id, status: 'INACTIVE' }), 'Send active: true or false.'],
  ['update-feature-flag', ({ id }) => ({ id, rollout_percentage: 80 }), GROUPS],
  ['create-feature-flag', { key: 'new', rollout: 20 }, GROUPS],
  ['create-feature-flag', { key: 'new', variants: [{ key: 'a' }] }, '"multivariate": {"variants": ['],
  [
    'create-feature-flag',
    { key: 'new', description: 'A page' },
    'The description of a flag is its name: send name.',
  ],
  [
    'scheduled-changes-create',
    ({ id }) => ({ flag_id: id, scheduled_at: 'tomorrow' }),
    'Send record_id, the id of the flag.',
  ],
  ['feature-flags-test-evaluation-create', ({ id }) => ({ id, user_id: 'ada' }), 'Send distinct_id.'],
  [
    'feature-flags-test-evaluation-create',
    ({ id }) => ({ id, person_id: '42' }),
    'persons-list has the uuid of each person. For a distinct id, send distinct_id.',
  ],
  [
    'feature-flags-test-evaluation-create',
    ({ id }) => ({ id, distinctId: 'ada' }),
    'Did you mean distinct_id?',
  ],
  [
    'feature-flags-test-evaluation-create',
    ({ id }) => ({ id }),
    'Either distinct_id or person_id must be provided',
  ],
  [
    'feature-flags-test-evaluation-create',
    ({ id }) => ({ id, distinct_id: 'ada', person_properties: {} }),
    'The stored properties of the person with this distinct_id count',
  ],
  ['feature-flags-evaluation-reasons-retrieve', { user: 'ada' }, 'Send distinct_id.'],
  ['feature-flags-versions-retrieve', ({ id }) => ({ id, version: 1 }), 'Did you mean version_number?'],
  ['feature-flags-versions-retrieve', ({ id }) => ({ id }), 'version_number: Number of the version'],
  ['feature-flag-get-all', { status: 'STALE' }, 'Send active: "STALE".'],
  ['feature-flag-get-all', { stale: true }, 'Send active: "STALE".'],
  [
    'create-feature-flag',
    { key: 'new', is_remote_configuration: true, payload: { a: 1 } },
    '"payloads": {"a": "1"}',
  ],
  [
    'update-feature-flag',
    ({ id }) => ({ id, version: 1 }),
    'Nothing to change: it is the version that was read.',
  ],
  ['update-feature-flag', ({ id }) => ({ id }), 'Nothing to change: send the fields to change.'],
  ['project-settings-update', {}, 'Nothing to change: send the fields to change.'],
  ['feature-flags-user-blast-radius-create', { properties: [] }, 'Send it in condition: {"properties": []}.'],
  ['activity-logs-list', { scope: 'FeatureFlag', user_id: 1 }, 'Send user: an id, a uuid or an address.'],
  ['endpoint-create', { name: 'x', sql: 'SELECT 1' }, QUERY],
  ['query-run', { sql: 'SELECT 1' }, QUERY],
  ['project-create', { project_name: 'Staging' }, 'Send name.'],
  ['organizations-invites-create', { email: 'x@example.com' }, 'Did you mean target_email?'],
  // Shapes of agent-toolkit, whose changes are in `data`.
  ['create-feature-flag', { data: { key: 'new' } }, 'Send the members of data as arguments of the tool.'],
  [
    'update-feature-flag',
    ({ id }) => ({ id, data: { active: false } }),
    'Send the members of data as arguments of the tool.',
  ],
  ['update-feature-flag', { flagKey: 'checkout', data: { active: false } }, FIND_FLAG],
  // Values.
  [
    'create-feature-flag',
    inGroup({ rollout_percentage: '20%' }),
    'groups[0].rollout_percentage must be a number or null, got text',
  ],
  ['create-feature-flag', inGroup({ rollout: 20 }), 'Did you mean rollout_percentage?'],
  ['create-feature-flag', ofFlag({ rollout_percentage: 20 }), 'Did you mean groups[].rollout_percentage?'],
  ['create-feature-flag', ofFlag({ conditions: [{ rollout_percentage: 5 }] }), 'Did you mean groups?'],
  ['create-feature-flag', ofFlag('{"groups":[{}'), 'Expected an object but got text.'],
  ['create-feature-flag', ofFlag('true'), 'Expected an object but got text.'],
  ['create-feature-flag', ofFlag('['.repeat(65)), 'nested deeper than 64 levels'],
  ['create-feature-flag', ofFlag('{"groups":[12345678901234567890]}'), 'Integers past 2^53'],
  ['create-feature-flag', ofFlag([{ rollout_percentage: 5 }]), 'Expected an object but got a list.'],
  [
    'create-feature-flag',
    inGroup({ properties: [{ key: 'email', operator: 'icontains', value: '@x' }] }),
    'groups[0].properties[0].type is required: person, cohort, group, flag',
  ],
  ['create-feature-flag', { key: 'new', tags: 'web' }, 'Expected a list of items but got text.'],
  ['create-feature-flag', { name: 'No key' }, 'key: '],
  ['feature-flag-get-all', { type: 'multivariate' }, 'Did you mean multivariant?'],
  ['feature-flag-get-all', { active: 'disabled' }, 'Valid choices: STALE, false, true.'],
  ...['all', -1, 0, 1.5, ''].map((limit): (typeof REJECTED)[number] => [
    'feature-flag-get-all',
    { limit },
    'Send an integer, at least 1. limit: At most 1,000.',
  ]),
  ['feature-flag-get-all', { offset: -1 }, 'Send an integer, at least 0.'],
  ['feature-flag-get-all', { order: 'newest' }, 'Use one of: id, key, name, created_at'],
  [
    'feature-flags-bulk-update-tags-create',
    ({ id }) => ({ ids: [id], tags: ['a'], action: 'append' }),
    'Valid choices: add, remove, set.',
  ],
  [
    'scheduled-changes-create',
    ({ id }) => ({ record_id: id, model_name: 'feature_flag', payload: {}, scheduled_at: '2099-01-01' }),
    'Did you mean FeatureFlag?',
  ],
  [
    'scheduled-changes-create',
    ({ id }) => ({
      record_id: id,
      model_name: 'FeatureFlag',
      payload: { active: false },
      scheduled_at: '2099-01-01',
    }),
    '"value":{"description":"True or false to enable or disable;',
  ],
  [
    'scheduled-changes-create',
    ({ id }) => ({
      record_id: id,
      model_name: 'FeatureFlag',
      payload: { operation: 'update_status', value: false },
      scheduled_at: 'tomorrow',
    }),
    'YYYY-MM-DDThh:mm',
  ],
  [
    'feature-flags-test-evaluation-create',
    ({ id }) => ({ id, distinct_id: 'ada', timestamp: 'yesterday' }),
    'timestamp: Time of evaluation (ISO 8601',
  ],
  [
    'feature-flags-test-evaluation-create',
    ({ id }) => ({ id, distinct_id: 'ada', groups: 'acme' }),
    'groups: Groups of the person: group key by name of the group type.',
  ],
  ['endpoints-last-execution-times', { names: 'top-events' }, 'names: Names of endpoints.'],
  ['create-feature-flag', { key: 'new', evaluation_contexts: 'web' }, 'evaluation_contexts: Contexts in'],
  [
    'endpoint-create',
    { name: 'x', query: { kind: 'HogQLQuery', query: 'SELECT 1', colour: 1 } },
    'query: An object whose `kind`',
  ],
  [
    'endpoint-create',
    { name: 'x', query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode' }], date_from: '-7d' } },
    'An insight has it in dateRange: {"date_from": "-7d", "date_to": null}.',
  ],
  [
    'endpoint-create',
    { name: 'x', query: { kind: 'HogQLQuery', query: 'SELECT {variables.ev}', variables: { ev: 'x' } } },
    'Send variables by id: {"<id>": {"variableId": "<id>", "code_name": "plan"}}.',
  ],
  ['endpoint-create', { name: 'x', query: 'SELECT 1' }, '"kind": "HogQLQuery"'],
  ['query-run', { query: 'SELECT 1' }, 'query: A `HogQLQuery`'],
  ['query-run', { query: { kind: 'HogQLQuery', query: 'SELECT 1 FROM event' } }, "Did you mean 'events'?"],
  ...['role', 'access_level', 'userRole'].map((name): (typeof REJECTED)[number] => [
    'organizations-invites-create',
    { target_email: 'x@example.com', [name]: 'viewer' },
    'Send level: 0 viewer, 1 member, 8 admin, 15 owner.',
  ]),
  [
    'update-feature-flag',
    ({ id }) => ({ id, filters: { groups: null } }),
    'filters replaces all condition sets, variants and payloads. Send groups, too.',
  ],
  [
    'organizations-invites-create',
    { target_email: 'x@example.com', level: 'admin' },
    'level: 0 viewer, 1 member, 8 admin, 15 owner',
  ],
  [
    'webhooks-create',
    { url: 'https://hooks.example.com/', events: ['flag.updated'] },
    'FeatureFlag: created, updated',
  ],
  [
    'cohorts-create',
    { name: 'Pro', filters: { properties: [{ key: 'plan', value: 'pro' }] } },
    '`properties` is a group',
  ],
  [
    'insight-variables-create',
    { name: 'Plan', type: 'text' },
    'Valid choices: String, Number, Boolean, List, Date.',
  ],
]

const GROUP_TYPES = 'groups-types-list has the index of each group type.'
const onPlan = (type: string, more: object = {}) => ({
  type,
  key: 'plan',
  operator: 'exact',
  value: 'pro',
  ...more,
})

/** Members of lists and of filters that are named by the word of a person. */
const NAMED_WITHIN: typeof REJECTED = [
  [
    'cohorts-add-persons-to-static-cohort-partial-update',
    { id: 1, person_ids: ['eva'] },
    'persons-list has the uuid of each person.',
  ],
  [
    'cohorts-add-persons-to-static-cohort-partial-update',
    { id: 1, distinct_ids: ['eva'] },
    'csv to cohorts-partial-update',
  ],
  [
    'cohorts-create',
    { name: 'x', is_static: true, _create_static_person_ids: ['eva'] },
    'For distinct ids, send csv.',
  ],
  [
    'cohorts-create',
    { name: 'x', is_static: true, distinct_ids: ['eva'] },
    'Send csv: one distinct id a line.',
  ],
  [
    'create-feature-flag',
    inGroup({ properties: [{ type: 'cohort', key: 'id', value: 'Testers' }] }),
    'cohorts-list has the id of each cohort.',
  ],
  [
    'create-feature-flag',
    inGroup({ properties: [{ type: 'flag', key: 'checkout', value: true, operator: 'flag_evaluates_to' }] }),
    'feature-flag-get-all has the id of each flag.',
  ],
  ['create-feature-flag', inGroup({ aggregation_group_type_index: 'company' }), GROUP_TYPES],
  [
    'create-feature-flag',
    inGroup({ properties: [onPlan('group', { group_type_index: 'company' })] }),
    GROUP_TYPES,
  ],
  ['groups-list', { group_type_index: 'company' }, GROUP_TYPES],
  ...[
    { properties: [onPlan('group')] },
    { properties: [onPlan('group', { group_type_index: 0 })] },
    { properties: [onPlan('group')], aggregation_group_type_index: 0 },
    { properties: [onPlan('person')], aggregation_group_type_index: 0 },
  ].map((set): (typeof REJECTED)[number] => [
    'create-feature-flag',
    inGroup(set),
    'Send aggregation_group_type_index in the condition set, and group_type_index in each property of it',
  ]),
  [
    'endpoint-create',
    { name: 'x', query: { kind: 'HogQLQuery', query: 'SELECT {variables.ev}' } },
    'Create each with insight-variables-create first, by its name with spaces',
  ],
  [
    'endpoint-run',
    { name: 'top-events', country: 'SE' },
    'If country is a variable, send it in variables: {"country": …}.',
  ],
  [
    'change-requests-list',
    { state: 'open' },
    'state: Any of pending, applied, rejected, expired, failed, approved',
  ],
]

describe('a mistaken call', () => {
  it.each([...REJECTED, ...NAMED_WITHIN])(
    'of %s with %o says what to send: %s',
    async (tool, given, says) => {
      const made = await world()
      const before = (await made.get(made.flags())).body
      const { body } = await callTool(made, tool, filled(given, made))
      expect(body.result.isError).toBe(true)
      const [{ text }] = body.result.content
      const error = text.startsWith('{') ? JSON.parse(text) : { detail: text }
      expect([error.detail, error.error, error.hint].filter(Boolean).join(' ')).toContain(says)
      expect((await made.get(made.flags())).body).toEqual(before)
    },
  )
})

describe('an error that says enough', () => {
  it.each<[tool: string, given: Record<string, unknown>, says: object]>([
    [
      'endpoint-run',
      { name: 'top-events', version: 9 },
      { error: "Version 9 not found for endpoint 'top-events'" },
    ],
    ['endpoints-materialization-suggestion-create', { name: 'top-events' }, { error: expect.any(String) }],
    ['endpoint-update', { name: 'top-events', new_name: 'x' }, { attr: 'new_name' }],
  ])('of %s with %o has no hint', async (tool, given, says) => {
    const { body } = await callTool(await world(), tool, given)
    const error = JSON.parse(body.result.content[0].text)
    expect(error).toMatchObject(says)
    expect(error).not.toHaveProperty('hint')
  })
})

/** Tool, arguments, and what is true of the result. */
const DONE: [tool: string, given: Given, result: object | ((world: World) => object)][] = [
  ['feature-flag-get-definition', ({ id }) => ({ id: String(id) }), { key: 'checkout' }],
  ['update-feature-flag', ({ id }) => ({ id: String(id), active: 'false' }), { active: false }],
  ['update-feature-flag', ({ id }) => ({ id, active: 'off' }), { active: false }],
  ['create-feature-flag', { key: 'new', active: 'yes' }, { active: true }],
  [
    'create-feature-flag',
    inGroup({ rollout_percentage: 33.3 }),
    { filters: { groups: [{ rollout_percentage: 33.3 }] } },
  ],
  ['organizations-invites-create', { target_email: 'x@example.com', level: '0' }, { level: 0 }],
  ['feature-flag-get-all', { active: false }, { count: 1, results: [{ key: 'banner', active: false }] }],
  [
    'feature-flag-get-all',
    { search: 'CHECK', limit: '5' },
    { count: 1, results: [{ key: 'checkout', active: true }] },
  ],
  [
    'feature-flags-test-evaluation-create',
    ({ id }) => ({ id, distinct_id: 42 }),
    { evaluation_distinct_id: '42' },
  ],
  [
    'feature-flags-evaluation-reasons-retrieve',
    { distinct_id: 'ada', flag_keys: 'banner' },
    { banner: { value: false } },
  ],
  [
    'feature-flags-bulk-delete-create',
    ({ id }) => ({ ids: [String(id)] }),
    ({ id }) => ({ deleted: [{ id, key: 'checkout' }] }),
  ],
  [
    'create-feature-flag',
    ofFlag('{"groups":[{"rollout_percentage":20}]}'),
    { filters: { groups: [{ rollout_percentage: 20 }] } },
  ],
  ['create-feature-flag', { key: 'new', tags: ' ["web"]' }, { tags: ['web'] }],
  // A text stays a text.
  ['create-feature-flag', { key: 'new', name: '["web"]' }, { name: '["web"]' }],
  [
    'feature-flags-bulk-delete-create',
    ({ id }) => ({ ids: `[${id}]` }),
    ({ id }) => ({ deleted: [{ id, key: 'checkout' }] }),
  ],
  ['query-run', { query: '{"kind":"HogQLQuery","query":"SELECT 1"}' }, { results: [[1]] }],
  [
    'query-run',
    {
      query: {
        kind: 'HogQLQuery',
        query: "SELECT DISTINCT distinct_id FROM events WHERE person.properties.plan = 'pro'",
      },
    },
    { results: [['ada']] },
  ],
  ['persons-list', { distinct_id: 'ada' }, { results: [{ distinct_ids: ['ada'] }] }],
  ['endpoint-run', { name: 'top-events', limit: '5' }, { limit: 5 }],
]

describe('a natural call', () => {
  it.each(DONE)('of %s with %o does what was meant', async (tool, given, result) => {
    const made = await world()
    const { body } = await callTool(made, tool, filled(given, made))
    expect(body.result.structuredContent ?? body.result).toMatchObject(
      typeof result === 'function' ? result(made) : result,
    )
  })
})

describe('an unknown tool', () => {
  it.each([
    ['get-feature-flag', 'feature-flag-get-definition'],
    ['feature_flag_get_all', 'feature-flag-get-all'],
    ['list-feature-flags', 'feature-flag-get-all'],
    ['run-endpoint', 'endpoint-run'],
    ['list-persons', 'persons-list'],
    // Names of upstream.
    ['feature-flag-disable', 'update-feature-flag with active: false'],
    ['feature-flag-unarchive', 'update-feature-flag with archived: false'],
    ['execute-sql', 'query-run'],
    ['projects-get', 'projects-list'],
    ['rollback-feature-flag', 'feature-flags-versions-retrieve, then update-feature-flag'],
    ['restore-feature-flag', 'update-feature-flag with deleted: false'],
    ['dashboard-get', 'dashboards-retrieve with usage_dashboard of the flag'],
    ['feature-flags-bulk-restore', 'update-feature-flag with deleted: false, for each flag'],
    ['cohorts-bulk-delete', 'cohorts-partial-update with deleted: true, for each cohort'],
    ['feature-flag-delete', 'delete-feature-flag'],
  ])('%s is an error that names %s', async (name, meant) => {
    const { body } = await ask(await createTenant(), 'tools/call', { name, arguments: {} })
    expect(body.error.code).toBe(-32602)
    expect(body.error.message).toMatch(new RegExp(`^Unknown tool: ${name}\\. Did you mean .*${meant}`))
  })

  it.each([
    'persons-bulk-delete',
    'events-bulk-delete',
    'feature-flag-reactivate',
    'feature-flags-bulk-enable',
    'organizations-members-add',
    'webhooks-pause',
  ])('%s is not answered with a tool that deletes something else', async (name) => {
    const { body } = await ask(await createTenant(), 'tools/call', { name, arguments: { ids: [1] } })
    expect(body.error.message).toMatch(/^Unknown tool/)
    expect(body.error.message.slice(name.length + 'Unknown tool: '.length)).not.toMatch(/delete|destroy/)
  })

  it('that is like none has no suggestion', async () => {
    const { body } = await ask(await createTenant(), 'tools/call', { name: 'x'.repeat(5_000) })
    expect(body.error.message).toBe(`Unknown tool: ${'x'.repeat(5_000)}`)
  })
})
