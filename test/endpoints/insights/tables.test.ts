// Events and persons as tables.
import { beforeAll, describe, expect, it } from 'vitest'
import { sendBatch, event } from '../../support/capture'
import { createTenant, type Tenant } from '../../support/tenant'
import { dateOf, generate, load, rejectionOf, resultsOf, runOf } from './generated-events'

const EVENTS = generate({ names: ['visit', 'buy', 'leave'], people: 5, count: 60, days: 4 })
let tenant: Tenant
let personOf: Map<string, string>
beforeAll(async () => {
  tenant = await createTenant()
  await sendBatch(tenant, [
    {
      ...event('person 1', { $set: { email: 'one@x.test', name: 'One' } }, 'visit'),
      timestamp: '2026-02-01T00:00:00Z',
    },
  ])
  await load(tenant, EVENTS)
  const rows: string[][] = await resultsOf(tenant, {
    kind: 'HogQLQuery',
    query: 'SELECT DISTINCT distinct_id, person_id FROM events',
  })
  personOf = new Map(rows.map(([name, id]) => [name!, id!]))
})

type Body = Record<string, unknown>
const query = (more: Body = {}) => ({
  kind: 'EventsQuery',
  select: ['event', 'properties.plan', 'timestamp'],
  after: dateOf(0),
  before: dateOf(9),
  ...more,
})
const iso = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z')

