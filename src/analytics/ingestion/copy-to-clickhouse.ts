// Copies shards and persons of the main database to ClickHouse, in pages. It can be repeated, and run during capture: later versions of a
// row stay.
import type { JsonObject } from '../../json'
import type { ClickhouseServer } from '../clickhouse/server'
import { createClickhouseSink } from './clickhouse-sink'
import { type IngestionRows, noRows, type RowKind } from '../../outbox/ingestion-rows'

export type SqlRow = Record<string, unknown>

/** Runs a SELECT on a database, by binding. */
export type Read = (binding: string, sql: string) => Promise<SqlRow[]>

interface Copy {
  kind: RowKind
  /** Columns of the kind, `row_id` and `project_id`. */
  select: string
  /** `row_id` in `select`. */
  rowId: string
  row(row: SqlRow): IngestionRows[RowKind][number]
}

const text = (value: unknown) => String(value)
const textOrNull = (value: unknown) => (value === null ? null : String(value))
const document = (value: unknown) => JSON.parse(text(value)) as JsonObject
const isTrue = (value: unknown) => Number(value) === 1

const PEOPLE: readonly Copy[] = [
  {
    kind: 'cohortPeople',
    select: `c.rowid AS row_id, p.project_id, c.cohort_id, p.uuid, c.version
      FROM cohort_members c JOIN persons p ON p.id = c.person_id`,
    rowId: 'c.rowid',
    row: (row) => ({
      cohortId: Number(row.cohort_id),
      personUuid: text(row.uuid),
      version: Number(row.version),
      isDeleted: false,
    }),
  },
  {
    kind: 'groups',
    select: `g.rowid AS row_id, g.* FROM groups g`,
    rowId: 'g.rowid',
    row: (row) => ({
      typeIndex: Number(row.type_index),
      key: text(row.group_key),
      createdAt: text(row.created_at),
      version: Number(row.version),
      properties: document(row.properties),
    }),
  },
  {
    kind: 'distinctIds',
    select: `d.rowid AS row_id, d.project_id, d.distinct_id, p.uuid, d.version
      FROM person_distinct_ids d JOIN persons p ON p.id = d.person_id`,
    rowId: 'd.rowid',
    row: (row) => ({
      distinctId: text(row.distinct_id),
      personUuid: text(row.uuid),
      version: Number(row.version),
    }),
  },
  {
    kind: 'persons',
    select: `p.id AS row_id, p.* FROM persons p`,
    rowId: 'p.id',
    row: (row) => ({
      uuid: text(row.uuid),
      isIdentified: isTrue(row.is_identified),
      createdAt: text(row.created_at),
      version: Number(row.version),
      isDeleted: false,
      properties: document(row.properties),
    }),
  },
]

const EVENTS: Copy = {
  kind: 'events',
  select: `e.id AS row_id, e.project_id, e.uuid, e.event, e.distinct_id, e.timestamp, e.created_at, e.sets_properties, e.flag_key,
    e.flag_response, json(e.properties) AS properties FROM events e`,
  rowId: 'e.id',
  row: (row) => ({
    uuid: text(row.uuid),
    event: text(row.event),
    distinctId: text(row.distinct_id),
    timestamp: text(row.timestamp),
    createdAt: text(row.created_at),
    setsProperties: Number(row.sets_properties) > 0,
    flagKey: textOrNull(row.flag_key),
    flagResponse: textOrNull(row.flag_response),
    properties: document(row.properties),
  }),
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
  { kind, select, rowId, row }: Copy,
  { read, server, pageSize, onPage }: CopyOptions,
  cursors: Cursors,
): Promise<number> {
  const sink = createClickhouseSink(server)
  const place = `${database} ${kind}`
  for (let count = 0; ;) {
    const after = cursors.get(place) ?? 0
    const page = await read(
      database,
      `SELECT ${select} WHERE ${rowId} > ${after} ORDER BY ${rowId} LIMIT ${pageSize}`.replace(/\s+/g, ' '),
    )
    for (const [projectId, rows] of Map.groupBy(page, ({ project_id }) => Number(project_id))) {
      await sink.write(projectId, { ...noRows(), [kind]: rows.map(row) })
    }
    count += page.length
    const last = page.at(-1)
    if (!last) return count
    cursors.set(place, Number(last.row_id))
    onPage(database, kind, count)
  }
}
