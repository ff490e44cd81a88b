// Fills a project with something of every kind that an import moves.
import { dependsOn, inCohort, open, property, variants, where } from '../../support/filters'
import type { Json, ServedProject } from './service'

const everybody = (properties: Json[], rollout: number): Json => ({
  groups: [{ properties, rollout_percentage: rollout }],
})

export async function fillProject({ call, capture, organization }: ServedProject): Promise<void> {
  await capture([
    ...Array.from({ length: 5 }, (_, number) => ({
      event: '$groupidentify',
      distinct_id: 'user-0',
      properties: {
        $group_type: 'company',
        $group_key: `company-${number}`,
        $group_set: { plan: number % 2 ? 'paid' : 'free' },
      },
    })),
    ...Array.from({ length: 30 }, (_, number) => ({
      event: 'visited',
      distinct_id: `user-${number}`,
      timestamp: `2026-10-${String(1 + (number % 28)).padStart(2, '0')}T00:00:00.000${100 + number}Z`,
      properties: {
        $set: {
          email: `user-${number}@example.com`,
          country: ['FR', 'DE', 'be'][number % 3],
          plan: number % 2 ? 'paid' : 'free',
          age: 20 + number,
        },
        number,
        $groups: { company: `company-${number % 5}` },
      },
    })),
    { event: '$identify', distinct_id: 'user-1', properties: { $anon_distinct_id: 'anonymous-1' } },
  ])
  const cohort = async (body: Json) => (await call<{ id: number }>('POST', 'cohorts/', body)).id
  const conditions = (...values: Json[]): Json => ({
    properties: { type: 'OR', values: [{ type: 'AND', values }] },
  })
  const french = await cohort({
    name: 'French',
    filters: conditions(property({ key: 'country', operator: 'exact', value: ['FR'] })),
  })
  const payers = await cohort({
    name: 'Payers from elsewhere',
    description: 'nested',
    filters: conditions(property({ key: 'plan', value: 'paid', operator: 'exact' }), {
      key: 'id',
      type: 'cohort',
      value: french,
      negation: true,
    }),
  })
  const testers = await cohort({ name: 'Testers', is_static: true, csv: 'user-1\nuser-2\nuser-3' })
  await cohort({ name: 'French', is_static: true, csv: 'user-0' })

  const flag = async (key: string, filters: Json, rest: Json = {}) =>
    (
      await call<{ id: number }>('POST', 'feature_flags/', {
        key,
        filters,
        _should_create_usage_dashboard: false,
        ...rest,
      })
    ).id
  const change = (id: number, body: Json) => call('PATCH', `feature_flags/${id}/`, body)
  await flag('partly', everybody([], 33.3), {
    name: 'A third',
    tags: ['growth', 'web'],
    _should_create_usage_dashboard: true,
    evaluation_contexts: ['checkout'],
    evaluation_runtime: 'server',
  })
  const colour = await flag(
    'colour',
    variants({ red: 50, blue: 50 }, { payloads: { red: '"#f00"', blue: { hex: '#00f' } } }),
  )
  await flag('on-blue', everybody([dependsOn(String(colour), { value: 'blue' })], 70))
  await flag('payers', where(inCohort(payers)))
  await flag('testers', where(inCohort(testers, { operator: 'not_in' })))
  await flag('named', where(property({ operator: 'regex', value: '^(?!user-9)user-[0-9]@' })))
  await flag('company', {
    ...everybody(
      [property({ key: 'plan', type: 'group', operator: 'exact', group_type_index: 0, value: 'paid' })],
      60,
    ),
    aggregation_group_type_index: 0,
  })
  await flag('held-out', open({ holdout: { id: 7, exclusion_percentage: 40 } }))
  await flag('device', everybody([], 50), { bucketing_identifier: 'device_id' })
  await flag('secret', open({ payloads: { true: '"s3cret"' } }), {
    is_remote_configuration: true,
    has_encrypted_payloads: true,
  })
  await call('POST', 'feature_flags/', { key: 'empty', _should_create_usage_dashboard: false })
  const base = await flag('off-base', open())
  const dependent = await flag('off-dependent', where(dependsOn(String(base))))
  await change(dependent, { active: false })
  await change(base, { active: false, archived: true })

  const variable = await call<{ id: string }>('POST', 'insight_variables/', {
    name: 'Event name',
    type: 'String',
    default_value: 'visited',
  })
  await call('PATCH', `insight_variables/${variable.id}/`, { name: 'Name of the event' })
  await call('POST', 'insight_variables/', { name: 'Since', type: 'Date', default_value: '2026-01-01' })

  const sql = (query: string): Json => ({ kind: 'HogQLQuery', query })
  await call('POST', 'endpoints/', {
    name: 'visits',
    query: sql('SELECT count() FROM events WHERE event = {variables.event_name}'),
    description: 'all',
    tags: ['ops'],
    data_freshness_seconds: 3600,
  })
  await call('PATCH', 'endpoints/visits/', {
    query: sql(
      `SELECT count() AS n FROM events WHERE event = {variables.event_name} AND person_id IN COHORT ${testers}`,
    ),
    description: 'of testers',
  })
  await call('PATCH', 'endpoints/visits/?version=1', { is_active: false })
  await call('POST', 'endpoints/', {
    name: 'trend',
    query: {
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: 'visited', math: 'unique_group', math_group_type_index: 0 }],
      breakdownFilter: { breakdown_type: 'cohort', breakdown: [testers, 'all'] },
      properties: [{ key: 'id', type: 'cohort', operator: 'in', value: testers }],
    },
    is_active: false,
  })
  await call('POST', 'endpoints/', {
    name: 'daily',
    query: sql('SELECT toStartOfDay(timestamp) AS day, count() AS n FROM events GROUP BY day'),
    is_materialized: true,
  })

  const named = async (path: string, name: string) => {
    const { results } = await call<{ results: { id: string; name: string }[] }>('GET', path)
    return results.find((each) => each.name === name)!.id
  }
  const visited = await named('event_definitions/', 'visited')
  await call('PATCH', `event_definitions/${visited}/`, {
    description: 'A visit',
    tags: ['core'],
    verified: true,
  })
  const age = await named('property_definitions/?type=person', 'age')
  const dashboard = await call<{ id: number }>('POST', 'dashboards/', {
    name: 'Overview',
    description: 'Of the shop',
    filters: { date_from: '-14d' },
    tiles: [{ endpoint: 'visits', layouts: { sm: { x: 0, y: 2, w: 6, h: 4 } } }, { endpoint: 'daily' }],
  })
  await call('POST', 'dashboards/', { name: 'Overview' })
  await change(colour, { analytics_dashboards: [dashboard.id] })
  const schedule = (body: Json) =>
    call<{ id: number }>('POST', 'scheduled_changes/', {
      model_name: 'FeatureFlag',
      record_id: String(colour),
      ...body,
    })
  await schedule({
    payload: { operation: 'add_release_condition', value: where(inCohort(payers)) },
    scheduled_at: '2099-03-01T08:00:00Z',
  })
  const weekly = await schedule({
    payload: { operation: 'update_status', value: false },
    scheduled_at: '2099-04-01T08:00:00Z',
    is_recurring: true,
    recurrence_interval: 'weekly',
    end_date: '2099-12-31T00:00:00Z',
  })
  await call('PATCH', `scheduled_changes/${weekly.id}/`, { is_recurring: false })
  await call('POST', 'webhooks/', {
    url: 'https://hooks.example.com/halyard',
    events: ['Cohort.created', 'FeatureFlag.*'],
    description: 'To the chat',
  })
  await call('PATCH', '', { timezone: 'Europe/Berlin', require_evaluation_contexts: false })
  const { results: members } = await organization<{ results: { level: number; user: Json }[] }>('members/')
  // Other tests add members, and remove them.
  const owner = members.find(({ level }) => level === 15)!
  await call('POST', 'approval_policies/', {
    action_key: 'feature_flag.update',
    conditions: { type: 'before_after', field: 'rollout_percentage', operator: '>', value: 99 },
    approver_config: { quorum: 1, users: [owner.user.id] },
    expires_after: '2 00:00:00',
    bypass_org_membership_levels: [15],
  })
  await call('PATCH', `property_definitions/${age}/`, { property_type: 'String', description: 'In years' })
}