describe('an EventsQuery', () => {
  const newest = EVENTS.toReversed()

  it('has the newest events first, page by page', async () => {
    const first = await runOf(tenant, query({ limit: 7 }))
    const shown = newest.map(({ name, plan, time }) => [name, plan, iso(time)])
    const plain = (rows: unknown[][]) => rows.map((row) => [row[0], row[1], iso(Date.parse(String(row[2])))])
    expect(plain(first.results)).toEqual(shown.slice(0, 7))
    expect([first.columns, first.limit, first.offset, first.hasMore]).toEqual([
      ['event', 'properties.plan', 'timestamp'],
      7,
      0,
      true,
    ])
    const last = await runOf(tenant, query({ limit: 20, offset: 50 }))
    expect(plain(last.results)).toEqual(shown.slice(50))
    expect([last.limit, last.offset, last.hasMore]).toEqual([20, 50, false])
  })

  it('filters by time, name, person, property and expression', async () => {
    const filtered = async (more: Body) =>
      (await resultsOf(tenant, query({ select: ['toUnixTimestamp(timestamp)'], ...more }))).map(
        ([time]: number[]) => time! * 1000,
      )
    const times = (isShown: (each: (typeof EVENTS)[number]) => boolean) =>
      EVENTS.filter(isShown).map(({ time }) => time)
    expect(await filtered({ after: dateOf(1), before: dateOf(2) })).toEqual(
      times(({ time }) => time > Date.parse(dateOf(1)) && time < Date.parse(dateOf(2))),
    )
    expect(await filtered({ event: 'buy' })).toEqual(times(({ name }) => name === 'buy'))
    expect(await filtered({ events: ['buy', 'leave'] })).toEqual(times(({ name }) => name !== 'visit'))
    expect(await filtered({ personId: personOf.get('person 2') })).toEqual(
      times(({ who }) => who === 'person 2'),
    )
    expect(await filtered({ properties: [{ key: 'plan', value: 'pro', type: 'event' }] })).toEqual(
      times(({ plan }) => plan === 'pro'),
    )
    expect(await filtered({ where: ['properties.amount > 50 -- a lot', "event != 'buy'"] })).toEqual(
      times(({ amount, name }) => amount > 50 && name !== 'buy'),
    )
  })

  it('takes times to the microsecond, so that the last row leads to the next page', async () => {
    const own = await createTenant({ harness: tenant })
    const times = ['.123000', '.123400', '.123456'].map((fraction) => `2026-02-24T10:00:00${fraction}Z`)
    await sendBatch(
      own,
      times.map((timestamp) => ({ ...event('ada', {}, 'visit'), timestamp })),
    )
    const select = ['toString(timestamp)', 'timestamp']
    const found = async (more: Body) =>
      (await resultsOf(own, query({ select, ...more }))).map((row: string[]) => row[1]!.slice(-10, -1))
    const [first, second, third] = times.map((time) => time.slice(-10, -1))
    expect(await found({})).toEqual([third, second, first])
    expect(await found({ before: times[2] })).toEqual([second, first])
    expect(await found({ after: times[1] })).toEqual([third])
  })

  it('aggregates, and filters the aggregated rows', async () => {
    const count = (name: string) => EVENTS.filter((each) => each.name === name).length
    const names = ['visit', 'buy', 'leave'].toSorted((a, b) => count(b) - count(a))
    const run = await runOf(tenant, query({ select: ['event', 'count() AS total'] }))
    expect([run.columns, run.results]).toEqual([['event', 'total'], names.map((name) => [name, count(name)])])
    const most = count(names[0]!)
    expect(
      await resultsOf(tenant, query({ select: ['count()', 'event'], where: [`count() >= ${most}`] })),
    ).toEqual(names.filter((name) => count(name) === most).map((name) => [most, name]))
    expect(await resultsOf(tenant, query({ select: ['count()'] }))).toEqual([[EVENTS.length]])
  })

  it('shows whole events and persons', async () => {
    const last = EVENTS.findLast(({ who }) => who === 'person 1')!
    const [[whole, person, called]] = await resultsOf(
      tenant,
      query({
        select: ['*', 'person', 'person_display_name -- Person'],
        where: ["distinct_id = 'person 1'"],
        orderBy: ['timestamp DESC'],
        limit: 1,
      }),
    )
    expect(whole).toEqual({
      uuid: expect.any(String),
      event: last.name,
      properties: expect.objectContaining({ plan: last.plan, amount: last.amount }),
      timestamp: expect.any(String),
      distinct_id: 'person 1',
      elements_chain: '',
      created_at: expect.any(String),
    })
    const id = personOf.get('person 1')
    expect(person).toEqual({
      uuid: id,
      created_at: expect.any(String),
      properties: expect.objectContaining({ email: 'one@x.test', name: 'One' }),
      distinct_id: 'person 1',
    })
    expect(called).toEqual({ display_name: 'one@x.test', id, distinct_id: 'person 1' })
  })

  it('takes another range and filters in a run', async () => {
    const { name } = await tenant.endpoint({ query: query({ select: ['count()'] }) })
    const run = async (body: Body) => (await tenant.post(tenant.endpoints(`${name}/run`), body)).body
    const range = { date_from: dateOf(1), date_to: dateOf(2) }
    expect((await run({ variables: range })).results).toEqual([
      [EVENTS.filter(({ time }) => time > Date.parse(dateOf(1)) && time < Date.parse(dateOf(2))).length],
    ])
    // Without an end, the range is that until now, though the query has one.
    const ended = await tenant.endpoint({ query: query({ select: ['count()'], before: dateOf(1) }) })
    const since = await tenant.post(tenant.endpoints(`${ended.name}/run`), {
      variables: { date_from: dateOf(1) },
    })
    expect(since.body.results).toEqual([[EVENTS.filter(({ time }) => time > Date.parse(dateOf(1))).length]])
    const properties = [{ key: 'plan', value: 'pro', type: 'event' }]
    expect((await run({ filters_override: { properties } })).results).toEqual([
      [EVENTS.filter(({ plan }) => plan === 'pro').length],
    ])
  })

  it.each([
    [{ select: ['event FROM events UNION ALL SELECT 1'] }, /^select\[0\] is not a HogQL expression: /],
    [{ where: ['1) OR (1'] }, /^where\[0\] is not a HogQL expression: /],
    [{ orderBy: ['event LIMIT 1'] }, /^orderBy\[0\] is not a HogQL expression: /],
    [{ actionId: 1 }, /^Invalid HogQL query: Action 1 does not exist$/],
    [{ select: ['nothing_like_it'] }, /nothing_like_it/],
  ])('rejects %j', async (more, detail) => {
    expect(await rejectionOf(tenant, query(more))).toEqual([400, 'query', expect.stringMatching(detail)])
  })
})

