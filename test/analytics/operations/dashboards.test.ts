// Dashboards: the list, saved queries as tiles, deletion.
import { describe, expect, it } from 'vitest'
import { MAX_TILES } from '../../../src/analytics/dashboards/dashboard-body'
import { createHarness } from '../../support/harness'
import { NOT_FOUND, refused, seen } from '../../support/responses'
import { createTenant, type Tenant } from '../../support/tenant'

type Json = Record<string, unknown>

const at = ({ projectId }: Pick<Tenant, 'projectId'>, rest: number | string = '') =>
  `/api/projects/${projectId}/dashboards/${rest}${rest === '' ? '' : '/'}`

async function save(tenant: Tenant, name: string): Promise<string> {
  const { status } = await tenant.post(`/api/projects/${tenant.projectId}/endpoints/`, {
    name,
    query: { kind: 'HogQLQuery', query: 'SELECT count() FROM events' },
  })
  expect(status).toBe(201)
  return name
}

async function made(tenant: Tenant, body: Json) {
  const response = await tenant.post(at(tenant), body)
  expect(response).toMatchObject({ status: 201 })
  return response.body
}

const SM = { sm: { x: 0, y: 0, w: 6, h: 5 } }
const tile = (endpoint: string, layouts: Json = {}) => ({
  id: expect.any(Number),
  layouts,
  endpoint,
  insight: null,
})

/** What the activity log has of dashboards, newest first. */
async function logged(tenant: Tenant) {
  const { body } = await tenant.get(`/api/projects/${tenant.projectId}/activity_log/?scope=Dashboard`)
  return body.results.map(
    ({ activity, detail }: { activity: string; detail: { name: string; changes: Json[] } }) => [
      activity,
      detail.name,
      detail.changes.map(({ field, before, after }) => [field, before, after]),
    ],
  )
}

