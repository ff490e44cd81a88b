// Events that give a person another distinct id, or make one person of two.
import { env } from 'cloudflare:workers'
import { eq, inArray } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { cohortMembers, flagHashKeyOverrides } from '../../../drizzle'
import {
  alias,
  event,
  eventsOf,
  identify,
  mergeDangerously,
  peopleOf,
  personOf,
  sendBatch,
  sendEach,
} from '../../support/capture'
import { cohort } from '../../support/database/rows'
import { createTenant, database, type Tenant } from '../../support/tenant'

/** A person with this many distinct ids: `name`, `name-2`, `name-3` … */
async function personWithIds(tenant: Tenant, name: string, count: number): Promise<void> {
  await sendEach(tenant, [event(name)])
  const bound = (sql: string) => env.DB.prepare(sql).bind(tenant.projectId, name, count)
  await env.DB.batch([
    bound(
      `INSERT INTO person_distinct_ids (project_id, distinct_id, person_id)
       WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
       SELECT ?1, ?2 || '-' || i, person_id FROM n
       JOIN person_distinct_ids ON project_id = ?1 AND distinct_id = ?2 WHERE i <= ?3`,
    ),
    bound(
      `UPDATE persons SET distinct_id_count = ?3
       WHERE id = (SELECT person_id FROM person_distinct_ids WHERE project_id = ?1 AND distinct_id = ?2)`,
    ),
  ])
}

const countOf = async (tenant: Tenant, distinctId: string) =>
  (await personOf(tenant, distinctId))!.distinctIds.length

describe('a person with many distinct ids', () => {
  it('takes in the other person of a merge, whose properties take precedence, so that few rows change', async () => {
    const tenant = await createTenant()
    await personWithIds(tenant, 'ada', 500)
    await sendEach(tenant, [event('ada', { $set: { plan: 'old', seats: 2 } })])
    const { uuid } = (await personOf(tenant, 'ada'))!
    const merge = (name: string) =>
      sendBatch(tenant, [event(name, { $set: { plan: name } }, '$set'), mergeDangerously(name, 'ada-7')])
    const { body, line } = await merge('one')
    expect(body).toEqual({ status: 'Ok' })
    expect(line.d1_rows_written).toBeLessThan(30)
    const first = await personOf(tenant, 'one')
    expect(first).toMatchObject({ uuid, properties: { plan: 'one', seats: 2 }, isIdentified: true })
    expect(first!.distinctIds).toHaveLength(501)
    // A stored person, too.
    await sendEach(tenant, [event('two', { $set: { plan: 'two' } }, '$set')])
    expect((await sendBatch(tenant, [mergeDangerously('two', 'ada')])).line.d1_rows_written).toBeLessThan(30)
    const second = await personOf(tenant, 'ada-7')
    expect(second).toMatchObject({ uuid, properties: { plan: 'two', seats: 2 } })
    expect(second!.distinctIds).toHaveLength(502)
    expect(await peopleOf(tenant)).toHaveLength(1)
  })

  it('of ten is merged as any other', async () => {
    const tenant = await createTenant()
    await personWithIds(tenant, 'ada', 10)
    await sendEach(tenant, [event('new', { $set: { plan: 'new' } }, '$set')])
    const { uuid } = (await personOf(tenant, 'new'))!
    await sendBatch(tenant, [mergeDangerously('new', 'ada')])
    expect(await personOf(tenant, 'ada-7')).toMatchObject({ uuid, properties: { plan: 'new' } })
  })
})

