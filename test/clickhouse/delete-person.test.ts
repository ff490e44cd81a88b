// Deletion of the data of a person, and of a project, on ClickHouse.
import { beforeAll, expect, it } from 'vitest'
import { clickhouseOf } from '../../src/analytics/clickhouse/server'
import { CLICKHOUSE_TABLES } from '../../src/analytics/clickhouse/tables'
import { deleteFromClickhouse, deleteProjectFromClickhouse } from '../../src/analytics/delete-person-data'
import { createClickhouseSink } from '../../src/analytics/ingestion/clickhouse-sink'
import { type EventRow, noRows, tombstone } from '../../src/outbox/ingestion-rows'
import { makeWarehouse, type Warehouse } from './support/warehouse'

const PROJECT = 7
const ADA = '019d4d6b-2c10-7a55-8f0e-4b9d1c6e7a21'
const GRACE = '019d4d6b-2c10-7a55-8f0e-4b9d1c6e7a22'
const QUOTED = `ada's \\ "id"`

let warehouse: Warehouse
beforeAll(async () => {
  warehouse = await makeWarehouse('delete_person')
})

const eventOf = (distinctId: string, createdAt = '2026-03-10T12:00:00.000000Z'): EventRow => ({
  uuid: crypto.randomUUID(),
  event: 'opened',
  distinctId,
  timestamp: '2026-03-01T10:00:00.123000Z',
  createdAt,
  setsProperties: false,
  flagKey: null,
  flagResponse: null,
  properties: {},
})

const personOf = (uuid: string) => ({ ...tombstone(uuid, 1), isDeleted: false, properties: { uuid } })

it('takes all rows of the person but tombstones, and no others', async () => {
  const server = clickhouseOf(warehouse.settings)!
  const sink = createClickhouseSink(server)
  const rows = {
    ...noRows(),
    persons: [personOf(ADA), personOf(GRACE)],
    distinctIds: [
      { distinctId: 'ada', personUuid: ADA, version: 1 },
      { distinctId: QUOTED, personUuid: ADA, version: 2 },
      { distinctId: 'grace', personUuid: GRACE, version: 1 },
    ],
    cohortPeople: [ADA, GRACE].map((personUuid) => ({
      cohortId: 1,
      personUuid,
      version: 1,
      isDeleted: false,
    })),
    events: [
      eventOf('ada'),
      eventOf(QUOTED),
      eventOf('grace'),
      eventOf('ada', '2026-03-10T12:00:00.000001Z'),
    ],
  }
  await sink.write(PROJECT, rows)
  await sink.write(PROJECT + 1, rows)
  await sink.write(PROJECT, { ...noRows(), persons: [tombstone(ADA, 5)] })
  // Somebody else under the same id.
  await sink.write(PROJECT, {
    ...noRows(),
    distinctIds: [{ distinctId: 'ada', personUuid: GRACE, version: 6 }],
  })
  const deletion = {
    kind: 'delete_person_data' as const,
    person: ADA,
    distinctIds: ['ada', QUOTED],
    cohortIds: [1],
    deleteEvents: true,
    version: 5,
    before: '2026-03-10T12:00:00.000000Z',
  }
  await deleteFromClickhouse(server, PROJECT, deletion)
  await deleteFromClickhouse(server, PROJECT, deletion)
  const of = (columns: string, table: string, project = PROJECT) =>
    warehouse.rows(`SELECT ${columns} FROM ${table} WHERE project_id = ${project} ORDER BY ALL`)
  expect(await of('id, is_deleted', 'persons')).toEqual([
    [ADA, 1],
    [GRACE, 0],
  ])
  expect(await of('distinct_id, person_id', 'person_distinct_ids')).toEqual([
    ['ada', GRACE],
    ['grace', GRACE],
  ])
  expect(await of('person_id', 'cohort_people')).toEqual([[GRACE]])
  expect(await of('distinct_id', 'events')).toEqual([['ada'], ['grace']])
  expect(await of('distinct_id', 'events', PROJECT + 1)).toHaveLength(4)
})

it('takes all rows of a project, and none of others', async () => {
  const server = clickhouseOf(warehouse.settings)!
  const sink = createClickhouseSink(server)
  const rows = {
    ...noRows(),
    persons: [personOf(ADA)],
    distinctIds: [{ distinctId: 'ada', personUuid: ADA, version: 1 }],
    groups: [
      { typeIndex: 0, key: 'example', properties: {}, createdAt: '2026-03-01T10:00:00.000000Z', version: 1 },
    ],
    cohortPeople: [{ cohortId: 1, personUuid: ADA, version: 1, isDeleted: false }],
    events: [eventOf('ada')],
  }
  const [gone, other] = [21, 22]
  for (const project of [gone, other]) await sink.write(project, rows)
  const counts = async (project: number) =>
    Object.fromEntries(
      await Promise.all(
        Object.keys(CLICKHOUSE_TABLES).map(async (table) => [
          table,
          (await warehouse.rows(`SELECT count() FROM ${table} WHERE project_id = ${project}`))[0]![0],
        ]),
      ),
    )
  const all = (count: number) =>
    Object.fromEntries(Object.keys(CLICKHOUSE_TABLES).map((table) => [table, count]))
  expect(await counts(gone)).toEqual(all(1))
  await deleteProjectFromClickhouse(server, gone)
  expect(await counts(gone)).toEqual(all(0))
  expect(await counts(other)).toEqual(all(1))
})