describe('a dashboard', () => {
  it('is created with saved queries as tiles, and read', async () => {
    const tenant = await createTenant()
    await save(tenant, 'revenue')
    await save(tenant, 'orders')
    const { status, body } = await tenant.post(at(tenant), {
      name: 'Sales',
      description: 'What we sell',
      filters: { date_from: '-7d' },
      tiles: [{ endpoint: 'revenue', layouts: SM }, { endpoint: 'orders' }],
    })
    const record = {
      id: expect.any(Number),
      name: 'Sales',
      description: 'What we sell',
      creation_mode: 'default',
      deleted: false,
      filters: { date_from: '-7d', date_to: null },
      created_by: expect.objectContaining({ id: tenant.user.id }),
      created_at: '2026-03-10T12:00:00Z',
      tiles: [tile('revenue', SM), tile('orders')],
    }
    expect({ status, body }).toEqual({ status: 201, body: record })
    expect(seen(await tenant.get(at(tenant, body.id)))).toEqual({ status: 200, body })
    expect(await logged(tenant)).toEqual([['created', 'Sales', []]])
  })

  it('gets, arranges and loses tiles', async () => {
    const tenant = await createTenant()
    for (const name of ['revenue', 'orders', 'visits']) await save(tenant, name)
    const { id, tiles } = await made(tenant, {
      name: 'Sales',
      tiles: [{ endpoint: 'revenue' }, { endpoint: 'orders' }],
    })
    const [revenue, orders] = tiles.map((each: { id: number }) => each.id)
    const wide = { sm: { x: 0, y: 5, w: 12, h: 8 }, xs: { x: 0, y: 0, w: 1, h: 5 } }
    const { status, body } = await tenant.patch(at(tenant, id), {
      tiles: [
        { id: revenue, layouts: wide },
        { id: orders, deleted: true },
        { endpoint: 'visits', layouts: SM },
      ],
    })
    expect({ status, tiles: body.tiles }).toEqual({
      status: 200,
      tiles: [{ ...tile('revenue', wide), id: revenue }, tile('visits', SM)],
    })
    expect((await tenant.get(at(tenant, id))).body).toEqual(body)
    await tenant.patch(at(tenant, id), { tiles: [{ id: revenue, layouts: SM }] })
    expect((await tenant.get(at(tenant, id))).body.tiles[0].layouts).toEqual(SM)
    expect(await logged(tenant)).toEqual([
      ['updated', 'Sales', [['tiles', ['revenue', 'orders'], ['revenue', 'visits']]]],
      ['created', 'Sales', []],
    ])
  })

  it('is changed, deleted and restored', async () => {
    const tenant = await createTenant()
    const { id } = await made(tenant, { name: 'Sales', filters: { date_from: '-7d' } })
    const changed = await tenant.patch(at(tenant, id), {
      name: 'Orders',
      filters: { date_from: '2026-01-01' },
    })
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'Orders', filters: { date_from: '2026-01-01', date_to: null } },
    })
    expect(await tenant.patch(at(tenant, id), { deleted: true })).toMatchObject({
      status: 200,
      body: { deleted: true },
    })
    expect(seen(await tenant.get(at(tenant, id)))).toEqual(NOT_FOUND)
    expect((await tenant.get(at(tenant))).body.results).toEqual([])
    for (const body of [{ name: 'Hidden' }, { deleted: true }])
      expect((await tenant.patch(at(tenant, id), body)).status).toBe(404)
    expect(await tenant.patch(at(tenant, id), { deleted: false })).toMatchObject({
      status: 200,
      body: { deleted: false, name: 'Orders' },
    })
    expect((await logged(tenant)).map(([verb]: [string]) => verb)).toEqual([
      'restored',
      'deleted',
      'updated',
      'created',
    ])
  })

  it('of a flag has its charts, which stay, beside saved queries', async () => {
    const tenant = await createTenant()
    await save(tenant, 'revenue')
    const { usage_dashboard: id } = await tenant.flag({
      key: 'checkout',
      _should_create_usage_dashboard: true,
    })
    const { body } = await tenant.get(at(tenant, id))
    expect(body).toMatchObject({ creation_mode: 'template', filters: { date_from: null, date_to: null } })
    expect(body.tiles).toHaveLength(2)
    expect(
      seen(await tenant.patch(at(tenant, id), { tiles: [{ id: body.tiles[0].id, deleted: true }] })),
    ).toEqual(refused('tiles', 'A chart of the usage of a flag cannot be removed.'))
    const added = await tenant.patch(at(tenant, id), { tiles: [{ endpoint: 'revenue' }] })
    expect(added.body.tiles).toEqual([
      ...body.tiles.map((each: { insight: object }) => ({
        ...each,
        insight: { ...each.insight, result: null },
      })),
      tile('revenue'),
    ])
    expect((await tenant.get(at(tenant, id))).body.tiles).toEqual([...body.tiles, tile('revenue')])
  })

  it('leaves out tiles of deleted saved queries, and gives their place to others', async () => {
    const tenant = await createTenant()
    await save(tenant, 'revenue')
    const { id } = await made(tenant, {
      tiles: Array.from({ length: MAX_TILES }, () => ({ endpoint: 'revenue' })),
    })
    expect(seen(await tenant.patch(at(tenant, id), { tiles: [{ endpoint: 'revenue' }] }))).toEqual(
      refused('tiles', `A dashboard has at most ${MAX_TILES} tiles.`),
    )
    await tenant.delete(`/api/projects/${tenant.projectId}/endpoints/revenue/`)
    expect((await tenant.get(at(tenant, id))).body.tiles).toEqual([])
    await save(tenant, 'orders')
    expect((await tenant.patch(at(tenant, id), { tiles: [{ endpoint: 'orders' }] })).body.tiles).toEqual([
      tile('orders'),
    ])
  })

  it.each([
    [
      { tiles: [{ endpoint: 'nothing' }] },
      'tiles',
      'Saved query "nothing" does not exist.',
      'does_not_exist',
    ],
    [
      { tiles: [{ id: 999_999, layouts: {} }] },
      'tiles',
      'Tile 999999 does not exist on this dashboard.',
      'does_not_exist',
    ],
    [
      { tiles: [{ layouts: {} }] },
      'tiles',
      'A tile needs an `id` to be changed, or an `endpoint` to be added.',
      'invalid_input',
    ],
    [
      { tiles: [{ endpoint: 'nothing', deleted: true }] },
      'tiles',
      'A tile is deleted by its `id`.',
      'invalid_input',
    ],
    [
      { tiles: [{ id: 1, layouts: { sm: { x: 0, y: 0, w: 6, h: 5, locked: true } } }] },
      'tiles__0__layouts__sm__locked',
      'Unknown field: locked. Known fields: x, y, w, h.',
      'unknown_field',
    ],
    [
      { filters: { date_from: 'soon' } },
      'filters__date_from',
      'Must be an offset such as -7d, or a date (YYYY-MM-DD).',
      'invalid_input',
    ],
  ])('rejects %j', async (body, attr, detail, code) => {
    const tenant = await createTenant()
    const { id } = await made(tenant, { name: 'Sales' })
    expect(seen(await tenant.patch(at(tenant, id), body))).toEqual(refused(attr, detail, code))
  })

  it('keeps what a tile shows', async () => {
    const tenant = await createTenant()
    await save(tenant, 'revenue')
    await save(tenant, 'orders')
    const { id, tiles } = await made(tenant, { name: 'Sales', tiles: [{ endpoint: 'revenue' }] })
    expect(
      seen(await tenant.patch(at(tenant, id), { tiles: [{ id: tiles[0].id, endpoint: 'orders' }] })),
    ).toEqual(
      refused(
        'tiles',
        `Tile ${tiles[0].id} keeps what it shows. Delete it, and add another one with the endpoint "orders".`,
      ),
    )
    expect((await tenant.patch(at(tenant, id), { tiles })).body.tiles).toEqual(tiles)
  })

  it('and its saved queries are those of its own project', async () => {
    const harness = createHarness()
    const [tenant, other] = [await createTenant({ harness }), await createTenant({ harness })]
    await save(other, 'revenue')
    const theirs = await made(other, { name: 'Theirs', tiles: [{ endpoint: 'revenue' }] })
    const mine = await made(tenant, { name: 'Mine' })
    expect(seen(await tenant.get(at(tenant, theirs.id)))).toEqual(NOT_FOUND)
    expect(seen(await tenant.patch(at(tenant, theirs.id), { name: 'Mine' }))).toEqual(NOT_FOUND)
    expect((await tenant.post(at(tenant), { tiles: [{ endpoint: 'revenue' }] })).status).toBe(400)
    expect(
      (await tenant.patch(at(tenant, mine.id), { tiles: [{ id: theirs.tiles[0].id, layouts: SM }] })).status,
    ).toBe(400)
    expect((await other.get(at(other, theirs.id))).body).toEqual(theirs)
  })
})

