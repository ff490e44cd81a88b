// The compatibility guide against the service, as far as no other suite tests it.
import { describe, expect, it } from 'vitest'
import { areas, sdkArea } from '../../src/areas'
import { refused, seen } from '../support/responses'
import { hogql } from '../support/endpoints/endpoints'
import { createTenant } from '../support/tenant'

const notFound = {
  status: 404,
  body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
}

/** By tag of the area. */
const pages: Record<string, string> = Object.fromEntries(
  Object.values(
    import.meta.glob(['../../src/docs/guide/compatibility*.md'], {
      query: '?raw',
      import: 'default',
      eager: true,
    }),
  ).map((text) => [/^# (?:Compatibility: )?(.*)/.exec(text)![1]!, text]),
)

/** A heading of one id, or of several with a comma, stands above their differences. */
const idsIn = (text: string) =>
  [...text.matchAll(/^## `[\w`, ]+`$/gm)].flatMap(([heading]) =>
    [...heading.matchAll(/`(\w+)`/g)].map(([, id]) => id!),
  )

describe('the guide', () => {
  it('has a page for each area, whose headings name its operations, each once', () => {
    const { Compatibility: _, ...ofAreas } = pages
    expect(Object.keys(ofAreas).sort()).toEqual(
      [...areas, sdkArea].map(({ tag }) => (tag === 'SDK' ? tag : tag.toLowerCase())).sort(),
    )
    for (const { tag, operations } of [...areas, sdkArea]) {
      const named = idsIn(ofAreas[tag] ?? ofAreas[tag.toLowerCase()]!)
      const ids = new Set(operations.map(({ id }) => id))
      expect(named.filter((id, index) => !ids.has(id) || named.indexOf(id) !== index)).toEqual([])
    }
  })

  it('gives a reason for every difference', () => {
    const differences = Object.values(pages)
      .flatMap((text) => text.split(/^- /m).slice(1))
      .map((text) => text.split('\n\n')[0]!.trim())
    expect(differences.length).toBeGreaterThan(150)
    expect(differences.filter((text) => !/\.\s+_.+\._$/s.test(text))).toEqual([])
  })
})

describe('everywhere', () => {
  it('lets no page of another origin call the management API', async () => {
    const tenant = await createTenant()
    const headers = { Authorization: `Bearer ${tenant.key}`, Origin: 'https://app.test' }
    for (const [method, status] of [
      ['GET', 200],
      ['OPTIONS', 405],
    ] as const) {
      const response = await tenant.send(method, tenant.flags(), { headers })
      expect([response.status, response.headers.get('Access-Control-Allow-Origin')]).toEqual([status, null])
    }
  })
})

describe('feature flags', () => {
  it('rejects unknown orders, PUT and the verbs of upstream', async () => {
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

  it('rejects patterns that neither engine runs', async () => {
    const tenant = await createTenant()
    for (const [value, construct] of [
      ['(?(1)a|b)', 'a conditional group'],
      ['[a&&b]', 'a class inside a class, or an operation on classes'],
      ['a**', 'a repeated repetition'],
    ]) {
      const properties = [{ key: 'plan', type: 'person', operator: 'regex', value }]
      const response = await tenant.post(tenant.flags(), {
        key: 'patterned',
        filters: { groups: [{ properties }] },
      })
      expect(seen(response)).toEqual(
        refused(
          'filters',
          `groups[0].properties[0].value: ${construct} is not supported in regular expressions here`,
        ),
      )
    }
  })

  it('shows no links and the same access for every member', async () => {
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

  it('creates cohorts and dashboards for keys, with 200', async () => {
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

  it('returns an empty page of activity past the end, and {error} from test_evaluation', async () => {
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
  const REJECTED: readonly [text: string, detail: string][] = [
    [
      'SELECT count() FROM events SAMPLE 0.1',
      "SAMPLE is not supported: use a condition, such as endsWith(uuid, '0') for one event of sixteen at line 1, column 21",
    ],
    [
      'SELECT * FROM query_log',
      "Unknown table 'query_log': runs of an endpoint are in its logs, at …/endpoints/{name}/logs at line 1, column 15",
    ],
    ['SELECT team_id FROM events', 'Unable to resolve field: team_id at line 1, column 8'],
    [
      'SELECT 1 LIMIT 1 WITH TIES',
      'LIMIT … WITH TIES is not supported: use QUALIFY rank() OVER (ORDER BY …) <= n at line 1, column 1',
    ],
    [
      'SELECT rand()',
      "Unsupported function call 'rand(...)': a result must not differ from run to run. Use a hash of the id, such as substring(uuid, 1, 1) at line 1, column 8",
    ],
    [
      'SELECT match(event, distinct_id) FROM events',
      "'match' needs the ClickHouse engine: the built-in database takes it with constants besides one text, which it reads from the tables of its own SELECT.",
    ],
  ]

  it.each(REJECTED)('rejects %s', async (text, detail) => {
    const tenant = await createTenant()
    const response = await tenant.post(tenant.endpoints(), { name: 'refused', query: hogql(text) })
    expect(seen(response)).toEqual(refused('query', `Invalid HogQL query: ${detail}`))
  })

  it('rejects reserved names', async () => {
    const tenant = await createTenant()
    const named = { name: 'last_execution_times', query: hogql('SELECT 1') }
    expect(seen(await tenant.post(tenant.endpoints(), named))).toEqual(
      refused('name', "Invalid name 'last_execution_times'. This name is reserved."),
    )
  })
})

describe('accounts', () => {
  it('rejects other tokens with 401 and forms with 415', async () => {
    const tenant = await createTenant()
    for (const token of ['pha_oauth', 'phs_secret']) {
      const headers = { Authorization: `Bearer ${token}` }
      const response = await tenant.send('GET', '/api/users/@me/', { headers })
      expect(response).toMatchObject({ status: 401, body: { code: 'authentication_failed' } })
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

  it('accepts the own uuid for @me, and keys for onboarding and scenes', async () => {
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

  it('rejects enforce_2fa of a caller without a second factor', async () => {
    const tenant = await createTenant({ level: 8 })
    const response = await tenant.patch('/api/organizations/@current/', { enforce_2fa: true })
    expect(response).toMatchObject({ status: 400, body: { attr: 'enforce_2fa', code: '2fa_not_enabled' } })
  })

  it('ignores settings without a function and shows the defaults of an organization', async () => {
    const tenant = await createTenant({ level: 8 })
    const response = await tenant.patch('/api/organizations/@current/', { is_hipaa: true })
    expect(response).toMatchObject({
      status: 200,
      body: { enforce_2fa: null, plugins_access_level: 3, available_product_features: [], is_hipaa: false },
    })
  })
})

describe('SDKs', () => {
  it('responds to v=3 as to v=2, and lists unusable events', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'beta', filters: { groups: [{ rollout_percentage: 100 }] } })
    const body = { token: tenant.projectToken, distinct_id: 'ada' }
    const response = await tenant.send('POST', '/flags/?v=3', { body })
    expect(response.body.flags).toMatchObject({ beta: { key: 'beta', enabled: true, variant: null } })

    const batch = [{ event: 'opened', distinct_id: 'ada' }, { distinct_id: 'ada' }]
    expect(
      seen(await tenant.send('POST', '/batch/', { body: { api_key: tenant.projectToken, batch } })),
    ).toEqual({
      status: 200,
      body: { status: 'Ok', errors: [{ index: 1, detail: 'This field is required.', attr: 'event' }] },
    })
  })
})

describe('operations that are not served', () => {
  it.each(['/api/users/', '/api/users/@me/hedgehog_config/', '/api/reset/'])(
    '%s returns 404',
    async (path) => {
      const tenant = await createTenant()
      expect(seen(await tenant.get(path))).toEqual(notFound)
    },
  )

  it.each(['GET', 'POST'])('%s /i/v0/ai/ returns 404 that names the path for JSON', async (method) => {
    const tenant = await createTenant()
    expect(seen(await tenant.send(method, '/i/v0/ai/'))).toEqual({
      status: 404,
      body: {
        ...notFound.body,
        detail:
          'AI events in parts (multipart/form-data) are not served here: send them as JSON to /i/v0/ai/batch/ or /batch/.',
      },
    })
  })

  it.each(['insights', 'experiments'])('%s of a project returns 404 that names it', async (name) => {
    const tenant = await createTenant()
    const { status, body } = await tenant.get(`/api/projects/@current/${name}/`)
    expect({ status, body }).toEqual({
      status: 404,
      body: {
        ...notFound.body,
        detail: `This service does not serve "${name}" here. /docs/guide/compatibility lists what it serves, /docs every operation.`,
      },
    })
  })

  it('local evaluation inside projects returns 404', async () => {
    const tenant = await createTenant()
    expect(await tenant.get(tenant.flags('local_evaluation'))).toMatchObject({ status: 404 })
  })
})