/** What a project has, without what differs between projects: ids, users and times. */
export async function contentsOf({ list, call, rows, organization }: ServedProject) {
  const flags = [
    ...(await list('feature_flags/?limit=100')),
    ...(await list('feature_flags/?archived=true&limit=100')),
  ]
  const cohorts = await list('cohorts/?limit=100')
  const variables = await list('insight_variables/')
  const endpoints = await list<{ name: string }>('endpoints/')
  const dashboards = await list('dashboards/?creation_mode=default')
  const { results: members } = await organization<{ results: { user: Json }[] }>('members/')
  const names = new Map<string, string>([
    ...dashboards.map(({ id, name }): [string, string] => [`dashboard ${String(id)}`, String(name)]),
    ...members.map(({ user }): [string, string] => [`user ${String(user.id)}`, String(user.email)]),
    ...cohorts.map(({ id, name }): [string, string] => [`cohort ${String(id)}`, String(name)]),
    ...flags.map(({ id, key }): [string, string] => [`flag ${String(id)}`, String(key)]),
  ])
  const byName = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, function (this: Json, key, member: unknown) {
        if (key === 'value' && this.type === 'cohort') return names.get(`cohort ${String(member)}`)
        if (key === 'key' && this.type === 'flag') return names.get(`flag ${String(member)}`)
        if (key === 'analytics_dashboards')
          return (member as number[]).map((id) => names.get(`dashboard ${id}`))
        if (key === 'usage_dashboard') return member !== null
        if (key === 'record_id') return names.get(`flag ${String(member)}`)
        if (key === 'users') return (member as number[]).map((id) => names.get(`user ${id}`)).toSorted()
        return OMITTED.has(key) ? undefined : member
      }),
    )
  const sorted = (each: unknown[], by: string) =>
    each.map(byName).toSorted((a, b) => (String((a as Json)[by]) < String((b as Json)[by]) ? -1 : 1))
  return {
    groupTypes: await call('GET', 'groups_types/'),
    flags: sorted(flags, 'key'),
    cohorts: sorted(
      cohorts.map((cohort) => ({
        ...cohort,
        sortedBy: `${String(cohort.name)} ${String(cohort.is_static)}`,
      })),
      'sortedBy',
    ),
    members: await rows(
      'SELECT c.name, d.distinct_id FROM (SELECT 1 AS name, person_id FROM cohort_people) AS c ' +
        'INNER JOIN person_distinct_ids AS d ON d.person_id = c.person_id ORDER BY d.distinct_id',
    ),
    variables: sorted(variables, 'code_name'),
    endpoints: await Promise.all(
      endpoints
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .map(async ({ name }) =>
          (await list<{ query: Json }>(`endpoints/${name}/versions/`)).map((version) => ({
            ...(byName(version) as Json),
            query: String(version.query.kind),
          })),
        ),
    ),
    dashboards: sorted(
      await Promise.all(dashboards.map(({ id }) => call<Json>('GET', `dashboards/${String(id)}/`))),
      'description',
    ),
    scheduledChanges: sorted(await list('scheduled_changes/'), 'scheduled_at'),
    // A webhook that was imported is paused.
    webhooks: sorted(await list('webhooks/'), 'url').map((each) => ({ ...(each as Json), active: false })),
    policies: sorted(await list('approval_policies/'), 'action_key'),
    settings: await call('GET', '').then(({ timezone, require_evaluation_contexts: rule }) => ({
      timezone,
      rule,
    })),
    definitions: [
      ...sorted(await list('event_definitions/'), 'name').filter((each) => (each as Json).name === 'visited'),
      ...sorted(await list('property_definitions/?type=person'), 'name'),
    ],
  }
}

const OMITTED = new Set([
  'id',
  'created_at',
  'updated_at',
  'last_updated_at',
  'created_by',
  'last_modified_by',
  'last_calculation',
  'last_seen_at',
  'last_executed_at',
  'version_id',
  'current_version_id',
  'version_created_at',
  'version_updated_at',
  'version_created_by',
  'variableId',
  'cohort_name',
  'url',
  'ui_url',
  'endpoint_path',
  'materialization',
  'team_id',
])