describe('the list of dashboards', () => {
  it('finds a name in capital letters that are not ASCII', async () => {
    const tenant = await createTenant()
    await made(tenant, { name: 'École' })
    const { body } = await tenant.get(`${at(tenant)}?search=ÉCOLE`)
    expect(body.results).toMatchObject([{ name: 'École' }])
  })

  it('has the newest first, by name and origin, in pages', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'checkout', _should_create_usage_dashboard: true })
    for (const name of ['Sales', 'Visits', 'More sales']) await made(tenant, { name })
    const names = async (query: string) => {
      const { status, body } = await tenant.get(`${at(tenant)}?${query}`)
      expect(status).toBe(200)
      return [body.count, body.results.map(({ name }: { name: string }) => name)]
    }
    expect(await names('')).toEqual([
      4,
      ['More sales', 'Visits', 'Sales', 'Generated Dashboard: checkout Usage'],
    ])
    expect(await names('search=SALES')).toEqual([2, ['More sales', 'Sales']])
    expect(await names('creation_mode=template')).toEqual([1, ['Generated Dashboard: checkout Usage']])
    expect(await names('creation_mode=default&limit=1&offset=1')).toEqual([3, ['Visits']])
    const { body } = await tenant.get(`${at(tenant)}?limit=1`)
    expect(body.results).toEqual([
      {
        id: expect.any(Number),
        name: 'More sales',
        description: '',
        creation_mode: 'default',
        deleted: false,
        created_by: expect.objectContaining({ id: tenant.user.id }),
        created_at: '2026-03-10T12:00:00Z',
      },
    ])
  })
})