describe('a person with 10,000 distinct ids', () => {
  const refusal = (distinctId: string, attr: string, index = 0) => ({
    index,
    detail: `A person may have at most 10000 distinct ids, so "${distinctId}" is not merged.`,
    attr,
  })
  const ANON = 'properties__$anon_distinct_id'

  it('gets no further id, and the rest of the request is stored', async () => {
    const tenant = await createTenant()
    await personWithIds(tenant, 'ada', 9_999)
    const { status, body } = await sendBatch(tenant, [
      identify('ada', 'phone', { $set: { plan: 'paid' } }),
      identify('ada', 'watch', { $set: { seats: 2 } }),
      event('watch', { $set: { of: 'another person' } }),
    ])
    expect(status).toBe(200)
    expect(body).toEqual({ status: 'Ok', errors: [refusal('watch', ANON, 1)] })
    expect(await countOf(tenant, 'ada')).toBe(10_000)
    expect(await personOf(tenant, 'phone')).toMatchObject({ properties: { plan: 'paid', seats: 2 } })
    expect(await personOf(tenant, 'watch')).toMatchObject({
      distinctIds: ['watch'],
      properties: { of: 'another person' },
    })
    expect(await eventsOf(tenant)).toHaveLength(4)
  })

  it('is not merged into a new person', async () => {
    const tenant = await createTenant()
    await personWithIds(tenant, 'ada', 10_000)
    const { body } = await sendBatch(tenant, [identify('new', 'ada'), alias('newer', 'ada-7')])
    expect(body).toEqual({
      status: 'Ok',
      errors: [refusal('ada', ANON), refusal('ada-7', 'properties__alias', 1)],
    })
    expect(await countOf(tenant, 'ada')).toBe(10_000)
    expect(await personOf(tenant, 'new')).toMatchObject({ distinctIds: ['new'], isIdentified: true })
    expect(await personOf(tenant, 'newer')).toMatchObject({ distinctIds: ['newer'] })
  })

  it('does not result from a merge', async () => {
    const tenant = await createTenant()
    await personWithIds(tenant, 'ada', 6_000)
    await personWithIds(tenant, 'bob', 4_001)
    await personWithIds(tenant, 'eve', 4_000)
    const { body } = await sendBatch(tenant, [
      mergeDangerously('ada', 'bob-3'),
      mergeDangerously('ada', 'eve-3'),
    ])
    expect(body).toEqual({ status: 'Ok', errors: [refusal('bob-3', 'properties__alias')] })
    expect(await countOf(tenant, 'bob')).toBe(4_001)
    expect(await countOf(tenant, 'ada')).toBe(10_000)
    expect(await countOf(tenant, 'eve')).toBe(10_000)
  })

  it('costs no further round trip, and its ids are not read', async () => {
    const tenant = await createTenant()
    await personWithIds(tenant, 'ada', 10_000)
    await sendBatch(tenant, [event('ada')])
    const { line } = await sendBatch(tenant, [event('ada'), identify('ada', 'ada-2')])
    expect(line).toMatchObject({ d1_round_trips: 2 })
    expect(line.d1_rows_read).toBeLessThan(100)
    const { line: refused } = await sendBatch(tenant, [identify('ada', 'other')])
    // Nothing to write.
    expect(refused).toMatchObject({ d1_round_trips: 1 })
    expect(refused.d1_rows_read).toBeLessThan(100)
  })
})

describe('a request with merges of persons with many distinct ids', () => {
  it('moves at most 10,000 ids, so that few events do not write many rows', async () => {
    const tenant = await createTenant()
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await personWithIds(tenant, name, 4_000)
    const merges = [mergeDangerously('a', 'b'), mergeDangerously('c', 'd'), mergeDangerously('e', 'f')]
    expect(await sendBatch(tenant, merges)).toMatchObject({
      status: 413,
      body: {
        type: 'invalid_request',
        code: 'request_too_large',
        detail:
          'The events merge persons with more than 10000 distinct ids together. Send fewer events in a request.',
        attr: null,
      },
    })
    expect(await peopleOf(tenant)).toHaveLength(6)
    // As clients do.
    for (const half of [merges.slice(0, 2), merges.slice(2)])
      expect(await sendBatch(tenant, half)).toMatchObject({ status: 200, body: { status: 'Ok' } })
    expect(await countOf(tenant, 'c')).toBe(8_000)
  })
})

