// Copies shards and persons of the main database to ClickHouse, in pages. It can be repeated, and run during capture: later versions of a
// row stay.
import type { ClickhouseServer } from '../clickhouse/server'
import { createClickhouseSink } from './clickhouse-sink'
import { PEOPLE_JSON } from './people-copies'
import { noRows, type RowKind } from '../../outbox/ingestion-rows'

export type SqlRow = Record<string, unknown>

/** Runs a SELECT on a database, by binding. */
export type Read = (binding: string, sql: string) => Promise<SqlRow[]>

interface Copy {
  kind: RowKind
  /** SQL of the row as JSON, in the form of `IngestionRows`. */
  row: string
  projectId: string
  rowId: string
  from: string
}

const PEOPLE: readonly Copy[] = [
  {
    kind: 'cohortPeople',
    row: PEOPLE_JSON.cohortPeople,
    projectId: 'p.project_id',
    rowId: 'm.rowid',
    from: 'cohort_members m JOIN persons p ON p.id = m.person_id',
  },
  { kind: 'groups', row: PEOPLE_JSON.groups, projectId: 'g.project_id', rowId: 'g.rowid', from: 'groups g' },
  {
    kind: 'distinctIds',
    row: PEOPLE_JSON.distinctIds,
    projectId: 'd.project_id',
    rowId: 'd.rowid',
    from: 'person_distinct_ids d JOIN persons p ON p.id = d.person_id',
  },
  { kind: 'persons', row: PEOPLE_JSON.persons, projectId: 'p.project_id', rowId: 'p.id', from: 'persons p' },
]

const EVENTS: Copy = {
  kind: 'events',
  row: `json_object('uuid', e.uuid, 'event', e.event, 'distinctId', e.distinct_id, 'timestamp', e.timestamp,
    'createdAt', e.created_at, 'setsProperties', json(iif(e.sets_properties > 0, 'true', 'false')), 'flagKey', e.flag_key,
    'flagResponse', e.flag_response, 'properties', json(e.properties))`,
  projectId: 'e.project_id',
  rowId: 'e.id',
  from: 'events e',
}

export interface CopyOptions {
  read: Read
  server: ClickhouseServer
  /** Bindings of all shards. */
  shards: readonly string[]
  /** In rows. */
  pageSize: number
  onPage(database: string, kind: RowKind, rows: number): void
}

/** Last copied row id, by database and kind. */
export type Cursors = Map<string, number>

/** Copies rows after the cursors, people before events, and moves the cursors. @returns the number of rows. */
export async function copyToClickhouse(options: CopyOptions, cursors: Cursors): Promise<number> {
  let count = 0
  for (const copy of PEOPLE) count += await copyTable('DB', copy, options, cursors)
  for (const shard of options.shards) count += await copyTable(shard, EVENTS, options, cursors)
  return count
}

async function copyTable(
  database: string,
  { kind, row, projectId, rowId, from }: Copy,
  { read, server, pageSize, onPage }: CopyOptions,
  cursors: Cursors,
): Promise<number> {
  const sink = createClickhouseSink(server)
  const place = `${database} ${kind}`
  for (let count = 0; ;) {
    const after = cursors.get(place) ?? 0
    const page = await read(
      database,
      `SELECT ${rowId} AS row_id, ${projectId} AS project_id, ${row} AS row FROM ${from}
        WHERE ${rowId} > ${after} ORDER BY ${rowId} LIMIT ${pageSize}`.replace(/\s+/g, ' '),
    )
    for (const [project, rows] of Map.groupBy(page, ({ project_id }) => Number(project_id))) {
      await sink.write(project, { ...noRows(), [kind]: rows.map((each) => JSON.parse(String(each.row))) })
    }
    count += page.length
    const last = page.at(-1)
    if (!last) return count
    cursors.set(place, Number(last.row_id))
    onPage(database, kind, count)
  }
}
