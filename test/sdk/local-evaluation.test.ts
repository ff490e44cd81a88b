// The feed of definitions for SDKs that evaluate by themselves: docs/reference/evaluation.md#definitions-for-sdks.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { seen } from '../support/responses'
import { sendBatch, groupIdentify } from '../support/capture'
import { dependsOn, inCohort, open, property, variants, where } from '../support/filters'
import { cohort, configureProject, overwriteFlag } from '../support/database/rows'
import { createTenant, type Tenant } from '../support/tenant'
import { publishSilently } from './flags-support'

const PATH = '/api/feature_flag/local_evaluation/'
const feedOf = async (tenant: Tenant) => (await tenant.get(`${PATH}?token=${tenant.projectToken}`)).body

/** The first property of a flag in the feed. */
const firstProperty = (
  { flags }: { flags: { key: string; filters: { groups: { properties: unknown[] }[] } }[] },
  key: string,
) => flags.find((flag) => flag.key === key)!.filters.groups[0]!.properties[0]

describe('GET local_evaluation', () => {
  it('returns flags of every runtime by key, with group types and cohorts', async () => {
    const tenant = await createTenant()
    await sendBatch(tenant, [groupIdentify('company', 'acme', {})])
    const id = await cohort(tenant, [property({ value: 'a@b.c' })])
    const zebra = await tenant.flag({ key: 'zebra', name: 'Stripes', filters: where(inCohort(id)) })
    const alpha = await tenant.flag({
      key: 'alpha',
      active: false,
      evaluation_runtime: 'server',
      evaluation_contexts: ['docs', 'shop'],
      ensure_experience_continuity: true,
      filters: variants({ a: 50, b: 50 }),
    })
    const gone = await tenant.flag({ key: 'gone', filters: open() })
    await tenant.delete(tenant.flags(gone.id))
    await tenant.patch(tenant.flags(gone.id), { deleted: true })
    const common = {
      team_id: tenant.projectId,
      deleted: false,
      has_experiment: false,
      version: 1,
    }
    const body = {
      flags: [
        {
          ...common,
          id: alpha.id,
          name: '',
          key: 'alpha',
          filters: alpha.filters,
          active: false,
          ensure_experience_continuity: true,
          evaluation_runtime: 'server',
          bucketing_identifier: alpha.bucketing_identifier,
          evaluation_contexts: ['docs', 'shop'],
        },
        {
          ...common,
          id: zebra.id,
          name: 'Stripes',
          key: 'zebra',
          filters: {
            ...zebra.filters,
            // What the management API adds for people to read is no part of the definition.
            groups: [
              {
                ...zebra.filters.groups[0],
                properties: [
                  expect.objectContaining({ key: 'id', type: 'cohort', value: id, operator: 'in' }),
                ],
              },
            ],
          },
          active: true,
          ensure_experience_continuity: false,
          evaluation_runtime: zebra.evaluation_runtime,
          bucketing_identifier: zebra.bucketing_identifier,
          evaluation_contexts: [],
        },
      ],
      group_type_mapping: { 0: 'company' },
      cohorts: {
        [id]: { type: 'OR', values: [{ type: 'AND', values: [property({ value: 'a@b.c' })] }] },
      },
      minimal_flag_called_events: false,
      property_matching_version: expect.any(Number),
    }
    for (const path of [
      PATH,
      '/api/feature_flag/local_evaluation',
      '/flags/definitions',
      '/flags/definitions/',
    ]) {
      for (const query of [
        `?token=${tenant.projectToken}&send_cohorts`,
        `?token=${tenant.projectToken}`,
        '',
      ]) {
        expect(seen(await tenant.get(`${path}${query}`))).toEqual({ status: 200, body })
      }
    }
  })

  it('returns referenced cohorts transitively, once each, without static and deleted ones', async () => {
    const tenant = await createTenant()
    const leaf = await cohort(tenant, [property({ key: 'plan', value: 'paid' })])
    const list = await cohort(tenant, [], { isStatic: true, filters: null })
    const deleted = await cohort(tenant, [], { deleted: true })
    const empty = await cohort(tenant, [], { filters: null })
    const unused = await cohort(tenant)
    const middle = await cohort(tenant, [
      { type: 'cohort', key: 'id', value: leaf },
      { type: 'cohort', key: 'id', value: list },
      { type: 'cohort', key: 'id', value: deleted },
    ])
    const outer = await cohort(tenant, [{ type: 'cohort', key: 'id', value: middle }])
    await tenant.flag({ key: 'one', filters: where(inCohort(outer), inCohort(list), inCohort(empty)) })
    await tenant.flag({ key: 'two', filters: where(inCohort(middle)) })
    expect(Object.keys((await feedOf(tenant)).cohorts).map(Number)).toEqual([leaf, middle, outer])
    expect(unused).toBeGreaterThan(0)

    await env.DB.prepare('UPDATE cohorts SET filters = ? WHERE id = ?')
      .bind(JSON.stringify({ properties: { type: 'OR', values: [{ type: 'cohort', value: outer }] } }), leaf)
      .run()
    await publishSilently(tenant)
    expect(Object.keys((await feedOf(tenant)).cohorts).map(Number)).toEqual([leaf, middle, outer])
  })

  it('logs the caller', async () => {
    const tenant = await createTenant()
    const { line } = await tenant.get('/api/feature_flag/local_evaluation/')
    expect(line).toMatchObject({ actor: 'apiKey', user_id: tenant.user.id, project_id: tenant.projectId })
  })

  it('names dependencies by key, with the chain that leads there', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag({ key: 'base', filters: open() })
    const side = await tenant.flag({ key: 'side', filters: open() })
    const middle = await tenant.flag({
      key: 'middle',
      filters: where(dependsOn(String(base.id)), dependsOn(String(side.id))),
    })
    const top = await tenant.flag({ key: 'top', filters: where(dependsOn(String(middle.id))) })
    const feed = await feedOf(tenant)
    const dependency = { type: 'flag', operator: 'flag_evaluates_to', value: true }
    expect(firstProperty(feed, 'top')).toEqual({
      ...dependency,
      key: 'middle',
      dependency_chain: ['base', 'side', 'middle'],
    })
    expect(firstProperty(feed, 'middle')).toEqual({ ...dependency, key: 'base', dependency_chain: ['base'] })
    // The API itself keeps telling the id.
    expect((await tenant.get(tenant.flags(top.id))).body.filters.groups[0].properties[0].key).toBe(
      String(middle.id),
    )
  })

  it('leaves the chain empty for a cycle or a missing flag', async () => {
    const tenant = await createTenant()
    const ids: Record<string, number> = {}
    for (const key of ['base', 'one', 'two', 'behind', 'itself', 'widow', 'orphan', 'secret', 'spy']) {
      ids[key] = (await tenant.flag({ key, filters: open() })).id
    }
    const filters = async (key: string, target: number | string) =>
      env.DB.prepare('UPDATE feature_flags SET filters = ? WHERE id = ?')
        .bind(JSON.stringify(where(dependsOn(String(target)))), ids[key])
        .run()
    await filters('one', ids.two!)
    await filters('two', ids.one!)
    await filters('behind', ids.one!)
    await filters('itself', ids.itself!)
    await filters('widow', 987654)
    await filters('orphan', ids.widow!)
    await filters('spy', ids.secret!)
    await overwriteFlag(ids.secret!, { hasEncryptedPayloads: true })
    await publishSilently(tenant)
    const feed = await feedOf(tenant)
    for (const [key, target] of [
      ['one', 'two'],
      ['two', 'one'],
      ['behind', 'one'],
      ['itself', 'itself'],
      ['widow', '987654'],
      ['orphan', 'widow'],
      ['spy', String(ids.secret)],
    ] as const) {
      expect([key, firstProperty(feed, key)]).toEqual([
        key,
        { type: 'flag', operator: 'flag_evaluates_to', value: true, key: target, dependency_chain: [] },
      ])
    }
  })

  it('leaves out flags with secrets, and malformed ones', async () => {
    const tenant = await createTenant()
    await tenant.flag({
      key: 'secret',
      is_remote_configuration: true,
      has_encrypted_payloads: true,
      filters: open({ payloads: { true: '"hush"' } }),
    })
    const poisoned = await tenant.flag({ key: 'poisoned', filters: open() })
    await tenant.flag({ key: 'sound', filters: open() })
    await env.DB.prepare('UPDATE feature_flags SET filters = ? WHERE id = ?')
      .bind('{"groups": [', poisoned.id)
      .run()
    await publishSilently(tenant)
    const feed = await feedOf(tenant)
    expect(feed.flags.map(({ key }: { key: string }) => key)).toEqual(['sound'])
    expect(JSON.stringify(feed)).not.toContain('hush')
  })
})

