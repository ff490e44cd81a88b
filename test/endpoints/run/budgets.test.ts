// What a run costs the database: round trips and rows read, counted.
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { event, sendBatch } from '../../support/capture'
import { createHarness } from '../../support/harness'
import { createMaterializingTenant } from '../../support/endpoints/materialization'
import {
  compiledVersion,
  hogql,
  numbers,
  savedVariable,
  storedEndpoint,
  storedVersion,
} from '../../support/endpoints/saved-queries'
import { createTenant, type Tenant } from '../../support/tenant'

let tenant: Tenant
let name: string

/** A project with many endpoints, one of which has many versions, answers and lines in its log. */
beforeAll(async () => {
  tenant = await createTenant()
  for (let other = 0; other < 50; other += 1) await storedEndpoint(tenant)
  const variables = await Promise.all(
    ['a', 'b', 'c'].map((codeName) => savedVariable(tenant, codeName, 'String', 'x')),
  )
  const version = {
    query: hogql(
      'SELECT 1',
      Object.fromEntries(variables.map((variable) => [variable.variableId, { ...variable, value: 'x' }])),
    ),
    compiled: {
      ...compiledVersion(numbers()),
      properties: Array.from({ length: 5 }, (_, n): ['event', string, null] => [
        'event',
        `property_${n}`,
        null,
      ]),
      variables: variables.map(({ variableId }): [string, 'String'] => [variableId, 'String']),
    },
  }
  const endpoint = await storedEndpoint(tenant, version)
  name = endpoint.name
  for (let number = 2; number <= 30; number += 1) await storedVersion(tenant, endpoint.id, number, version)
  for (let limit = 1; limit <= 20; limit += 1) await runAs(tenant, { limit })
}, 60_000)

const runAs = (caller: Tenant, body: object = {}) =>
  caller.post(`/api/projects/${tenant.projectId}/endpoints/${name}/run/`, body)

describe('a run', () => {
  it('costs one round trip to each database, at the same time, and 30 rows when its answer is stored; another for a key not seen yet', async () => {
    const caller = await tenant.withKey({})
    await runAs(tenant, { limit: 3 })
    for (const trips of [2, 1]) {
      const { body, line } = await runAs(caller, { limit: 3 })
      expect(body.is_cached).toBe(true)
      expect(line).toMatchObject({ d1_round_trips: trips, events_round_trips: 1 })
      expect(line.d1_rows_read + line.events_rows_read!).toBeLessThanOrEqual(30)
    }
  })

  it('costs one to each database, and what the query itself reads, when the engine is asked', async () => {
    const caller = await tenant.withKey({})
    for (const trips of [2, 1]) {
      const { body, line } = await runAs(caller, { refresh: 'force' })
      expect(body.is_cached).toBe(false)
      expect(line).toMatchObject({ d1_round_trips: trips, events_round_trips: 1 })
      expect(line.d1_rows_read).toBeLessThanOrEqual(30)
    }
  })

  it('looks for a stored answer, reads how many rows there are, and then those that it gives', async () => {
    const builder = await createMaterializingTenant()
    const many = Array.from({ length: 500 }, (_, n) => event(`user-${n % 50}`, { n }, `event-${n % 100}`))
    await sendBatch(builder, many)
    const { id } = await builder.variable({ name: 'Event' })
    const query = {
      kind: 'HogQLQuery',
      query:
        'SELECT toStartOfDay(timestamp) AS day, count() AS n FROM events WHERE event = {variables.event} GROUP BY day',
      variables: { [id]: { variableId: id, code_name: 'event', value: 'event-1' } },
    }
    const made = await builder.endpoint({ query, is_materialized: true })
    await builder.consume()
    const run = (body: object) => builder.post(builder.endpoints(`${made.name}/run`), body)
    await run({ variables: { event: 'event-1' } })
    const { body, line } = await run({ variables: { event: 'event-7' } })
    expect(body).toMatchObject({ endpoint_materialized: true, is_cached: false })
    expect(body.results.map(([, n]: [string, number]) => n)).toEqual([5])
    expect(line).toMatchObject({ d1_round_trips: 1, events_round_trips: 3 })
    expect(line.d1_rows_read + line.events_rows_read!).toBeLessThanOrEqual(30)
    const { results } = await env.EVENTS.prepare(
      `EXPLAIN QUERY PLAN SELECT c0 FROM "mat_${made.materialization.saved_query_id.replaceAll('-', '')}_1" WHERE c2 = 'x'`,
    ).all<{ detail: string }>()
    expect(results[0]!.detail).toContain('USING INDEX')
    const again = await run({ variables: { event: 'event-7' } })
    expect(again.body.is_cached).toBe(true)
    expect(again.line.d1_round_trips).toBe(1)
  })

  it('costs no more where runs are counted', async () => {
    const harness = createHarness({ clock: tenant.clock, bindings: { THROTTLES: 'on' } })
    const send = () =>
      harness.send('POST', `/api/projects/${tenant.projectId}/endpoints/${name}/run/`, {
        body: { limit: 3 },
        headers: { Authorization: `Bearer ${tenant.key}` },
      })
    await send()
    const { line, body } = await send()
    expect(body.is_cached).toBe(true)
    expect(line.d1_round_trips).toBe(1)
    expect(line.d1_rows_read).toBeLessThanOrEqual(30)
  })
})
