// Moving projects from shards to ClickHouse: copies what a shard and the main database hold, table by table, in pages. It can be repeated, and
// run while capture goes on: a later version of a row stays.
import type { JsonObject } from '../../json'
import type { ClickhouseServer } from '../clickhouse/server'
import { createClickhouseSink } from './clickhouse-sink'
import { type IngestionRows, noRows, type RowKind } from '../../outbox/ingestion-rows'

export type SqlRow = Record<string, unknown>

/** Runs one SELECT on a database, by its binding. */
export type Read = (binding: string, sql: string) => Promise<SqlRow[]>

interface Copy {
  kind: RowKind
  /** Rows of a page: `row_id`, `project_id` and those of the kind. */
  select: string
  /** What `row_id` is in `select`. */
  rowId: string
  row(row: SqlRow): IngestionRows[RowKind][number]
}

const text = (value: unknown) => String(value)
const textOrNull = (value: unknown) => (value === null ? null : String(value))
const document = (value: unknown) => JSON.parse(text(value)) as JsonObject
const isTrue = (value: unknown) => Number(value) === 1

/** Of the main database. */
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

/** Of a shard. */
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

export interface MoveOptions {
  read: Read
  server: ClickhouseServer
  /** Bindings of all shards. */
  shards: readonly string[]
  /** Rows of a page. */
  pageSize: number
  /** Called after each page. */
  onPage(database: string, kind: RowKind, rows: number): void
}

/** Where a copy of a table ended, by database and kind: a later copy goes on from there. */
export type Cursors = Map<string, number>

/** Copies what lies behind the cursors, people before events, and moves the cursors. @returns how many rows that were. */
export async function copyToClickhouse(options: MoveOptions, cursors: Cursors): Promise<number> {
  let count = 0
  for (const copy of PEOPLE) count += await copyTable('DB', copy, options, cursors)
  for (const shard of options.shards) count += await copyTable(shard, EVENTS, options, cursors)
  return count
}

async function copyTable(
  database: string,
  { kind, select, rowId, row }: Copy,
  { read, server, pageSize, onPage }: MoveOptions,
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
