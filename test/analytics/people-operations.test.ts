// Reading persons, groups and cohorts, and the paths beside them that are not served.
import { describe, expect, it } from 'vitest'
import { persons } from '../../drizzle'
import { event, groupIdentify, sendEach } from '../support/capture'
import { createHarness } from '../support/harness'
import { refused, seen } from '../support/responses'
import { cohort } from '../support/database/rows'
import { createTenant, database, type Tenant } from '../support/tenant'

const at = ({ projectId }: Pick<Tenant, 'projectId'>, rest: string) => `/api/projects/${projectId}/${rest}`
const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

describe('persons', () => {
  it('are listed newest first, in pages that follow a cursor', async () => {
    const tenant = await createTenant()
    for (const name of ['ada', 'grace', 'joan']) await sendEach(tenant, [event(name, { $set: { name } })])
    const names: string[] = []
    let next: string | null = `${at(tenant, 'persons/')}?limit=2`
    for (let page = 0; next !== null && page < 5; page += 1) {
      const { status, body } = await tenant.get(next)
      expect(status).toBe(200)
      names.push(...body.results.map(({ name }: { name: string }) => name))
      next = body.next
    }
    expect(names).toEqual(['joan', 'grace', 'ada'])
  })

  it('are found by a distinct id, and read by uuid or id', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [event('ada', { $set: { email: 'ada@example.com', n: 1 } }), event('grace')])
    const { body } = await tenant.get(`${at(tenant, 'persons/')}?distinct_id=ada`)
    const ada = {
      id: expect.any(Number),
      uuid: UUID,
      name: 'ada@example.com',
      distinct_ids: ['ada'],
      properties: { email: 'ada@example.com', n: 1 },
      created_at: '2026-03-10T12:00:00Z',
    }
    expect(body).toEqual({ next: null, previous: null, results: [ada] })
    const [person] = body.results
    for (const id of [person.uuid, person.uuid.toUpperCase(), person.id])
      expect(seen(await tenant.get(at(tenant, `persons/${id}/`)))).toEqual({ status: 200, body: person })
    expect((await tenant.get(`${at(tenant, 'persons/')}?search=grace`)).body.results).toMatchObject([
      { name: 'grace', properties: {} },
    ])
    expect((await tenant.get(`${at(tenant, 'persons/')}?distinct_id=nobody`)).body.results).toEqual([])
    expect((await tenant.get(`${at(tenant, 'persons/')}?distinct_id=ada&search=ada`)).body.results).toEqual([
      person,
    ])
    expect(seen(await tenant.get(`${at(tenant, 'persons/')}?distinct_id=ada&search=grace`))).toEqual(
      refused('search', 'Both search and distinct_id name one person: send one of them.'),
    )
  })

  it('of another project are not found', async () => {
    const harness = createHarness()
    const [tenant, other] = [await createTenant({ harness }), await createTenant({ harness })]
    await sendEach(other, [event('ada')])
    const [theirs] = (await other.get(at(other, 'persons/'))).body.results
    for (const id of [theirs.uuid, theirs.id, 'x', crypto.randomUUID()])
      expect((await tenant.get(at(tenant, `persons/${id}/`))).status).toBe(404)
    expect((await tenant.get(at(tenant, 'persons/'))).body.results).toEqual([])
    expect((await tenant.get(`${at(tenant, 'persons/')}?distinct_id=ada`)).body.results).toEqual([])
  })

  it.each(['email', 'properties', 'cohort'])('rejects the filter %s', async (name) => {
    const tenant = await createTenant()
    expect(seen(await tenant.get(`${at(tenant, 'persons/')}?${name}=x`))).toEqual({
      status: 400,
      body: {
        type: 'validation_error',
        code: 'unknown_field',
        detail: `Unknown parameter: ${name}. Known parameters: distinct_id, search, cursor, limit.`,
        attr: name,
      },
    })
  })

  it('show ten distinct ids in lists, and the cost of a page does not depend on what lies before it', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [event('a0')])
    for (let id = 1; id <= 12; id += 1)
      await sendEach(tenant, [event('a0', { alias: `a${id}` }, '$create_alias')])
    const [{ distinct_ids: ids, uuid }] = (await tenant.get(at(tenant, 'persons/'))).body.results
    expect(ids).toHaveLength(10)
    expect((await tenant.get(at(tenant, `persons/${uuid}/`))).body.distinct_ids).toHaveLength(13)
    const { line } = await tenant.get(at(tenant, 'persons/'))
    expect(line.d1_round_trips).toBe(1)
  })
})

describe('groups', () => {
  it('are listed by type and key, and found by key', async () => {
    const tenant = await createTenant()
    const keys = ['acme', 'bolt', 'crate']
    await sendEach(
      tenant,
      keys.map((key) => groupIdentify('company', key, { key })),
    )
    expect((await tenant.get(at(tenant, 'groups_types/'))).body).toEqual([
      { group_type: 'company', group_type_index: 0, name_singular: null, name_plural: null },
    ])
    const record = (key: string) => ({
      group_type_index: 0,
      group_key: key,
      group_properties: { key },
      created_at: '2026-03-10T12:00:00Z',
    })
    const first = await tenant.get(`${at(tenant, 'groups/')}?group_type_index=0&limit=2`)
    expect(first.body).toEqual({
      next: expect.stringContaining('cursor=bolt'),
      previous: null,
      results: [record('acme'), record('bolt')],
    })
    expect((await tenant.get(first.body.next)).body).toEqual({
      next: null,
      previous: null,
      results: [record('crate')],
    })
    expect(seen(await tenant.get(`${at(tenant, 'groups/find/')}?group_type_index=0&group_key=bolt`))).toEqual(
      { status: 200, body: record('bolt') },
    )
    expect((await tenant.get(`${at(tenant, 'groups/find/')}?group_type_index=1&group_key=bolt`)).status).toBe(
      404,
    )
    expect(seen(await tenant.get(at(tenant, 'groups/')))).toEqual(
      refused('group_type_index', 'This field is required.', 'required'),
    )
  })
})

