// GET logs (docs/reference/endpoints.md#log-of-runs).
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { endpointLogs } from '../../drizzle/events'
import { addLogEntry } from '../../src/endpoints/logs/log-entry'
import { runBatch } from '../../src/storage/run-batch'
import { seen } from '../support/responses'
import { storedEndpoint } from '../support/endpoints/saved-queries'
import { createTenant, shard, type Tenant } from '../support/tenant'

let tenant: Tenant
let endpoint: { id: string; name: string }

const pathOf = (name: string, query: Record<string, string> = {}, form = 'projects') =>
  `/api/${form}/${tenant.projectId}/endpoints/${name}/logs/${Object.keys(query).length ? `?${new URLSearchParams(query)}` : ''}`
const logs = (query: Record<string, string> = {}) => tenant.get(pathOf(endpoint.name, query))
const messages = async (query: Record<string, string> = {}) => {
  const { status, body } = await logs(query)
  return status === 200 ? body.results.map(({ message }: { message: string }) => message) : body
}

const line = (minute: number, level: 'INFO' | 'WARN' | 'ERROR' | 'DEBUG' | 'LOG', message: string) => ({
  projectId: tenant.projectId,
  endpointId: endpoint.id,
  instanceId: `00000000-0000-4000-8000-00000000000${minute}`,
  timestamp: `2026-03-10T12:0${minute}:00.500000Z`,
  level,
  message,
})

beforeAll(async () => {
  tenant = await createTenant()
  endpoint = await storedEndpoint(tenant)
  await shard()
    .insert(endpointLogs)
    .values([
      line(1, 'INFO', 'Endpoint executed · one'),
      line(2, 'ERROR', 'Endpoint execution failed · TWO'),
      line(3, 'INFO', 'Endpoint executed · three'),
      line(4, 'WARN', 'four 100%'),
      line(5, 'LOG', 'five'),
    ])
  const other = await storedEndpoint(tenant)
  await tenant.post(`/api/projects/${tenant.projectId}/endpoints/${other.name}/run/`)
})

describe('GET logs', () => {
  it('returns the entries of the endpoint, newest first', async () => {
    for (const form of ['projects', 'environments']) {
      const response = await tenant.get(pathOf(endpoint.name, { limit: '2' }, form))
      expect(seen(response)).toEqual({
        status: 200,
        body: {
          count: 5,
          next: `https://halyard.test/api/${form}/${tenant.projectId}/endpoints/${endpoint.name}/logs/?limit=2&offset=2`,
          previous: null,
          results: [
            {
              log_source_id: endpoint.id,
              instance_id: '00000000-0000-4000-8000-000000000005',
              timestamp: '2026-03-10T12:05:00.500000Z',
              level: 'LOG',
              message: 'five',
            },
            {
              log_source_id: endpoint.id,
              instance_id: '00000000-0000-4000-8000-000000000004',
              timestamp: '2026-03-10T12:04:00.500000Z',
              level: 'WARN',
              message: 'four 100%',
            },
          ],
        },
      })
    }
  })

  const [ONE, TWO, THREE, FOUR, FIVE] = [
    'Endpoint executed · one',
    'Endpoint execution failed · TWO',
    'Endpoint executed · three',
    'four 100%',
    'five',
  ]

  it.each<[query: Record<string, string>, expected: unknown[]]>([
    [{}, [FIVE, FOUR, THREE, TWO, ONE]],
    [{ limit: '1' }, [FIVE]],
    [{ limit: '2', offset: '4' }, [ONE]],
    [{ after: '2026-03-10T12:03:00.500Z' }, [FIVE, FOUR]],
    [{ before: '2026-03-10T12:03:00.500000Z' }, [TWO, ONE]],
    [{ after: '2026-03-10T13:01:01+01:00', before: '2026-03-10T12:04:00Z' }, [THREE, TWO]],
    [{ level: 'INFO' }, [THREE, ONE]],
    [{ level: 'info, Error' }, [THREE, TWO, ONE]],
    [{ search: 'two' }, [TWO]],
    [{ search: 'ENDPOINT EXECUTED' }, [THREE, ONE]],
    [{ search: '0%' }, [FOUR]],
    [{ search: '· t' }, [THREE, TWO]],
    [{ search: '%' }, [FOUR]],
    [{ instance_id: '00000000-0000-4000-8000-000000000002' }, [TWO]],
    [{ instance_id: '00000000' }, []],
    [{ level: 'INFO', search: 'one', limit: '500' }, [ONE]],
  ])('%j', async (query, expected) => {
    expect(await messages(query)).toEqual(expected)
  })

  const choice = (word: string) => ({
    type: 'validation_error',
    code: 'invalid_choice',
    detail: `"${word}" is not a valid choice. Valid choices: DEBUG, LOG, INFO, WARN, ERROR.`,
    attr: 'level',
  })
  const refused = (attr: string, code: string, detail: string) => ({
    type: 'validation_error',
    code,
    detail,
    attr,
  })
  const MOMENT =
    'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].'

  it.each<[query: Record<string, string>, body: object]>([
    [{ limit: '0' }, refused('limit', 'min_value', 'Ensure this value is greater than or equal to 1.')],
    [{ limit: '501' }, refused('limit', 'max_value', 'Ensure this value is less than or equal to 500.')],
    [{ limit: 'ten' }, refused('limit', 'invalid_input', 'A valid integer is required.')],
    [{ after: 'yesterday' }, refused('after', 'invalid_input', MOMENT)],
    [{ before: '2026-02-30' }, refused('before', 'invalid_input', MOMENT)],
    [{ level: 'FATAL' }, choice('FATAL')],
    [{ level: 'INFO,fatal' }, choice('FATAL')],
    [{ level: '' }, choice('')],
  ])('rejects %j', async (query, body) => {
    expect(seen(await logs(query))).toEqual({ status: 400, body })
  })

  it('works for an inactive endpoint, and not for one that is deleted, of another project, or not there', async () => {
    const inactive = await storedEndpoint(tenant, {}, { isActive: false })
    expect(seen(await tenant.get(pathOf(inactive.name)))).toEqual({
      status: 200,
      body: { count: 0, next: null, previous: null, results: [] },
    })
    const deleted = await storedEndpoint(tenant, {}, { deleted: true })
    const elsewhere = await storedEndpoint(await createTenant({ harness: tenant }))
    for (const name of [deleted.name, elsewhere.name, 'nope']) {
      expect(seen(await tenant.get(pathOf(name)))).toEqual({
        status: 404,
        body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
      })
    }
  })

  it('costs one round trip', async () => {
    await logs()
    const { line: cost } = await logs()
    expect(cost.d1_round_trips).toBe(1)
    expect(cost.d1_rows_read).toBeLessThanOrEqual(30)
  })
})

