// Pages, their links and their order. Filters are in list-filters, list-stale and list-search.
import { describe, expect, it } from 'vitest'
import { PLACEHOLDER } from '../../../src/flags/payloads'
import {
  cohort,
  configureProject,
  dashboard,
  earlyAccessFeature,
  runningExperiment,
  survey,
} from '../../support/database/rows'
import { ORIGIN } from '../../support/harness'
import { signIn } from '../../support/session'
import { createTenant, type Tenant } from '../../support/tenant'

const keysOf = async (tenant: Tenant, query = '') =>
  (await tenant.get(`${tenant.flags()}${query}`)).body.results.map(({ key }: { key: string }) => key)

/** Flags `f1` … `f<count>`, a second apart, so that the newest is `f<count>`. */
async function createFlags(tenant: Tenant, count: number): Promise<void> {
  for (let at = 1; at <= count; at += 1) {
    tenant.clock.advance({ seconds: 1 })
    await tenant.flag({ key: `f${at}` })
  }
}

describe('GET feature_flags', () => {
  it('answers a page of flags in the shape of retrieve', async () => {
    const tenant = await createTenant()
    const first = await tenant.flag({ key: 'first', tags: ['b', 'a'], evaluation_contexts: ['web'] })
    tenant.clock.advance({ seconds: 1 })
    const second = await tenant.flag({ key: 'second' })

    const response = await tenant.get(tenant.flags())
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ count: 2, next: null, previous: null, results: [second, first] })
    expect((await tenant.get(tenant.flags(first.id))).body).toEqual(first)
  })

  it('answers flags that are large, or have many tags, in the same shape', async () => {
    const tenant = await createTenant()
    const value = Array.from({ length: 600 }, (_, at) => `"${at}" ${'é'.repeat(240)}`)
    const created = [
      await tenant.flag({ key: 'tagged', tags: Array.from({ length: 33 }, (_, at) => `tag-${100 + at}`) }),
      await tenant.flag({
        key: 'large',
        filters: { groups: [{ properties: [{ key: 'email', type: 'person', operator: 'exact', value }] }] },
      }),
      await tenant.flag({ key: 'usual', name: 'Quoted "name", \\ and \u2028' }),
    ]
    for (const flag of created) {
      const page = (await tenant.get(`${tenant.flags()}?limit=1&offset=${2 - created.indexOf(flag)}`)).body
      expect(page.results).toEqual([flag])
      expect(page.count).toBe(3)
    }
    const all = (await tenant.get(tenant.flags())).body
    expect(all.results).toEqual(created.toReversed())
  })

  it('counts archived flags and others apart, also past the end and in another order', async () => {
    const tenant = await createTenant()
    await createFlags(tenant, 2)
    const old = await tenant.flag({ key: 'old', active: false })
    expect((await tenant.patch(tenant.flags(old.id), { archived: true })).status).toBe(200)
    for (const query of ['', '&order=key', '&offset=10']) {
      expect((await tenant.get(`${tenant.flags()}?limit=5${query}`)).body.count).toBe(2)
      expect((await tenant.get(`${tenant.flags()}?limit=5&archived=true${query}`)).body.count).toBe(1)
    }
  })

  it('shows encrypted payloads with a key, and the placeholder with a session, in any order', async () => {
    const tenant = await createTenant()
    const browser = await signIn(tenant)
    await tenant.flag({
      key: 'secret',
      is_remote_configuration: true,
      has_encrypted_payloads: true,
      filters: { groups: [{ properties: [], rollout_percentage: 100 }], payloads: { true: '"hidden"' } },
    })
    const payloadSeenBy = async ({ get }: Pick<Tenant, 'get'>) =>
      (await get(tenant.flags())).body.results[0].filters.payloads.true
    expect(await payloadSeenBy(tenant)).toBe('"hidden"')
    expect(await payloadSeenBy(browser)).toBe(PLACEHOLDER)
    expect(await payloadSeenBy(tenant)).toBe('"hidden"')
  })

  it('shows all that is linked to a flag as retrieve does, few of a kind and many', async () => {
    const tenant = await createTenant()
    const cohorts = [await cohort(tenant), await cohort(tenant)]
    const flag = await tenant.flag({
      key: 'linked',
      tags: ['b', 'a'],
      evaluation_contexts: ['web'],
      analytics_dashboards: [await dashboard(tenant)],
      rollback_conditions: [{ threshold: 1.5 }],
      filters: {
        groups: cohorts.map((value) => ({ properties: [{ key: 'id', type: 'cohort', value }] })),
      },
    })
    await runningExperiment(tenant, flag.id)
    await earlyAccessFeature(tenant, flag.id)
    await survey(tenant, flag.id)
    await configureProject(tenant, { sessionRecordingLinkedFlagId: flag.id })
    const expectSame = async () => {
      const retrieved = (await tenant.get(tenant.flags(flag.id))).body
      expect((await tenant.get(tenant.flags())).body.results).toEqual([retrieved])
      return retrieved
    }
    expect(await expectSame()).toMatchObject({
      experiment_set_metadata: [{ name: 'Trial', is_running: true }],
      is_used_in_replay_settings: true,
      analytics_dashboards: [expect.any(Number)],
      rollback_conditions: [{ threshold: 1.5 }],
      filters: { groups: [{ properties: [{ cohort_name: expect.any(String) }] }, {}] },
    })
    for (let count = 0; count < 33; count += 1) await survey(tenant, flag.id, `Survey ${count}`)
    expect(Object.keys((await expectSame()).surveys)).toHaveLength(34)
  })

  it('answers an empty page for a project without flags', async () => {
    const tenant = await createTenant()
    const response = await tenant.get(tenant.flags())
    expect(response.body).toEqual({ count: 0, next: null, previous: null, results: [] })
  })

  it('shows no flag of another project, not even with its id in a filter', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    await other.flag({ key: 'theirs', tags: ['shared'] })
    await tenant.flag({ key: 'ours', tags: ['shared'] })
    expect(await keysOf(tenant)).toEqual(['ours'])
    expect(await keysOf(tenant, '?tags=["shared"]')).toEqual(['ours'])
    expect(await keysOf(tenant, '?search=theirs')).toEqual([])
    expect(await keysOf(tenant, `?created_by_id=${other.user.id}`)).toEqual([])
  })

  it('takes @current for the project of the caller', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'ours' })
    const response = await tenant.get('/api/projects/@current/feature_flags/')
    expect(response.body).toMatchObject({ count: 1, results: [{ key: 'ours' }] })
  })

  it('leaves out deleted flags', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'gone' })
    await tenant.flag({ key: 'here' })
    await tenant.patch(tenant.flags(flag.id), { deleted: true })
    expect(await keysOf(tenant)).toEqual(['here'])
    expect(await keysOf(tenant, '?search=gone')).toEqual([])
  })

  it.each(['deleted', 'group', '__proto__', 'constructor'])(
    'rejects the parameter %s by name',
    async (name) => {
      const { status, body } = await (
        await createTenant()
      ).get(`/api/projects/@current/feature_flags/?${name}=x`)
      expect([status, body]).toEqual([
        400,
        {
          type: 'validation_error',
          code: 'unknown_field',
          detail: expect.stringContaining(`Unknown parameter: ${name}.`),
          attr: name,
        },
      ])
    },
  )
})

