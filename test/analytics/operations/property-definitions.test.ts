import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { activityLog } from '../../../drizzle'
import { readPropertyTypes } from '../../support/property-types'
import { event, groupIdentify, sendEach } from '../../support/capture'
import { NOT_FOUND, refused, seen } from '../../support/responses'
import { createTenant, database, type Tenant } from '../../support/tenant'

/** As clients parse them. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const path = ({ projectId }: Tenant, rest = '') => `/api/projects/${projectId}/property_definitions/${rest}`

const list = async (tenant: Tenant, query = '') => (await tenant.get(path(tenant, `?${query}`))).body

const namesOf = async (tenant: Tenant, query: string): Promise<string[]> =>
  (await list(tenant, query)).results.map(({ name }: { name: string }) => name)

async function arranged(): Promise<Tenant> {
  const tenant = await createTenant()
  await sendEach(tenant, [
    event('ada', { price: 12, 'Cart total': 3, $browser: 'Firefox', ok: true, $set: { price: 'high' } }),
    groupIdentify('company', 'acme', { price: '2026-01-01' }),
    groupIdentify('team', 'core', { size: 4 }),
  ])
  return tenant
}

describe('GET property_definitions', () => {
  it('lists properties of events by name', async () => {
    const tenant = await arranged()
    const { results, ...rest } = await list(tenant)
    expect(rest).toEqual({ count: 4, next: null, previous: null })
    expect(results).toEqual(
      [
        ['$browser', 'String'],
        ['Cart total', 'Numeric'],
        ['ok', 'Boolean'],
        ['price', 'Numeric'],
      ].map(([name, type]) => ({
        id: expect.stringMatching(UUID),
        name,
        property_type: type,
        is_numerical: type === 'Numeric',
        type: 'event',
        group_type_index: null,
        description: '',
        tags: [],
        verified: false,
        hidden: false,
        updated_at: null,
      })),
    )
  })

  it('lists properties of persons and groups', async () => {
    const tenant = await arranged()
    expect((await list(tenant, 'type=person')).results).toMatchObject([
      { name: '$browser', property_type: 'String', type: 'person', group_type_index: null },
      { name: '$initial_browser', property_type: 'String', type: 'person', group_type_index: null },
      { name: 'price', property_type: 'String', type: 'person', group_type_index: null },
    ])
    expect((await list(tenant, 'type=group')).results).toMatchObject([
      { name: 'price', property_type: 'DateTime', type: 'group', group_type_index: 0 },
      { name: 'size', property_type: 'Numeric', type: 'group', group_type_index: 1 },
    ])
    expect(await namesOf(tenant, 'type=group&group_type_index=1')).toEqual(['size'])
    expect(await namesOf(tenant, 'type=group&group_type_index=4')).toEqual([])
  })

  it.each([
    ['search=PRI', ['price']],
    ['search=total+cart', ['Cart total']],
    ['search=%25', []],
    ["search='", []],
    ['properties=ok,price,none', ['ok', 'price']],
    ['is_numerical=true', ['Cart total', 'price']],
    ['is_numerical=false', ['$browser', 'ok']],
    ['is_numerical=true&search=c', ['Cart total', 'price']],
    ['limit=1&offset=2', ['ok']],
    ['excluded_properties=ok,price', ['$browser', 'Cart total']],
    ['excluded_properties=["ok","price"]&search=c', ['Cart total']],
    ['is_feature_flag=true', []],
    ['is_feature_flag=false&verified=false&exclude_hidden=true', ['$browser', 'Cart total', 'ok', 'price']],
    ['verified=true', []],
    ['event_names=["opened"]', ['$browser', 'Cart total', 'ok', 'price']],
  ])('filters by %s', async (query, names) => {
    expect(await namesOf(await arranged(), query)).toEqual(names)
  })

  it('finds a name in capital letters that are not ASCII', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [event('ada', { 'ÉCOLE Nord': 1 }, 'Öffnung')])
    expect(await namesOf(tenant, 'search=nord+ÉCole')).toEqual(['ÉCOLE Nord'])
    const { body } = await tenant.get(`/api/projects/${tenant.projectId}/event_definitions/?search=Öff`)
    expect(body.results).toMatchObject([{ name: 'Öffnung' }])
  })

  it('counts matches of all pages', async () => {
    expect(await list(await arranged(), 'limit=1&is_numerical=true')).toMatchObject({
      count: 2,
      next: expect.stringContaining('offset=1'),
    })
  })

  it('rejects an unknown type', async () => {
    const tenant = await createTenant()
    expect(await tenant.get(path(tenant, '?type=session'))).toMatchObject({
      status: 400,
      body: { attr: 'type', code: 'invalid_choice' },
    })
  })

  it.each(['group_type_index=0', 'type=person&group_type_index=0', 'type=group&group_type_index=5'])(
    'rejects %s',
    async (query) => {
      const tenant = await createTenant()
      expect(seen(await tenant.get(path(tenant, `?${query}`)))).toEqual(
        refused('group_type_index', 'The index of a group type, from 0 to 4, needs type=group.'),
      )
    },
  )

  it('shows no definitions of other projects', async () => {
    await arranged()
    expect(await list(await createTenant())).toMatchObject({ count: 0, results: [] })
  })
})

describe('PATCH property_definitions', () => {
  const priceOf = async (tenant: Tenant, query = '') =>
    (await list(tenant, `search=price&${query}`)).results[0] as { id: string; property_type: string }

  it('corrects the type of this property only, and logs the activity', async () => {
    const [tenant, other] = [await arranged(), await arranged()]
    const before = await priceOf(tenant)
    const { status, body } = await tenant.patch(path(tenant, `${before.id}/`), { property_type: 'String' })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      property_type: 'String',
      is_numerical: false,
      updated_at: '2026-03-10T12:00:00Z',
    })
    expect(seen(await tenant.get(path(tenant, `${before.id}/`)))).toEqual({ status: 200, body })
    expect(await priceOf(tenant)).toEqual(body)
    expect((await priceOf(other)).property_type).toBe('Numeric')
    expect((await priceOf(tenant, 'type=group')).property_type).toBe('DateTime')
    const typeOf = await readPropertyTypes(database(), tenant.projectId, [{ owner: 'event', name: 'price' }])
    expect(typeOf('event', 'price')).toBe('String')

    const entries = await database()
      .select()
      .from(activityLog)
      .where(and(eq(activityLog.projectId, tenant.projectId), eq(activityLog.scope, 'PropertyDefinition')))
    expect(entries).toMatchObject([
      {
        itemId: before.id,
        activity: 'updated',
        userId: tenant.user.id,
        detail: {
          changes: [
            {
              type: 'PropertyDefinition',
              action: 'changed',
              field: 'property_type',
              before: 'Numeric',
              after: 'String',
            },
          ],
        },
      },
    ])
  })

  it('keeps the corrected type after further values', async () => {
    const tenant = await arranged()
    await tenant.patch(path(tenant, `${(await priceOf(tenant)).id}/`), { property_type: 'String' })
    await sendEach(tenant, [event('ada', { price: 13 })])
    expect((await priceOf(tenant)).property_type).toBe('String')
  })

  it('writes nothing when nothing changes', async () => {
    const tenant = await arranged()
    const { id } = await priceOf(tenant)
    for (const body of [{}, { property_type: 'Numeric' }]) {
      const { status, line } = await tenant.patch(path(tenant, `${id}/`), body)
      expect([status, line.d1_rows_written]).toEqual([200, 0])
    }
  })

  it('rejects other types', async () => {
    const tenant = await arranged()
    const { id } = await priceOf(tenant)
    for (const property_type of ['Duration', null, 1]) {
      expect(await tenant.patch(path(tenant, `${id}/`), { property_type })).toMatchObject({
        status: 400,
        body: { attr: 'property_type' },
      })
    }
  })

  it('responds with 404 for an unknown definition', async () => {
    const [tenant, other] = [await createTenant(), await arranged()]
    const { id } = await priceOf(other)
    const ids = [id, 'x', '1', encodeURIComponent('../1'), btoa('event:price'), crypto.randomUUID(), 'null']
    for (const missing of ids) {
      const one = path(tenant, `${missing}/`)
      expect(seen(await tenant.patch(one, { property_type: 'String' })), missing).toEqual(NOT_FOUND)
      expect(seen(await tenant.get(one)), missing).toEqual(NOT_FOUND)
    }
    // What it was before ids were UUIDs.
    expect((await other.get(path(other, `${btoa('event:price')}/`))).status).toBe(404)
    expect((await priceOf(other)).property_type).toBe('Numeric')
  })
})

describe('ids of definitions', () => {
  it('are UUIDs of their own, stay, and find a definition among its kind only', async () => {
    const tenant = await arranged()
    const read = async () =>
      (
        await Promise.all(
          [
            'property_definitions/',
            'property_definitions/?type=person',
            'property_definitions/?type=group',
            'event_definitions/',
          ].map(async (rest) => (await tenant.get(`/api/projects/${tenant.projectId}/${rest}`)).body.results),
        )
      ).flat() as { id: string; name: string; type?: string }[]
    const definitions = await read()
    expect(definitions.length).toBeGreaterThan(7)
    expect(new Set(definitions.map(({ id }) => id)).size).toBe(definitions.length)
    for (const definition of definitions) {
      expect(definition.id).toMatch(UUID)
      const [own, other] = definition.type
        ? ['property_definitions', 'event_definitions']
        : ['event_definitions', 'property_definitions']
      const at = (kind: string, id: string) => tenant.get(`/api/projects/${tenant.projectId}/${kind}/${id}/`)
      expect((await at(own!, definition.id)).body).toEqual(definition)
      expect((await at(own!, definition.id.toUpperCase())).body).toEqual(definition)
      expect((await at(other!, definition.id)).status).toBe(404)
    }
    await sendEach(tenant, [event('ben', { price: 1, another: 2 })])
    const later = await read()
    expect(later).toHaveLength(definitions.length + 1)
    expect(later).toEqual(expect.arrayContaining(definitions))
  })
})

describe('event_definitions', () => {
  const events = ({ projectId }: Tenant, rest = '') => `/api/projects/${projectId}/event_definitions/${rest}`

  async function captured(): Promise<Tenant> {
    const tenant = await createTenant()
    await sendEach(tenant, [
      event('ada', {}, 'purchase'),
      event('ada', {}, '$pageview'),
      event('ada', {}, 'purchase'),
    ])
    return tenant
  }

  it('are the names of captured events', async () => {
    const tenant = await captured()
    const record = (name: string) => ({
      id: expect.stringMatching(/^[\w-]+$/),
      name,
      description: '',
      tags: [],
      verified: false,
      hidden: false,
      created_at: '2026-03-10T12:00:00Z',
      last_seen_at: null,
      last_updated_at: null,
    })
    const { body } = await tenant.get(events(tenant))
    expect(body).toEqual({
      count: 2,
      next: null,
      previous: null,
      results: [record('$pageview'), record('purchase')],
    })
    expect((await tenant.get(events(tenant, `${body.results[1].id}/`))).body).toEqual(body.results[1])
    expect((await tenant.get(events(tenant, '?search=PAGE'))).body.results).toEqual([body.results[0]])
    expect((await tenant.get(events(tenant, '?names=purchase,x'))).body.results).toEqual([body.results[1]])
    expect((await (await createTenant()).get(events(tenant))).status).toBe(403)
  })

  it('have a description, tags and marks, and a log', async () => {
    const tenant = await captured()
    const [, { id }] = (await tenant.get(events(tenant))).body.results
    const { status, body } = await tenant.patch(events(tenant, `${id}/`), {
      description: 'An order was paid',
      tags: ['Shop', 'checkout', 'shop '],
      verified: true,
    })
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        description: 'An order was paid',
        tags: ['checkout', 'shop'],
        verified: true,
        last_updated_at: '2026-03-10T12:00:00Z',
      }),
    ])
    expect((await tenant.get(events(tenant, '?verified=true'))).body.results).toEqual([body])
    expect((await tenant.patch(events(tenant, `${id}/`), { hidden: true })).body).toMatchObject({
      hidden: true,
      verified: false,
    })
    expect((await tenant.get(events(tenant, '?exclude_hidden=1'))).body.count).toBe(1)
    expect(seen(await tenant.patch(events(tenant, `${id}/`), { hidden: true, verified: true }))).toEqual(
      refused('hidden', 'An event cannot be both hidden and verified'),
    )
    const log = await tenant.get(`/api/projects/${tenant.projectId}/activity_log/?scope=EventDefinition`)
    expect(log.body.results.map(({ detail }: { detail: { name: string } }) => detail.name)).toEqual([
      'purchase',
      'purchase',
    ])
  })

  it('are not property definitions', async () => {
    const tenant = await captured()
    const [{ id }] = (await tenant.get(events(tenant))).body.results
    expect(seen(await tenant.get(path(tenant, `${id}/`)))).toEqual(NOT_FOUND)
    expect(seen(await tenant.patch(path(tenant, `${id}/`), { hidden: true }))).toEqual(NOT_FOUND)
  })

  it('do not contain the properties of events', async () => {
    const tenant = await captured()
    expect(
      seen(await tenant.get(path(tenant, '?filter_by_event_names=true&event_names=["purchase"]'))),
    ).toEqual(
      refused(
        'filter_by_event_names',
        'The properties of an event are not stored: list all, or read them with a saved query.',
      ),
    )
  })
})
