// What a run costs the database (design.md, "Budgets"): round trips and rows read, counted.
import { beforeAll, describe, expect, it } from 'vitest'
import { createHarness } from '../../support/harness'
import {
  compiledVersion,
  hogql,
  numbers,
  savedVariable,
  storedEndpoint,
  storedVersion,
} from '../../support/saved-queries'
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
  it('costs one round trip and 30 rows when its answer is at hand, and another for a key not seen yet', async () => {
    const caller = await tenant.withKey({})
    await runAs(tenant, { limit: 3 })
    for (const trips of [2, 1]) {
      const { body, line } = await runAs(caller, { limit: 3 })
      expect(body.is_cached).toBe(true)
      expect(line.d1_round_trips).toBe(trips)
      expect(line.d1_rows_read).toBeLessThanOrEqual(30)
    }
  })

  it('costs one more, and what the query itself reads, when the engine is asked', async () => {
    const caller = await tenant.withKey({})
    for (const trips of [3, 2]) {
      const { body, line } = await runAs(caller, { refresh: 'force' })
      expect(body.is_cached).toBe(false)
      expect(line.d1_round_trips).toBe(trips)
      expect(line.d1_rows_read).toBeLessThanOrEqual(30)
    }
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
