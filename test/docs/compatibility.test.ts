// What the compatibility guide says of this service, asked of it. What other suites hold already is not asked again.
import { describe, expect, it } from 'vitest'
import { areas, sdkArea } from '../../src/areas'
import { differences } from '../../src/docs/compatibility'
import { joinDifferences } from '../../src/docs/compatibility/difference'
import { compatibilityGuide } from '../../src/docs/compatibility/table'
import { refused, seen } from '../support/answers'
import { hogql } from '../support/endpoints'
import { createTenant } from '../support/tenant'

const notFound = {
  status: 404,
  body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
}

describe('the guide', () => {
  const guide = compatibilityGuide(areas, sdkArea, [], differences, { operations: {}, schemas: {} })

  it('has a row for every operation', () => {
    const calls = [
      ...areas.flatMap(({ operations }) =>
        operations
          .filter(({ id }) => !id.startsWith('environments_'))
          .map(({ method, path }) => `${method.toUpperCase()} ${path}`),
      ),
      ...sdkArea.operations.map(
        ({ methods, paths }) => `${methods.join(', ').toUpperCase()} ${paths.join(', ')}`,
      ),
    ]
    expect(calls.filter((call) => !guide.includes(`| \`${call}\`<br>`))).toEqual([])
  })

  it('gives a reason for every difference', () => {
    const told = [
      ...differences.everywhere,
      ...Object.values(differences.areas).flat(),
      ...Object.values(differences.operations).flat(),
    ]
    expect(told.filter(({ what, why }) => !what.endsWith('.') || !why.endsWith('.'))).toEqual([])
  })

  it('knows no differences of what is not there', () => {
    const stray = joinDifferences([
      { operations: { feature_flags_paint: [{ what: 'Red.', why: 'It is.' }] }, added: ['users_fly'] },
      { areas: { Kites: [] } },
    ])
    expect(() => compatibilityGuide(areas, sdkArea, [], stray, { operations: {}, schemas: {} })).toThrow(
      'Differences of what is not there: Kites, feature_flags_paint, users_fly',
    )
  })

  it('puts what two lists say of one operation behind each other', () => {
    const [one, other] = [
      { what: 'One.', why: 'It is.' },
      { what: 'Another.', why: 'It is.' },
    ]
    const both = joinDifferences([{ areas: { SDK: [one] } }, { areas: { SDK: [other] } }])
    expect(both.areas).toEqual({ SDK: [one, other] })
  })
})

describe('feature flags', () => {
  it('take orders of known fields, and PATCH in place of PUT and of the verbs', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.flag({ key: 'beta' })
    expect(seen(await tenant.get(`${tenant.flags()}?order=filters`))).toEqual(
      refused(
        'order',
        'Cannot order by "filters". Use one of: id, key, name, created_at, updated_at, last_called_at, active, version, created_by.',
      ),
    )
    expect(await tenant.put(tenant.flags(id), { key: 'beta' })).toMatchObject({
      status: 405,
      body: { code: 'method_not_allowed' },
    })
    for (const verb of ['enable', 'disable', 'archive', 'unarchive']) {
      expect(seen(await tenant.post(tenant.flags(`${id}/${verb}`), {}))).toEqual(notFound)
    }
  })

  it('have patterns that run in linear time', async () => {
    const tenant = await createTenant()
    for (const value of ['(?=a)b', '(a)\\1', 'a++', '(?>a)']) {
      const properties = [{ key: 'plan', type: 'person', operator: 'regex', value }]
      const answer = await tenant.post(tenant.flags(), {
        key: 'patterned',
        filters: { groups: [{ properties }] },
      })
      expect(seen(answer)).toEqual(refused('filters', 'groups[0].properties[0].value: invalid regex pattern'))
    }
  })

  it('are linked to nothing, and shown to everybody alike', async () => {
    const tenant = await createTenant()
    expect(await tenant.flag({ key: 'beta' })).toMatchObject({
      experiment_set: [],
      experiment_set_metadata: [],
      surveys: {},
      features: {},
      can_edit: true,
      user_access_level: 'manager',
      is_used_in_replay_settings: false,
    })
  })

  it('give keys their cohorts and dashboards, with 200', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.flag({ key: 'beta', _should_create_usage_dashboard: false })
    expect(await tenant.post(tenant.flags(`${id}/create_static_cohort_for_flag`), {})).toMatchObject({
      status: 200,
      body: { cohort: { is_static: true, groups: [] } },
    })
    expect(seen(await tenant.post(tenant.flags(`${id}/dashboard`), {}))).toEqual({
      status: 200,
      body: { success: true },
    })
  })

  it('have empty pages of activity past the end, and one sentence for what test_evaluation refuses', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.flag({ key: 'beta' })
    expect(await tenant.get(`${tenant.flags(id)}activity/?page=9`)).toMatchObject({
      status: 200,
      body: { results: [], next: null, total_count: 1 },
    })
    expect(seen(await tenant.post(tenant.flags(`${id}/test_evaluation`), {}))).toEqual({
      status: 400,
      body: { error: 'Either distinct_id or person_id must be provided' },
    })
  })
})