describe('cohorts', () => {
  it('are listed newest first without deleted ones', async () => {
    const tenant = await createTenant()
    const ids = [await cohort(tenant), await cohort(tenant), await cohort(tenant, [], { deleted: true })]
    const { body } = await tenant.get(`${at(tenant, 'cohorts/')}?limit=1`)
    expect(body).toMatchObject({ count: 2, previous: null, results: [{ id: ids[1] }] })
    const next = (await tenant.get(body.next)).body
    expect(next).toMatchObject({ count: 2, next: null, results: [{ id: ids[0] }] })
    expect((await tenant.get(at(tenant, `cohorts/${ids[0]}/`))).body).toEqual(next.results[0])
  })
})

describe('environments', () => {
  it('are the projects by another name', async () => {
    const tenant = await createTenant()
    for (const rest of ['', `${tenant.projectId}/`, '@current/']) {
      const [project, environment] = [
        await tenant.get(`/api/projects/${rest}`),
        await tenant.get(`/api/environments/${rest}`),
      ]
      expect([environment.status, environment.body]).toEqual([200, project.body])
    }
  })
})

describe('a path of upstream that is not served', () => {
  it.each(['insights', 'experiments/1', 'surveys', 'session_recordings', 'events'])(
    '%s is a 404 that names it',
    async (path) => {
      const tenant = await createTenant()
      const name = path.split('/')[0]
      for (const place of ['projects', 'environments'])
        expect(seen(await tenant.get(`/api/${place}/${tenant.projectId}/${path}/`))).toEqual({
          status: 404,
          body: {
            type: 'invalid_request',
            code: 'not_found',
            detail: `This service does not serve "${name}" here. /docs/guide/compatibility lists what it serves, /docs every operation.`,
            attr: null,
          },
        })
    },
  )
})

describe('values of a property', () => {
  const valuesOf = async (tenant: Tenant, path: string) => seen(await tenant.get(at(tenant, path)))

  it('of persons are texts, most frequent first, filtered by a substring', async () => {
    const harness = createHarness()
    const [tenant, other] = [await createTenant({ harness }), await createTenant({ harness })]
    const plans = ['Pro', 'Pro', 'free', 7, true, null, '', { a: 1 }, 'x'.repeat(1_025)]
    for (const [index, plan] of plans.entries())
      await sendEach(tenant, [event(`person-${index}`, { $set: { plan, 'a"b': index } })])
    await sendEach(other, [event('ada', { $set: { plan: 'theirs' } })])
    expect(await valuesOf(tenant, 'persons/values/?key=plan')).toEqual({
      status: 200,
      body: [
        { name: 'Pro', count: 2 },
        { name: '7', count: 1 },
        { name: 'free', count: 1 },
        { name: 'true', count: 1 },
        { name: '{"a":1}', count: 1 },
      ],
    })
    expect((await valuesOf(tenant, 'persons/values/?key=plan&value=PR')).body).toEqual([
      { name: 'Pro', count: 2 },
    ])
    expect((await valuesOf(tenant, `persons/values/?key=${encodeURIComponent('a"b')}&value=3`)).body).toEqual(
      [{ name: '3', count: 1 }],
    )
    expect((await valuesOf(tenant, 'persons/values/?key=none')).body).toEqual([])
    expect((await valuesOf(tenant, 'persons/values/')).status).toBe(400)
  })

  it('of groups are those of one type', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [
      groupIdentify('company', 'acme', { plan: 'pro' }),
      groupIdentify('company', 'globex', { plan: 'pro' }),
      groupIdentify('team', 'red', { plan: 'free' }),
    ])
    const path = 'groups/property_values/?key=plan&group_type_index='
    expect((await valuesOf(tenant, `${path}0`)).body).toEqual([{ name: 'pro', count: 2 }])
    expect((await valuesOf(tenant, `${path}1&value=e`)).body).toEqual([{ name: 'free', count: 1 }])
    expect((await valuesOf(tenant, 'groups/property_values/?key=plan')).status).toBe(400)
  })

  it('of events are those of the last 30 days, of one name on request', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [
      event('ada', { price: 12.5 }),
      event('ada', { price: 12.5 }, 'bought'),
      { ...event('ada', { price: 1 }), timestamp: '2026-02-07T00:00:00Z' },
    ])
    expect((await valuesOf(tenant, 'events/values/?key=price')).body).toEqual([{ name: '12.5', count: 2 }])
    expect((await valuesOf(tenant, 'events/values/?key=price&event_name=bought')).body).toEqual([
      { name: '12.5', count: 1 },
    ])
    expect((await valuesOf(tenant, 'events/values/?key=price&value=3')).body).toEqual([])
  })

  it('omit values over the budget of bytes, and read one page at most', async () => {
    const tenant = await createTenant()
    const filler = 'x'.repeat(450_000)
    const rows = Array.from({ length: 25 }, (_, index) => ({
      projectId: tenant.projectId,
      uuid: crypto.randomUUID(),
      properties: { plan: index < 5 ? 'old' : 'new', filler },
      createdAt: '2026-03-01T00:00:00.000000Z',
    }))
    for (const row of rows) await database().insert(persons).values(row)
    const { body, line } = await tenant.get(at(tenant, 'persons/values/?key=plan'))
    expect(body).toEqual([{ name: 'new', count: 18 }])
    expect(line.d1_round_trips).toBeLessThanOrEqual(2)
  })
})