describe('the tag of the feed', () => {
  it('gives 304 to any of its forms, until a change', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.flag({ key: 'beta', filters: open() })
    const path = `${PATH}?token=${tenant.projectToken}`
    const ask = (tag: string) =>
      tenant.send('GET', path, { headers: { Authorization: `Bearer ${tenant.key}`, 'If-None-Match': tag } })
    const first = await tenant.get(path)
    const etag = first.headers.get('ETag')!
    expect(etag).toMatch(/^W\/"[\da-f]{32}"$/)
    expect(first.headers.get('Cache-Control')).toBe('private, must-revalidate')

    for (const tag of [etag, etag.slice(2), `"other", ${etag}`, `${etag},W/"other"`, '*']) {
      const response = await ask(tag)
      expect(seen(response)).toEqual({ status: 304, body: null })
      expect(response.headers.get('ETag')).toBe(etag)
      expect(response.headers.get('Cache-Control')).toBe('private, must-revalidate')
    }
    expect(await ask('"other"')).toMatchObject({ status: 200, body: first.body })

    await tenant.patch(tenant.flags(id), { name: 'Renamed' })
    const changed = await ask(etag)
    expect(changed).toMatchObject({ status: 200, body: { flags: [{ name: 'Renamed', version: 2 }] } })
    expect(changed.headers.get('ETag')).not.toBe(etag)
  })
})

