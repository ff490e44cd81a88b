// From the text of a query to its rows, as a caller meets it: written through the API, run through the API, over events that were captured.
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { endpointVersions, projects } from '../../../drizzle'
import { COMPILER_VERSION } from '../../../src/endpoints/compile/compiled-version'
import { refused, seen } from '../../support/responses'
import { event, sendBatch, type SentEvent } from '../../support/capture'
import { createTenant, database, type Tenant } from '../../support/tenant'

const at = (timestamp: string, sent: SentEvent) => ({ ...sent, timestamp })

/** Seven events of three people; `amount` is a number, `beta` a boolean. */
const EVENTS = [
  at('2026-03-01T10:00:00Z', event('ada', { plan: 'pro', amount: 10, beta: true }, 'bought')),
  at('2026-03-01T23:30:00Z', event('grace', { plan: 'free', amount: 2.5, beta: false }, 'bought')),
  at('2026-03-02T08:00:00Z', event('ada', { plan: 'pro', amount: 40 }, 'bought')),
  at('2026-03-02T09:00:00Z', event('edsger', { plan: 'team' }, 'opened')),
  at('2026-03-03T09:00:00Z', event('ada', {}, 'opened')),
  at('2026-03-03T09:30:00Z', event('grace', {}, 'opened')),
  at('2026-03-03T10:00:00Z', event('grace', {}, 'closed')),
]

let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  const other = await createTenant({ harness: tenant })
  for (const each of [tenant, other]) {
    const { status } = await sendBatch(each, EVENTS)
    if (status !== 200) throw new Error('events were not taken')
  }
})

type Body = Record<string, unknown>

/** Creates an endpoint of this text. */
const saved = (query: string, more: Body = {}): Promise<{ name: string; columns: unknown }> =>
  tenant.endpoint({ query: { kind: 'HogQLQuery', query }, ...more })

const run = (name: string, body: Body = {}) => tenant.post(tenant.endpoints(`${name}/run`), body)

/** The rows of a text, created and run. */
async function rowsOf(query: string, body: Body = {}): Promise<unknown[][]> {
  const { name } = await saved(query)
  const response = await run(name, body)
  if (response.status !== 200) throw new Error(JSON.stringify(response.body))
  return response.body.results
}

describe('a saved query', () => {
  it('returns rows of its own project, with the names and types of its record', async () => {
    const { name, columns } = await saved(
      'SELECT event, count() AS total, uniq(person_id) AS people, max(timestamp) AS last FROM events GROUP BY event ORDER BY total DESC, event',
    )
    const { body } = await run(name)
    expect(body).toMatchObject({
      results: [
        ['bought', 3, 2, '2026-03-02T08:00:00Z'],
        ['opened', 3, 3, '2026-03-03T09:30:00Z'],
        ['closed', 1, 1, '2026-03-03T10:00:00Z'],
      ],
      columns: ['event', 'total', 'people', 'last'],
      hasMore: false,
      is_cached: false,
    })
    expect(columns).toEqual([
      { name: 'event', type: 'string' },
      { name: 'total', type: 'integer' },
      { name: 'people', type: 'integer' },
      { name: 'last', type: 'datetime' },
    ])
    expect(body.types.map(([column]: [string]) => column)).toEqual(body.columns)
  })

  it('uses its own LIMIT as the maximum, and its own OFFSET behind which pages begin', async () => {
    const { name } = await saved('SELECT timestamp FROM events ORDER BY timestamp LIMIT 4 OFFSET 1')
    const page = async (body: Body) => {
      const { results, hasMore } = (await run(name, body)).body
      return [results.map(([moment]: [string]) => moment.slice(8, 16)), hasMore]
    }
    expect(await page({})).toEqual([['01T23:30', '02T08:00', '02T09:00', '03T09:00'], false])
    expect(await page({ limit: 3 })).toEqual([['01T23:30', '02T08:00', '02T09:00'], true])
    expect(await page({ limit: 3, offset: 3 })).toEqual([['03T09:00'], false])
    expect(await page({ limit: 3, offset: 4 })).toEqual([[], false])
  })

  it('rejects pagination of a UNION, and gives it whole', async () => {
    const { name } = await saved(
      "SELECT 1 AS n FROM events WHERE event = 'closed' UNION ALL SELECT 2 AS n FROM events WHERE event = 'closed'",
    )
    expect((await run(name)).body.results.flat().sort()).toEqual([1, 2])
    expect((await run(name, { limit: 1 })).status).toBe(400)
    const many = 'SELECT number FROM numbers(150) UNION ALL SELECT number FROM numbers(150)'
    expect(await rowsOf(many)).toHaveLength(100)
    expect(await rowsOf(`SELECT * FROM (${many}) LIMIT 250`)).toHaveLength(250)
  })

  it('runs each version as it was written', async () => {
    const { name } = await saved('SELECT count() FROM events')
    await tenant.patch(tenant.endpoints(name), {
      query: { kind: 'HogQLQuery', query: "SELECT count() FROM events WHERE event = 'closed'" },
    })
    const results = async (body: Body) => (await run(name, body)).body.results
    expect([await results({}), await results({ version: 1 }), await results({ version: 2 })]).toEqual([
      [[1]],
      [[7]],
      [[1]],
    ])
  })

  it('stops when it is deactivated or deleted', async () => {
    const { name } = await saved('SELECT count() FROM events')
    const statuses = []
    for (const body of [{ is_active: false }, { is_active: true }]) {
      await tenant.patch(tenant.endpoints(name), body)
      statuses.push((await run(name)).status)
    }
    await tenant.delete(tenant.endpoints(name))
    statuses.push((await run(name)).status)
    expect(statuses).toEqual([404, 200, 404])
  })
})

