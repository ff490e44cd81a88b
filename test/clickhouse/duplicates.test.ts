// Rows that are inserted again, whole or in part, in any order and while parts are merged: no query's numbers show it.
import * as fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { sendStatement } from '../../src/analytics/clickhouse/server'
import { createClickhouseSink } from '../../src/analytics/ingestion/clickhouse-sink'
import { type EventRow, noRows, type PersonCopy } from '../../src/outbox/ingestion-rows'
import { compileFor, run } from './support/ask'
import { makeWarehouse, type Warehouse } from './support/warehouse'

let warehouse: Warehouse
let projects = 0

beforeAll(async () => {
  warehouse = await makeWarehouse('duplicates')
})

const command = (statement: string) =>
  sendStatement(warehouse.server, { search: {}, body: statement, timeoutMs: 10_000 })

const MOMENT = '2026-03-01T10:00:00.000000Z'
const PERSONS = ['ada', 'ben', 'cleo']

const eventOf = (index: number): EventRow => ({
  uuid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  event: index % 3 ? 'opened' : 'bought',
  distinctId: PERSONS[index % PERSONS.length]!,
  timestamp: `2026-03-0${1 + (index % 4)}T10:00:00.000000Z`,
  createdAt: MOMENT,
  setsProperties: false,
  flagKey: null,
  flagResponse: null,
  properties: { amount: index },
})

const personOf = (name: string, version: number): PersonCopy => ({
  uuid: name,
  isIdentified: false,
  createdAt: MOMENT,
  version,
  isDeleted: false,
  properties: { version },
})

const QUERY = `SELECT event, count() AS n, uniqExact(person_id) AS people, sum(toInt(properties.amount)) AS amount,
    max(toInt(person.properties.version)) AS version FROM events GROUP BY event ORDER BY event`

const insert = fc.record({
  kind: fc.constant('insert' as const),
  events: fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 40 }),
  persons: fc.array(fc.tuple(fc.constantFrom(...PERSONS), fc.integer({ min: 1, max: 9 })), { maxLength: 6 }),
})
const merge = fc.record({ kind: fc.constantFrom('merge' as const, 'merge all' as const) })
const steps = fc.array(fc.oneof({ weight: 3, arbitrary: insert }, merge), { minLength: 2, maxLength: 8 })

it('shows in no numbers of a query', { timeout: 120_000 }, async () => {
  const query = await compileFor({ sql: QUERY })
  const sink = createClickhouseSink(warehouse.server)
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      projects += 1
      const projectId = projects
      const events = new Set<number>()
      const versions = new Map<string, number>()
      const distinctIds = PERSONS.map((name) => ({ distinctId: name, personUuid: name, version: 1 }))
      const rows = () => run(warehouse.server, projectId, query, { sql: QUERY })
      for (const step of all) {
        if (step.kind === 'insert') {
          for (const index of step.events) events.add(index)
          for (const [name, version] of step.persons) {
            versions.set(name, Math.max(version, versions.get(name) ?? 0))
          }
          const copies = {
            distinctIds,
            persons: step.persons.map(([name, version]) => personOf(name, version)),
          }
          const written = { ...noRows(), ...copies, events: step.events.map(eventOf) }
          await sink.write(projectId, written)
          await sink.write(projectId, written)
          expect(await rows()).toEqual(expected(events, versions))
        } else {
          const final = step.kind === 'merge all' ? ' FINAL' : ''
          const tables = ['events', 'persons', 'person_distinct_ids']
          const [during] = await Promise.all([
            rows(),
            ...tables.map((table) => command(`OPTIMIZE TABLE ${table}${final}`)),
          ])
          for (const seen of [during, await rows()]) expect(seen).toEqual(expected(events, versions))
        }
      }
    }),
    { numRuns: 15 },
  )
})

function expected(events: ReadonlySet<number>, versions: ReadonlyMap<string, number>): unknown[][] {
  const rows = [...events].map(eventOf)
  return [...Map.groupBy(rows, ({ event }) => event)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([event, of]) => {
      const people = [...new Set(of.map(({ distinctId }) => distinctId))]
      const known = people.flatMap((name) => versions.get(name) ?? [])
      return [
        event,
        of.length,
        people.length,
        of.reduce((sum, { properties }) => sum + Number(properties.amount), 0),
        known.length ? Math.max(...known) : null,
      ]
    })
}