describe('$identify', () => {
  it('gives a person both ids', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [identify('ada', 'anon', { $set: { plan: 'free' } })])
    expect(await personOf(tenant, 'anon')).toMatchObject({ distinctIds: ['ada', 'anon'], isIdentified: true })
  })

  it('adds the second id to the person of the first', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [event('anon', { $set: { seen: 'before' } })])
    const before = await personOf(tenant, 'anon')
    await sendEach(tenant, [identify('ada', 'anon'), identify('ada', 'phone')])
    expect(await personOf(tenant, 'phone')).toMatchObject({
      uuid: before!.uuid,
      distinctIds: ['ada', 'anon', 'phone'],
      properties: { seen: 'before' },
    })
  })

  it('merges an anonymous into an identified person, whose properties take precedence', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [event('anon', { $set: { plan: 'free', source: 'ad' } })])
    const anonymous = await personOf(tenant, 'anon')
    tenant.clock.advance({ minutes: 1 })
    await sendEach(tenant, [identify('ada', undefined, { $set: { plan: 'paid' } })])
    const known = await personOf(tenant, 'ada')
    await sendEach(tenant, [identify('ada', 'anon', { $set: { seats: 2 } })])
    expect(await personOf(tenant, 'anon')).toMatchObject({
      uuid: known!.uuid,
      createdAt: anonymous!.createdAt,
      distinctIds: ['ada', 'anon'],
      properties: { plan: 'paid', source: 'ad', seats: 2 },
    })
    expect(await peopleOf(tenant)).toHaveLength(1)
  })

  it('reports and does not merge an identified person', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [event('ada'), identify('bob', 'bob-anon')])
    const { body } = await sendBatch(tenant, [identify('ada', 'bob', { $set: { plan: 'paid' } })])
    expect(body).toEqual({
      status: 'Ok',
      errors: [
        {
          index: 0,
          detail: '"bob" is already identified, so it is not merged.',
          attr: 'properties__$anon_distinct_id',
        },
      ],
    })
    expect(await peopleOf(tenant)).toEqual([
      { distinctIds: ['ada'], properties: { plan: 'paid' } },
      { distinctIds: ['bob', 'bob-anon'], properties: {} },
    ])
    expect(await personOf(tenant, 'ada')).toMatchObject({ isIdentified: true })
  })

  it.each([undefined, 'ada', 'guest', ' '])(
    'identifies no person without another id that can be merged: %j',
    async (other) => {
      const tenant = await createTenant()
      await sendBatch(tenant, [identify('ada', other, { $set: { plan: 'free' } })])
      expect(await personOf(tenant, 'ada')).toMatchObject({ isIdentified: false })
      await sendEach(tenant, [identify('bob', 'ada')])
      expect(await peopleOf(tenant)).toEqual([{ distinctIds: ['ada', 'bob'], properties: { plan: 'free' } }])
    },
  )

  for (const placeholder of [
    'null',
    'undefined',
    'anonymous',
    'guest',
    'distinctid',
    'distinct_id',
    'id',
    'not_authenticated',
    'email',
    'true',
    'false',
    '0',
    '[object Object]',
    'NaN',
    'None',
    'none',
    'GUEST',
    ' null ',
    "'null'",
    '"undefined"',
    '"Undefined"',
    "'[object Object]'",
    '"0"',
  ]) {
    it(`does not merge ${placeholder}`, async () => {
      const tenant = await createTenant()
      const { body } = await sendBatch(tenant, [identify('ada', placeholder), identify(placeholder, 'bob')])
      expect(body.errors).toEqual([
        {
          index: 0,
          detail: `"${placeholder}" names no person, so it is not merged.`,
          attr: 'properties__$anon_distinct_id',
        },
        { index: 1, detail: `"${placeholder}" names no person, so it is not merged.`, attr: 'distinct_id' },
      ])
      expect(await eventsOf(tenant)).toHaveLength(2)
      expect(await personOf(tenant, 'ada')).toMatchObject({ distinctIds: ['ada'], isIdentified: false })
      expect(await personOf(tenant, placeholder)).toMatchObject({ isIdentified: false })
      expect(await personOf(tenant, 'bob')).toBe(null)
    })
  }

  it.each(['NULL', 'nan', 'NONE', '"null', "''", 'null null'])(
    'merges %s, which is no placeholder',
    async (id) => {
      const tenant = await createTenant()
      await sendEach(tenant, [identify('ada', id)])
      expect(await peopleOf(tenant)).toMatchObject([{ distinctIds: [id, 'ada'].toSorted() }])
    },
  )
})

describe('$create_alias', () => {
  it('merges two ids into one person', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [
      event('ada'),
      event('phone', { $set: { os: 'x' } }),
      alias('ada', 'phone'),
      alias('ada', 'tv'),
    ])
    expect(await peopleOf(tenant)).toEqual([{ distinctIds: ['ada', 'phone', 'tv'], properties: { os: 'x' } }])
  })

  it('does not merge an identified person', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [event('ada'), identify('bob', 'bob-anon')])
    const { body } = await sendBatch(tenant, [alias('ada', 'bob')])
    expect(body.errors).toMatchObject([{ index: 0, attr: 'properties__alias' }])
    expect(await peopleOf(tenant)).toHaveLength(2)
  })

  it('reports a missing alias, and cuts a long one as it cuts distinct ids', async () => {
    const tenant = await createTenant()
    const { body } = await sendBatch(tenant, [
      event('ada', {}, '$create_alias'),
      alias('ada', 'x'.repeat(201)),
      alias('ada', 'ada'),
    ])
    expect(body.errors).toEqual([
      { index: 0, detail: 'This field is required.', attr: 'properties__alias' },
      { index: 1, detail: 'Only the first 200 characters count.', attr: 'properties__alias' },
    ])
    expect(await peopleOf(tenant)).toEqual([{ distinctIds: ['ada', 'x'.repeat(200)], properties: {} }])
  })

  it.each([[['phone']], [{ id: 'phone' }], [true]])(
    'reports the other id %j, which names no person',
    async (other) => {
      const tenant = await createTenant()
      const { body } = await sendBatch(tenant, [
        event('ada', { $anon_distinct_id: other }, '$identify'),
        event('ada', { alias: other }, '$create_alias'),
        event('ada', { $anon_distinct_id: null }, '$identify'),
      ])
      const detail = 'Must be text or a number, so no person is merged.'
      expect(body.errors).toEqual([
        { index: 0, detail, attr: 'properties__$anon_distinct_id' },
        { index: 1, detail, attr: 'properties__alias' },
      ])
      expect(await peopleOf(tenant)).toMatchObject([{ distinctIds: ['ada'] }])
    },
  )
})