describe('GET feature_flags: paging', () => {
  const links = ({
    count,
    next,
    previous,
  }: {
    count: number
    next: string | null
    previous: string | null
  }) => ({
    count,
    next,
    previous,
  })

  it('links the pages, its parameters sorted, and omits offset from the link to the first page', async () => {
    const tenant = await createTenant()
    await createFlags(tenant, 5)
    const url = `${ORIGIN}${tenant.flags()}`

    const first = (await tenant.get(`${tenant.flags()}?type=boolean&limit=2&active=true`)).body
    expect(links(first)).toEqual({
      count: 5,
      next: `${url}?active=true&limit=2&offset=2&type=boolean`,
      previous: null,
    })
    const second = (await tenant.get(first.next)).body
    expect(links(second)).toEqual({
      count: 5,
      next: `${url}?active=true&limit=2&offset=4&type=boolean`,
      previous: `${url}?active=true&limit=2&type=boolean`,
    })
    const third = (await tenant.get(second.next)).body
    expect(links(third)).toEqual({
      count: 5,
      next: null,
      previous: `${url}?active=true&limit=2&offset=2&type=boolean`,
    })
    const keys = [first, second, third].flatMap(({ results }) => results).map(({ key }) => key)
    expect(keys).toEqual(['f5', 'f4', 'f3', 'f2', 'f1'])
  })

  it('keeps the query in the links, except a key', async () => {
    const tenant = await createTenant()
    await createFlags(tenant, 2)
    const path = `${tenant.flags()}?search=f%20%26&tags=["a b"]&limit=1`
    const response = await tenant.get(`${tenant.flags()}?limit=1&search=f&personal_api_key=${tenant.key}`)
    expect(response.body.next).toBe(`${ORIGIN}${tenant.flags()}?limit=1&offset=1&search=f`)
    expect((await tenant.get(path)).body).toEqual({ count: 0, next: null, previous: null, results: [] })
  })

  it('is empty past the end, and leads back', async () => {
    const tenant = await createTenant()
    await createFlags(tenant, 2)
    const response = await tenant.get(`${tenant.flags()}?limit=2&offset=10`)
    expect(response.body).toEqual({
      count: 2,
      next: null,
      previous: `${ORIGIN}${tenant.flags()}?limit=2&offset=8`,
      results: [],
    })
  })

  it.each(['9007199254740991', '9007199254740992', '99999999999999999999'])(
    'is empty from offset %s on',
    async (offset) => {
      const tenant = await createTenant()
      await createFlags(tenant, 1)
      const { body } = await tenant.get(`${tenant.flags()}?offset=${offset}`)
      expect(body).toMatchObject({ count: 1, next: null, results: [] })
    },
  )

  it.each(['0', '-1', 'abc', '', '1.5', '1e1', '0x2', 'NaN', '%00', '99999999999999999999x'])(
    'counts limit=%s as 100',
    async (limit) => {
      const tenant = await createTenant()
      await createFlags(tenant, 3)
      const response = await tenant.get(`${tenant.flags()}?limit=${limit}&offset=1`)
      expect(response.status).toBe(200)
      expect(response.body.results).toHaveLength(2)
      expect(response.body.previous).toBe(`${ORIGIN}${tenant.flags()}?limit=100`)
    },
  )

  it.each(['-1', 'abc', '', '1.5', '1e1', '1.0', 'Infinity', '%00'])(
    'counts offset=%s as 0',
    async (offset) => {
      const tenant = await createTenant()
      await createFlags(tenant, 2)
      const response = await tenant.get(`${tenant.flags()}?offset=${offset}`)
      expect(response.status).toBe(200)
      expect(response.body).toMatchObject({
        count: 2,
        previous: null,
        results: [{ key: 'f2' }, { key: 'f1' }],
      })
    },
  )

  it('cuts a limit to 1,000, also in the links', async () => {
    const tenant = await createTenant()
    await createFlags(tenant, 2)
    const response = await tenant.get(`${tenant.flags()}?limit=100000&offset=1001`)
    expect(response.body.previous).toBe(`${ORIGIN}${tenant.flags()}?limit=1000&offset=1`)
  })

  it('rejects a parameter that is repeated', async () => {
    const tenant = await createTenant()
    for (const query of ['limit=3&limit=1', 'search=f1&search=f2', 'order=key&order=-key'])
      expect((await tenant.get(`${tenant.flags()}?${query}`)).status).toBe(400)
  })
})