describe('saved queries', () => {
  const REFUSED: readonly [text: string, detail: string][] = [
    ['SELECT count() FROM events SAMPLE 0.1', 'SAMPLE is not supported at line 1, column 21'],
    ['SELECT * FROM query_log', "Unknown table 'query_log' at line 1, column 15"],
    ['SELECT team_id FROM events', 'Unable to resolve field: team_id at line 1, column 8'],
    ['SELECT 1 LIMIT 1 WITH TIES', 'LIMIT … WITH TIES is not supported at line 1, column 1'],
    ['SELECT rand()', "Unsupported function call 'rand(...)' at line 1, column 8"],
    [
      "SELECT match(event, 'a') FROM events",
      "'match' needs the ClickHouse engine: the built-in database has no regular expressions.",
    ],
  ]

  it.each(REFUSED)('refuse %s', async (text, detail) => {
    const tenant = await createTenant()
    const answer = await tenant.post(tenant.endpoints(), { name: 'refused', query: hogql(text) })
    expect(seen(answer)).toEqual(refused('query', `Invalid HogQL query: ${detail}`))
  })

  it('know neither paths nor stickiness, and keep the names of their operations to themselves', async () => {
    const tenant = await createTenant()
    for (const kind of ['PathsQuery', 'StickinessQuery']) {
      const answer = await tenant.post(tenant.endpoints(), { name: 'refused', query: { kind } })
      expect(seen(answer)).toEqual(
        refused(
          'query',
          `Query kind '${kind}' is not supported. Supported: FunnelsQuery, HogQLQuery, LifecycleQuery, RetentionQuery, TrendsQuery.`,
        ),
      )
    }
    const named = { name: 'last_execution_times', query: hogql('SELECT 1') }
    expect(seen(await tenant.post(tenant.endpoints(), named))).toEqual(
      refused('name', "Invalid name 'last_execution_times'. This name is reserved."),
    )
  })
})

describe('accounts', () => {
  it('know personal keys alone, in JSON', async () => {
    const tenant = await createTenant()
    for (const token of ['pha_oauth', 'phs_secret']) {
      const headers = { Authorization: `Bearer ${token}` }
      const answer = await tenant.send('GET', '/api/users/@me/', { headers })
      expect(answer).toMatchObject({ status: 401, body: { code: 'authentication_failed' } })
    }
    const form = {
      headers: {
        Authorization: `Bearer ${tenant.key}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      raw: 'theme_mode=dark',
    }
    expect(await tenant.send('PATCH', '/api/users/@me/', form)).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
    })
  })

  it('take the own uuid for @me, and keys where they skip onboarding and choose scenes', async () => {
    const tenant = await createTenant()
    const me = `/api/users/${tenant.user.uuid}/`
    expect(await tenant.post(`${me}push_tokens/`, { token: 'device', platform: 'ios' })).toMatchObject({
      status: 200,
      body: { platform: 'ios' },
    })
    expect(await tenant.post(`${me}onboarding/skip/`, { reason: 'later' })).toMatchObject({
      status: 200,
      body: { onboarding_skipped_reason: 'later' },
    })
    expect(seen(await tenant.post(`${me}scene_personalisation/`, { theme_mode: 'dark' }))).toEqual({
      status: 200,
      body: null,
    })
    expect(seen(await tenant.get(`${me}integrations/?kind=slack`))).toEqual(
      refused(null, "Unsupported integration kind: 'slack'"),
    )
  })

  it('show a second factor for everybody, and enforce none', async () => {
    const tenant = await createTenant({ level: 8 })
    const answer = await tenant.patch('/api/organizations/@current/', { enforce_2fa: true })
    expect(answer).toMatchObject({
      status: 200,
      body: { enforce_2fa: null, plugins_access_level: 3, available_product_features: null, is_hipaa: false },
    })
  })
})

describe('SDKs', () => {
  it('get records for any later version, and are told of each event that cannot be used', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'beta', filters: { groups: [{ rollout_percentage: 100 }] } })
    const body = { token: tenant.projectToken, distinct_id: 'ada' }
    const answer = await tenant.send('POST', '/flags/?v=3', { body })
    expect(answer.body.flags).toMatchObject({ beta: { key: 'beta', enabled: true, variant: null } })

    const batch = [{ event: 'opened', distinct_id: 'ada' }, { distinct_id: 'ada' }]
    expect(
      seen(await tenant.send('POST', '/batch/', { body: { api_key: tenant.projectToken, batch } })),
    ).toEqual({
      status: 200,
      body: { status: 'Ok', errors: [{ index: 1, detail: 'This field is required.', attr: 'event' }] },
    })
  })
})

describe('what is not served', () => {
  it.each([
    '/api/users/',
    '/api/users/@me/hedgehog_config/',
    '/api/login/precheck/',
    '/api/reset/',
    '/api/projects/@current/activity_log/',
    '/api/projects/@current/persons/',
    '/api/projects/@current/cohorts/',
    '/api/projects/@current/dashboards/',
    '/api/projects/@current/query/',
    '/api/projects/@current/experiments/',
    '/api/projects/@current/feature_flags/local_evaluation/',
    '/api/surveys/',
    '/static/array.js',
  ])('%s is a 404', async (path) => {
    const tenant = await createTenant()
    expect(seen(await tenant.get(path))).toEqual(notFound)
  })
})