describe('an ActorsQuery', () => {
  const actors = (more: Body = {}) => ({ kind: 'ActorsQuery', ...more })

  it('shows persons', async () => {
    const run = await runOf(tenant, actors({ search: 'ONE@x' }))
    const id = personOf.get('person 1')
    expect([run.columns, run.results]).toEqual([
      ['person', 'id', 'person.$delete'],
      [
        [
          {
            id,
            properties: expect.objectContaining({ email: 'one@x.test' }),
            is_identified: false,
            created_at: expect.any(String),
          },
          id,
          1,
        ],
      ],
    ])
  })

  it('filters, orders and pages', async () => {
    const ids = [...new Set(EVENTS.map(({ who }) => who))].map((who) => personOf.get(who)!).toSorted()
    const run = await runOf(tenant, actors({ select: ['id'], orderBy: ['id DESC'], limit: 2, offset: 1 }))
    expect([run.results, run.hasMore]).toEqual([
      ids
        .toReversed()
        .slice(1, 3)
        .map((id) => [id]),
      true,
    ])
    const properties = [{ key: 'email', operator: 'is_set', type: 'person' }]
    expect(await resultsOf(tenant, actors({ select: ['properties.name', 'id'], properties }))).toEqual([
      ['One', personOf.get('person 1')],
    ])
    expect(await resultsOf(tenant, actors({ select: ['id'], search: 'person 2' }))).toEqual([
      [personOf.get('person 2')],
    ])
    expect(await resultsOf(tenant, actors({ select: ['count()'] }))).toEqual([[5]])
  })

  it('shows the persons of a query', async () => {
    const buyers = [...new Set(EVENTS.filter(({ name }) => name === 'buy').map(({ who }) => who))]
    const of = (text: string, more: Body = {}) =>
      resultsOf(
        tenant,
        actors({ select: ['id'], orderBy: ['id'], source: { kind: 'HogQLQuery', query: text }, ...more }),
      )
    const ids = buyers.map((who) => [personOf.get(who)!]).toSorted()
    expect(await of("SELECT person_id, count() FROM events WHERE event = 'buy' GROUP BY person_id")).toEqual(
      ids,
    )
    expect(
      await of(
        "SELECT any(person_id) AS actor_id FROM events WHERE event = 'buy' GROUP BY person.id UNION ALL SELECT id FROM persons WHERE false -- none",
        { search: 'person 1' },
      ),
    ).toEqual(ids.filter(([id]) => id === personOf.get('person 1')))
  })

  it('filters by fields of persons, and names the types of filters that it takes', async () => {
    const since = (operator: string) => ({
      type: 'person_metadata',
      key: 'created_at',
      operator,
      value: '2020-01-01',
    })
    const counted = async (filter: Body) =>
      (await runOf(tenant, actors({ select: ['count()'], properties: [filter] }))).results
    expect(await counted(since('is_date_after'))).toEqual([[personOf.size]])
    expect(await counted(since('is_date_before'))).toEqual([[0]])
    for (const type of [undefined, 'event', 'event_metadata', 'session', 'group', 'flag', 'element', 'bogus'])
      expect(await rejectionOf(tenant, actors({ properties: [{ type, key: 'plan', value: 'a' }] }))).toEqual([
        400,
        'query',
        expect.stringContaining(
          `Filters of type '${type ?? 'event'}' are for queries of events. Supported here: person, person_metadata, cohort, hogql`,
        ),
      ])
  })

  it('has no date range, and persons of a HogQLQuery only', async () => {
    const { name } = await tenant.endpoint({ query: actors() })
    const run = async (body: Body) => (await tenant.post(tenant.endpoints(`${name}/run`), body)).body.detail
    expect(await run({ filters_override: { date_from: '-7d' } })).toBe('An ActorsQuery has no date range.')
    expect(await run({ variables: { date_from: '-7d' } })).toMatch(/date_from/)
    const rejected = async (source: Body) => (await rejectionOf(tenant, actors({ source })))[2]
    const hogql = { kind: 'HogQLQuery', query: 'SELECT event FROM events' }
    expect([
      await rejected({ kind: 'FunnelsActorsQuery', source: {} }),
      await rejected({ kind: 'HogQLQuery', query: 'SELECT id FROM persons) OR (1 = 1' }),
      await rejected(hogql),
      await rejected({ ...hogql, values: { a: 1 } }),
    ]).toEqual([
      "A source of the kind 'FunnelsActorsQuery' is not supported in an ActorsQuery: use a HogQLQuery that selects person_id.",
      "source.query is not a HogQL query: Syntax error at ')' at line 1, column 23\nSELECT id FROM persons) OR (1 = 1\n                      ^",
      'source.query has no column with ids of persons: name one actor_id, person_id or id.',
      'source.values is not supported in an ActorsQuery.',
    ])
  })
})
