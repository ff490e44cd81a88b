// Bringing what the database holds already to ClickHouse: table by table, in pages. It can be repeated, and run while capture goes on: rows of
// a later version stay.
import type { ClickhouseServer } from '../clickhouse/server'
import type { WarehouseTableName } from '../clickhouse/tables'
import { DATABASE_CLOCK } from './clock'
import { insertRows } from './insert'
import type { WarehouseRow } from './message'
import { distinctIdRow, eventRow, groupRow, memberRow, personRow } from './rows'

export type SqlRow = Record<string, unknown>

/** Runs one SELECT on the database. */
export type Read = (sql: string) => Promise<SqlRow[]>

interface Copy {
  table: WarehouseTableName
  /** Everything of a page's rows, `row_id` among it. */
  select: string
  /** The name, in `select`, of what `row_id` is. */
  rowId: string
  row(row: SqlRow): WarehouseRow
}

const text = (value: unknown) => String(value)

/** People before what they did, as capture has it. */
const COPIES: readonly Copy[] = [
  {
    table: 'cohort_people',
    select: `c.rowid AS row_id, p.project_id, c.cohort_id, p.uuid AS person_id, ${DATABASE_CLOCK} AS version
      FROM cohort_members c JOIN persons p ON p.id = c.person_id`,
    rowId: 'c.rowid',
    row: (row) =>
      memberRow(
        { projectId: Number(row.project_id), cohortId: Number(row.cohort_id) },
        text(row.person_id),
        Number(row.version),
      ),
  },
  {
    table: 'groups',
    select: `g.rowid AS row_id, g.* FROM groups g`,
    rowId: 'g.rowid',
    row: (row) =>
      groupRow(Number(row.project_id), {
        typeIndex: Number(row.type_index),
        key: text(row.group_key),
        properties: text(row.properties),
        createdAt: text(row.created_at),
        version: Number(row.version),
      }),
  },
  {
    table: 'person_distinct_ids',
    select: `d.rowid AS row_id, d.project_id, d.distinct_id, p.uuid AS person_id, ${DATABASE_CLOCK} AS version
      FROM person_distinct_ids d JOIN persons p ON p.id = d.person_id`,
    rowId: 'd.rowid',
    row: (row) =>
      distinctIdRow(Number(row.project_id), text(row.distinct_id), text(row.person_id), Number(row.version)),
  },
  {
    table: 'persons',
    select: `p.id AS row_id, p.* FROM persons p`,
    rowId: 'p.id',
    row: (row) =>
      personRow(Number(row.project_id), {
        uuid: text(row.uuid),
        properties: text(row.properties),
        isIdentified: Number(row.is_identified) === 1,
        createdAt: text(row.created_at),
        version: Number(row.version),
        isDeleted: false,
      }),
  },
  {
    table: 'events',
    select: `e.rowid AS row_id, e.* FROM events e`,
    rowId: 'e.rowid',
    row: (row) =>
      eventRow(Number(row.project_id), {
        uuid: text(row.uuid),
        event: text(row.event),
        distinctId: text(row.distinct_id),
        properties: text(row.properties),
        timestamp: text(row.timestamp),
        createdAt: text(row.created_at),
      }),
  },
]

export interface BackfillOptions {
  read: Read
  server: ClickhouseServer
  /** Rows of a page. */
  pageSize: number
  /** Called after each page. */
  onPage(table: WarehouseTableName, rows: number): void
}

/** Copies everything. @returns how many rows each table had. */
export async function backfill({ read, server, pageSize, onPage }: BackfillOptions): Promise<SqlRow> {
  const copied: SqlRow = {}
  for (const { table, select, rowId, row } of COPIES) {
    let count = 0
    let after = 0
    for (;;) {
      const page = await read(
        `SELECT ${select} WHERE ${rowId} > ${after} ORDER BY ${rowId} LIMIT ${pageSize}`.replace(/\s+/g, ' '),
      )
      const last = page.at(-1)
      if (!last) break
      await insertRows(server, { [table]: page.map(row) })
      count += page.length
      after = Number(last.row_id)
      onPage(table, count)
    }
    copied[table] = count
  }
  return copied
}