describe('GET feature_flags: order', () => {
  it('is newest first, ties by id, so that pages never overlap', async () => {
    const tenant = await createTenant()
    for (const key of ['a', 'b', 'c', 'd', 'e']) await tenant.flag({ key })
    expect(await keysOf(tenant)).toEqual(['e', 'd', 'c', 'b', 'a'])
    const pages = []
    for (const offset of [0, 1, 2, 3, 4]) pages.push(...(await keysOf(tenant, `?limit=1&offset=${offset}`)))
    expect(pages).toEqual(['e', 'd', 'c', 'b', 'a'])
  })

  it('follows a field, descending with - in front', async () => {
    const tenant = await createTenant()
    const b = await tenant.flag({ key: 'b', name: 'one', last_called_at: '2026-03-01T00:00:00Z' })
    tenant.clock.advance({ seconds: 1 })
    await tenant.flag({ key: 'c', name: 'three', active: false })
    tenant.clock.advance({ seconds: 1 })
    await tenant.flag({ key: 'a', name: 'two', last_called_at: '2026-03-02T00:00:00Z' })
    tenant.clock.advance({ seconds: 1 })
    await tenant.patch(tenant.flags(b.id), { name: 'one' })

    expect(await keysOf(tenant, '?order=key')).toEqual(['a', 'b', 'c'])
    expect(await keysOf(tenant, '?order=-key')).toEqual(['c', 'b', 'a'])
    expect(await keysOf(tenant, '?order=name')).toEqual(['b', 'c', 'a'])
    expect(await keysOf(tenant, '?order=created_at')).toEqual(['b', 'c', 'a'])
    expect(await keysOf(tenant, '?order=-created_at')).toEqual(['a', 'c', 'b'])
    expect(await keysOf(tenant, '?order=updated_at')).toEqual(['c', 'a', 'b'])
    expect(await keysOf(tenant, '?order=-version')).toEqual(['b', 'a', 'c'])
    expect(await keysOf(tenant, '?order=active')).toEqual(['c', 'b', 'a'])
    expect(await keysOf(tenant, '?order=-last_called_at')).toEqual(['a', 'b', 'c'])
    expect(await keysOf(tenant, '?order=id')).toEqual(['b', 'c', 'a'])
    expect(await keysOf(tenant, '?order=-created_by')).toEqual(['a', 'c', 'b'])
    expect(await keysOf(tenant, '?order=')).toEqual(['a', 'c', 'b'])
  })

  it.each(['nope', '--key', 'constructor', 'filters;', '-'])('rejects ordering by %s', async (order) => {
    const tenant = await createTenant()
    const response = await tenant.get(`${tenant.flags()}?order=${order}`)
    expect(response.status).toBe(400)
    const field = order.replace(/^-/, '')
    expect(response.body).toEqual({
      type: 'validation_error',
      code: 'invalid_input',
      detail:
        `Cannot order by "${field}". ` +
        'Use one of: id, key, name, created_at, updated_at, last_called_at, active, version, created_by.',
      attr: 'order',
    })
  })
})