describe('a log of 10,000 entries', () => {
  let full: { name: string }
  const read = (query: Record<string, string>) => tenant.get(pathOf(full.name, query))

  beforeAll(async () => {
    const stored = await storedEndpoint(tenant)
    full = stored
    await shard().run(
      `INSERT INTO endpoint_logs (project_id, endpoint_id, instance_id, timestamp, level, message)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
       SELECT 1, '${stored.id}', '00000000-0000-4000-8000-000000000001', '2026-03-10T11:00:00.000000Z', iif(i % 2, 'INFO', 'ERROR'), 'line ' || i
       FROM n`,
    )
    await read({})
  })

  it.each([0, 100, 5_000, 9_990])('costs the rows of the page at offset %i', async (offset) => {
    const { body, line: cost } = await read({ limit: '10', offset: String(offset) })
    expect(body.count).toBe(10_000)
    expect(body.results[0].message).toBe(`line ${10_000 - offset}`)
    expect(body.results).toHaveLength(10)
    expect(cost.events_rows_read).toBeLessThanOrEqual(20)
  })

  it('is scanned once to count filtered entries', async () => {
    const { body, line: cost } = await read({ limit: '10', level: 'INFO' })
    expect(body.count).toBe(5_000)
    expect(cost.events_rows_read).toBeLessThanOrEqual(10_100)
  })
})

describe('adding an entry', () => {
  const at = new Date('2026-03-10T12:00:00Z')
  const add = (instanceId: string, to: string) => {
    const db = shard()
    return runBatch(
      db,
      addLogEntry(db, { projectId: 1, endpointId: to, instanceId, at, level: 'INFO', message: instanceId }),
    )
  }
  let busy: { id: string }
  const count = async () =>
    (await shard().select().from(endpointLogs).where(eq(endpointLogs.endpointId, busy.id))).length

  beforeEach(async () => {
    busy = await storedEndpoint(tenant)
    const many = Array.from({ length: 10_050 }, (_, n) => n)
    await shard().run(
      `INSERT INTO endpoint_logs (project_id, endpoint_id, instance_id, timestamp, level, message)
       SELECT 1, '${busy.id}', value, '2026-03-10T11:00:00.000000Z', 'INFO', value FROM json_each('${JSON.stringify(many)}')`,
    )
  })

  it('keeps the newest 10,000', async () => {
    await add('00000000-0000-4000-8000-000000000001', busy.id)
    expect(await count()).toBe(10_000)
    const [newest] = (
      await shard().select().from(endpointLogs).where(eq(endpointLogs.endpointId, busy.id))
    ).slice(-1)
    expect(newest!.message).toBe('00000000-0000-4000-8000-000000000001')
  })
})