describe('variables', () => {
  it.each<
    [
      type: string,
      byDefault: unknown,
      where: string,
      sent: unknown,
      expected: [byDefault: number, sent: number],
    ]
  >([
    ['String', 'closed', 'event = {v}', 'opened', [1, 3]],
    ['Number', 10, 'toFloat(properties.amount) >= {v}', 2.5, [2, 3]],
    ['Number', 10, 'properties.amount >= {v}', '40', [2, 1]],
    ['Boolean', true, 'properties.beta = {v}', false, [1, 1]],
    ['List', ['closed'], 'event IN {v}', ['closed', 'opened'], [1, 4]],
    ['List', ['closed'], 'has({v}, event)', [], [1, 0]],
    ['List', 'closed', 'event = {v}', 'opened', [1, 3]],
    ['List', 'closed', "event IN ('opened', {v})", 'none', [4, 3]],
    ['List', 'closed', 'lower({v}) != event', 'OPENED', [6, 4]],
    ['Date', '2026-03-03', 'timestamp >= {v}', '2026-03-02 08:30:00', [3, 4]],
    ['Date', '2026-03-03', 'toDate(timestamp) = {v}', '2026-03-01', [3, 2]],
    ['String', 'pro', 'properties.plan = {v}', "' OR 1 = 1 --", [2, 0]],
    ['String', '%o%', 'event LIKE {v}', 'open%', [7, 3]],
  ])('of type %s with the default %j: %s', async (type, byDefault, where, sent, expected) => {
    const { code_name: v } = await tenant.variable({ type, default_value: byDefault })
    const { name } = await saved(
      `SELECT count() FROM events WHERE ${where.replace('{v}', `{variables.${v}}`)}`,
    )
    const counts = []
    for (const variables of [{}, { [v]: sent }]) {
      const { status, body } = await run(name, { variables })
      counts.push(status === 200 ? body.results[0][0] : body)
    }
    expect(counts).toEqual(expected)
  })

  it('are text in quotes, and a value without', async () => {
    const { code_name: v } = await tenant.variable({ default_value: 'closed' })
    expect(await rowsOf(`SELECT '{variables.${v}}', {variables.${v}}`)).toEqual([
      [`{variables.${v}}`, 'closed'],
    ])
  })

  it('are NULL when null is sent', async () => {
    const { code_name: v } = await tenant.variable({ default_value: 'closed' })
    expect(await rowsOf(`SELECT {variables.${v}} IS NULL`, { variables: { [v]: null } })).toEqual([[1]])
  })

  it('that do not fit are rejected with the expected type', async () => {
    const { code_name: v } = await tenant.variable({ type: 'Date', default_value: '2026-03-03' })
    const { name } = await saved(`SELECT count() FROM events WHERE timestamp >= {variables.${v}}`)
    expect(seen(await run(name, { variables: { [v]: 'soon' } }))).toEqual(
      refused('variables', `Variable '${v}' must be a date or a date-time in ISO 8601.`),
    )
  })
})

describe('a query that was compiled before', () => {
  const storedQuery = async (name: string) => {
    const [row] = await database()
      .select()
      .from(endpointVersions)
      .where(
        sql`endpoint_id = (SELECT id FROM endpoints WHERE project_id = ${tenant.projectId} AND name = ${name})`,
      )
    return row!
  }

  it('runs as it is stored, without the compiler', async () => {
    const { name } = await saved('SELECT count() FROM events')
    const { line } = await run(name)
    expect(line.d1_round_trips).toBeLessThanOrEqual(2)
  })

  it('is compiled again when an older compiler made it, and that is kept', async () => {
    const { name } = await saved('SELECT count() FROM events')
    const { id, compiled } = await storedQuery(name)
    await run(name)
    const older = { ...compiled!, compiler: COMPILER_VERSION - 1, queries: {} }
    await database().update(endpointVersions).set({ compiled: older }).where(eq(endpointVersions.id, id))
    expect((await run(name)).body).toMatchObject({ results: [[7]], is_cached: false })
    expect((await storedQuery(name)).compiled).toEqual(compiled)
    expect((await run(name)).body).toMatchObject({ results: [[7]] })
  })

  it('is compiled again when the type of a property becomes another, and gives no answer of before', async () => {
    const { name } = await saved('SELECT max(properties.amount) FROM events')
    expect((await run(name)).body).toMatchObject({ results: [[40]], is_cached: false })
    expect((await run(name)).body).toMatchObject({ results: [[40]], is_cached: true })
    await database().run(
      sql`UPDATE property_definitions SET type = 'String' WHERE project_id = ${tenant.projectId} AND name = 'amount'`,
    )
    // The greatest as text, too.
    expect((await run(name)).body).toMatchObject({ results: [['40']], is_cached: false })
    expect((await run(name)).body).toMatchObject({ results: [['40']], is_cached: true })
  })

  it('is compiled again when the project moves to another time zone', async () => {
    const { name } = await saved(
      'SELECT toDate(timestamp) AS day, count() FROM events GROUP BY day ORDER BY day',
    )
    expect((await run(name)).body.results).toEqual([
      ['2026-03-01', 2],
      ['2026-03-02', 2],
      ['2026-03-03', 3],
    ])
    const move = (timezone: string) =>
      database().update(projects).set({ timezone }).where(eq(projects.id, tenant.projectId))
    await move('Asia/Tokyo')
    // The isolate knows a project for a while.
    tenant.clock.advance({ minutes: 1 })
    try {
      expect((await run(name)).body).toMatchObject({
        results: [
          ['2026-03-01', 1],
          ['2026-03-02', 3],
          ['2026-03-03', 3],
        ],
        timezone: 'Asia/Tokyo',
        is_cached: false,
      })
    } finally {
      await move('UTC')
      tenant.clock.advance({ minutes: 1 })
    }
  })
})