describe('permission to read definitions', () => {
  it('needs a key with the scope, for a project that the key reaches', async () => {
    const tenant = await createTenant()
    const stranger = await createTenant()
    const path = `${PATH}?token=${tenant.projectToken}`
    const statusFor = async (scopes: string[]) => {
      const { status, body } = await (await tenant.withKey({ scopes })).get(path)
      return [status, body.code ?? 'ok']
    }
    expect(await statusFor(['feature_flag:read'])).toEqual([200, 'ok'])
    expect(await statusFor(['feature_flag:write'])).toEqual([200, 'ok'])
    expect(await statusFor(['*'])).toEqual([200, 'ok'])
    expect(await statusFor(['user:read'])).toEqual([403, 'permission_denied'])

    const code = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]
    expect(code(await tenant.send('GET', path))).toEqual([401, 'not_authenticated'])
    const headers = { Authorization: 'Bearer phx_nobody' }
    expect(code(await tenant.send('GET', path, { headers }))).toEqual([401, 'authentication_failed'])
    // The public token opens flags, not definitions.
    const asToken = { Authorization: `Bearer ${tenant.projectToken}` }
    expect(code(await tenant.send('GET', path, { headers: asToken }))).toEqual([401, 'authentication_failed'])
    expect(code(await stranger.get(path))).toEqual([403, 'permission_denied'])
    expect(code(await tenant.get(`${PATH}?token=phc_nobody`))).toEqual([401, 'invalid_api_key'])
    expect(code(await tenant.get(`${PATH}?token=`))).toEqual([401, 'missing_api_key'])
    expect(await tenant.send('GET', `${path}&personal_api_key=${tenant.key}`)).toMatchObject({ status: 200 })
  })

  it('gives 402 when the quota is used up', async () => {
    const tenant = await createTenant()
    await configureProject(tenant, { quotaLimited: ['feature_flags'] })
    await publishSilently(tenant)
    expect(seen(await tenant.get(PATH))).toEqual({
      status: 402,
      body: {
        type: 'quota_limited',
        code: 'payment_required',
        detail: 'The project has used up its flag evaluations.',
        attr: null,
      },
    })
  })

  it('gives 405 for methods other than GET', async () => {
    const tenant = await createTenant()
    expect(await tenant.post(PATH)).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
    expect(await tenant.send('OPTIONS', PATH)).toMatchObject({ status: 204 })
  })
})
