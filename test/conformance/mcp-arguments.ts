// For every tool, valid arguments; other tools make what they need first.

type Arguments = Record<string, unknown>
/** Calls a tool and returns its structured content. */
// oxlint-disable-next-line typescript/no-explicit-any -- results become arguments
export type Call = (name: string, given?: Arguments) => Promise<Record<string, any>>

interface Trial {
  given?: Arguments | ((call: Call) => Promise<Arguments>)
  /** Words of the error, where a new service always fails. */
  refusal?: RegExp
}

let count = 0
const unique = (what: string) => `${what}-${(count += 1)}`

const newFlag = (call: Call, more: Arguments = {}) =>
  call('create-feature-flag', {
    key: unique('mcp'),
    filters: { groups: [{ rollout_percentage: 50 }] },
    ...more,
  })

const QUERY = { kind: 'HogQLQuery', query: 'SELECT event, count() AS total FROM events GROUP BY event' }

const aFlag = async (call: Call) => ({ id: (await newFlag(call)).id })
const newDashboard = async (call: Call) => {
  const flag = await aFlag(call)
  await call('feature-flags-dashboard-create', flag)
  return (await call('feature-flag-get-definition', flag)).usage_dashboard
}
const aScheduledChange = async (call: Call) => ({
  record_id: String((await newFlag(call)).id),
  model_name: 'FeatureFlag',
  payload: { operation: 'update_status', value: false },
  scheduled_at: '2099-01-01T00:00:00Z',
})
const anEndpoint = async (call: Call) => ({
  name: (await call('endpoint-create', { name: unique('mcp'), query: QUERY })).name,
})
const receiver = { url: 'https://hooks.example.com/', events: ['FeatureFlag.*'] }
/** A project has at most ten. */
const aWebhook = async (call: Call) => {
  const [known] = (await call('webhooks-list')).results
  return { id: (known ?? (await call('webhooks-create', receiver))).id }
}
const aVariable = async (call: Call) => ({
  id: (await call('insight-variables-create', { name: unique('mcp'), type: 'String' })).id,
})
const aStaticCohort = () => ({
  name: unique('mcp'),
  is_static: true,
  _create_static_person_ids: [] as string[],
})
const anEventDefinition = async (call: Call) => ({
  id: (await call('event-definitions-list')).results[0].id,
})
const anInvite = async (call: Call) => ({
  invite_id: (await call('organizations-invites-create', { target_email: `${unique('ada')}@example.com` }))
    .id,
})
const aWorkspace = async (call: Call) => ({
  id: (await call('integrations-create', { kind: 'chat', config: { chat_team_id: unique('T') } })).id,
})