describe('$merge_dangerously', () => {
  it('merges an identified person, with all ids', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [
      identify('bob', 'bob-anon', { $set: { plan: 'free', city: 'Oslo' } }),
      identify('ada', 'ada-anon', { $set: { plan: 'paid' } }),
      mergeDangerously('ada-anon', 'bob-anon'),
    ])
    expect(await peopleOf(tenant)).toEqual([
      { distinctIds: ['ada', 'ada-anon', 'bob', 'bob-anon'], properties: { plan: 'paid', city: 'Oslo' } },
    ])
  })

  it('moves cohorts and stored buckets; those of the remaining person take precedence', async () => {
    const tenant = await createTenant()
    const { projectId } = tenant
    const [both, only] = [await cohort(tenant), await cohort(tenant)]
    await sendEach(tenant, [event('ada'), event('bob')])
    const [ada, bob] = [(await personOf(tenant, 'ada'))!, (await personOf(tenant, 'bob'))!]
    const db = database()
    await db.insert(cohortMembers).values([
      { cohortId: both, personId: ada.id },
      { cohortId: both, personId: bob.id },
      { cohortId: only, personId: bob.id },
    ])
    await db.insert(flagHashKeyOverrides).values([
      { projectId, personId: ada.id, flagKey: 'one', hashKey: 'of ada' },
      { projectId, personId: bob.id, flagKey: 'one', hashKey: 'of bob' },
      { projectId, personId: bob.id, flagKey: 'two', hashKey: 'of bob' },
    ])
    await sendEach(tenant, [mergeDangerously('ada', 'bob')])
    const members = await db
      .select({ cohortId: cohortMembers.cohortId, personId: cohortMembers.personId })
      .from(cohortMembers)
      .where(inArray(cohortMembers.cohortId, [both, only]))
      .orderBy(cohortMembers.cohortId)
    expect(members).toEqual([
      { cohortId: both, personId: ada.id },
      { cohortId: only, personId: ada.id },
    ])
    const overrides = await db
      .select({ personId: flagHashKeyOverrides.personId, hashKey: flagHashKeyOverrides.hashKey })
      .from(flagHashKeyOverrides)
      .where(eq(flagHashKeyOverrides.projectId, projectId))
      .orderBy(flagHashKeyOverrides.flagKey)
    expect(overrides).toEqual([
      { personId: ada.id, hashKey: 'of ada' },
      { personId: ada.id, hashKey: 'of bob' },
    ])
  })

  it('follows a chain of merges within one request', async () => {
    const tenant = await createTenant()
    await sendEach(
      tenant,
      ['a', 'b', 'c', 'd'].map((id) => event(id, { $set: { [id]: 1 } })),
    )
    await sendBatch(tenant, [
      mergeDangerously('b', 'a'),
      mergeDangerously('c', 'b'),
      mergeDangerously('new', 'other'),
      mergeDangerously('new', 'c'),
      mergeDangerously('d', 'new'),
      event('a', { $set: { last: true } }),
    ])
    expect(await peopleOf(tenant)).toEqual([
      {
        distinctIds: ['a', 'b', 'c', 'd', 'new', 'other'],
        properties: { a: 1, b: 1, c: 1, d: 1, last: true },
      },
    ])
  })

  it('merges a stored person into a new one of the same request', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [event('old', { $set: { a: 1 } })])
    await sendBatch(tenant, [event('new', { $set: { b: 2 } }), mergeDangerously('new', 'old')])
    expect(await peopleOf(tenant)).toEqual([{ distinctIds: ['new', 'old'], properties: { a: 1, b: 2 } }])
  })
})