/** @param client names what its calls create, because several clients share a project */
export const trialsFor = (client: string): Record<string, Trial> => ({
  'feature-flag-get-all': { given: { search: 'mcp', limit: 2 } },
  'create-feature-flag': { given: { key: `created-by-${client}`, tags: ['mcp'] } },
  'feature-flag-get-definition': { given: aFlag },
  'update-feature-flag': { given: async (call) => ({ ...(await aFlag(call)), active: false }) },
  'delete-feature-flag': { given: aFlag },
  'feature-flags-activity-retrieve': { given: aFlag },
  'feature-flags-status-retrieve': { given: aFlag },
  'feature-flags-test-evaluation-create': {
    given: async (call) => ({ ...(await aFlag(call)), distinct_id: 'ada' }),
  },
  'feature-flags-evaluation-reasons-retrieve': { given: { distinct_id: 'ada' } },
  'feature-flags-all-activity-retrieve': {},
  'local-evaluation': {},
  'feature-flags-versions-retrieve': {
    given: async (call) => ({ ...(await aFlag(call)), version_number: 1 }),
  },
  'feature-flags-dependent-flags-retrieve': { given: aFlag },
  'feature-flags-remote-config-retrieve': {
    given: async (call) => ({ id: (await newFlag(call, { is_remote_configuration: true })).id }),
  },
  'feature-flags-my-flags-retrieve': {},
  'feature-flags-matching-ids-retrieve': { given: { tags: ['mcp'] } },
  'feature-flags-user-blast-radius-create': { given: { condition: { properties: [] } } },
  'feature-flags-create-static-cohort-for-flag-create': { given: aFlag },
  'feature-flags-dashboard-create': { given: aFlag },
  'feature-flags-enrich-usage-dashboard-create': {
    given: async (call) => ({ id: (await newFlag(call, { has_enriched_analytics: true })).id }),
  },
  'feature-flags-bulk-delete-create': { given: async (call) => ({ ids: [(await aFlag(call)).id] }) },
  'feature-flags-bulk-keys-retrieve': { given: async (call) => ({ ids: [(await aFlag(call)).id] }) },
  'feature-flags-bulk-update-tags-create': {
    given: async (call) => ({ ids: [(await aFlag(call)).id], action: 'add', tags: ['mcp'] }),
  },
  'scheduled-changes-list': { given: { model_name: 'FeatureFlag' } },
  'scheduled-changes-create': { given: aScheduledChange },
  'scheduled-changes-delete': {
    given: async (call) => ({
      id: (await call('scheduled-changes-create', await aScheduledChange(call))).id,
    }),
  },
  'change-requests-list': { given: { state: 'pending' } },
  'endpoints-get-all': {},
  'endpoint-create': { given: { name: `created-by-${client}`, query: QUERY } },
  'endpoint-get': { given: anEndpoint },
  'endpoint-update': { given: async (call) => ({ ...(await anEndpoint(call)), description: 'changed' }) },
  'endpoint-delete': { given: anEndpoint },
  'endpoint-versions': { given: anEndpoint },
  'endpoint-run': { given: async (call) => ({ ...(await anEndpoint(call)), limit: 10 }) },
  'endpoint-logs': { given: anEndpoint },
  'endpoints-materialization-preview': { given: anEndpoint },
  'endpoints-materialization-conditions-retrieve': {},
  'endpoints-materialization-suggestion-create': {
    given: anEndpoint,
    refusal: /not enabled for this project/,
  },
  'endpoint-openapi': { given: anEndpoint },
  'endpoint-materialization-status': { given: anEndpoint },
  'endpoints-last-execution-times': { given: { names: [`created-by-${client}`] } },
  'query-run': { given: { query: QUERY } },
  'insight-variables-list': {},
  'insight-variables-create': { given: { name: `Created by ${client}`, type: 'String' } },
  'insight-variables-retrieve': { given: aVariable },
  'insight-variables-partial-update': {
    given: async (call) => ({ ...(await aVariable(call)), default_value: 'pro' }),
  },
  'insight-variables-destroy': { given: aVariable },
  'activity-logs-list': { given: async () => ({ scope: 'FeatureFlag' }) },
  'cohorts-list': {},
  'cohorts-retrieve': {
    given: async (call) => ({
      id: (await call('feature-flags-create-static-cohort-for-flag-create', await aFlag(call))).cohort.id,
    }),
  },
  'cohorts-create': { given: async () => aStaticCohort() },
  'cohorts-partial-update': {
    given: async (call) => ({
      id: (await call('cohorts-create', aStaticCohort())).id,
      description: 'Changed',
    }),
  },
  'cohorts-add-persons-to-static-cohort-partial-update': {
    given: async (call) => ({
      id: (await call('cohorts-create', aStaticCohort())).id,
      person_ids: [(await call('persons-list')).results[0].uuid],
    }),
  },
  'cohorts-rem-person-from-static-cohort-partial-update': {
    given: async (call) => {
      const person = (await call('persons-list')).results[0].uuid
      const { id } = await call('cohorts-create', { ...aStaticCohort(), _create_static_person_ids: [person] })
      return { id, person_id: person }
    },
  },
  'persons-list': {},
  'persons-retrieve': { given: async (call) => ({ id: (await call('persons-list')).results[0].id }) },
  'groups-types-list': {},
  'groups-list': { given: async () => ({ group_type_index: 0 }) },
  'groups-find-retrieve': {
    given: async (call) => ({
      group_type_index: 0,
      group_key: (await call('groups-list', { group_type_index: 0 })).results[0].group_key,
    }),
  },
  'dashboards-retrieve': {
    given: async (call) => ({ id: await newDashboard(call) }),
  },
  'event-definitions-list': {},
  'event-definitions-retrieve': { given: anEventDefinition },
  'event-definitions-partial-update': {
    given: async (call) => ({ ...(await anEventDefinition(call)), description: 'Changed' }),
  },
  'property-definitions-list': {},
  'property-definitions-retrieve': {
    given: async (call) => ({ id: (await call('property-definitions-list')).results[0].id }),
  },
  'property-definitions-partial-update': {
    given: async (call) => ({
      id: (await call('property-definitions-list')).results[0].id,
      property_type: 'String',
    }),
  },
  'webhooks-list': {},
  'webhooks-create': { given: receiver },
  'webhooks-partial-update': { given: async (call) => ({ ...(await aWebhook(call)), active: false }) },
  'webhooks-deliveries-list': {
    given: async (call) => ({ webhook_id: (await aWebhook(call)).id }),
  },
  'user-get': {},
  'user-settings-update': { given: { first_name: 'Ada' } },
  'users-scene-personalisation-create': {
    given: async (call) => ({ scene: 'Person', dashboard: await newDashboard(call) }),
  },
  'personal-api-keys-retrieve': { given: { id: '@current' } },
  'users-onboarding-skip-create': { given: { reason: 'later' } },
  'users-integrations-chat-linkable-workspaces-retrieve': {},
  'users-integrations-chat-start-create': {
    given: { team_id: 1, chat_team_id: 'T0' },
    refusal: /no_integration|workspace/i,
  },
  'users-integrations-list': { given: { kind: 'chat' } },
  'users-integrations-chat-destroy': { given: { chat_user_id: 'U1' }, refusal: /not_found|Not found/ },
  'integrations-list': {},
  'integrations-create': { given: { kind: 'chat', config: { chat_team_id: 'T9' } } },
  'integrations-destroy': { given: aWorkspace },
  'users-push-tokens-create': { given: { token: 'mcp', platform: 'ios' } },
  'users-push-tokens-unregister-create': { given: { token: 'mcp' } },
  'organizations-list': {},
  'organizations-retrieve': {},
  'organizations-partial-update': { given: { name: 'Changed by MCP' } },
  'organizations-members-list': {},
  'organizations-members-partial-update': {
    given: { user_uuid: '@me', level: 8 },
    refusal: /needs a recent sign-in/,
  },
  'organizations-members-destroy': { given: { user_uuid: '@me' }, refusal: /needs a recent sign-in/ },
  'organizations-invites-list': {},
  'organizations-invites-create': { given: { target_email: `grace.${client}@example.com` } },
  'organizations-invites-delegate-create': {
    given: { target_email: `lin.${client}@example.com` },
    // The key's user is an owner, who delegates to an admin.
    refusal: /Inviting admins and owners needs a recent sign-in/,
  },
  'organizations-invites-destroy': { given: anInvite },
  'organizations-projects-list': {},
  'organizations-projects-create': { given: { name: 'Made by MCP' } },
  'projects-list': {},
  'project-create': { given: { name: 'Also made by MCP' } },
  'project-get': {},
  'project-settings-update': { given: { timezone: 'UTC' } },
})
