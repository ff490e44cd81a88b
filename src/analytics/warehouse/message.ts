// What travels on the queue to ClickHouse: rows as they are to be written there, in messages that the queue takes.
import { jsonBytes } from '../../json'
import { WAREHOUSE_TABLES, type WarehouseTableName } from '../clickhouse/tables'

export type WarehouseRow = Readonly<Record<string, string | number | boolean>>

export type WarehouseRows = Partial<Record<WarehouseTableName, WarehouseRow[]>>

/** A row that is too large for a message: the database still has it, under this. */
export interface LargeRow {
  table: 'events' | 'persons' | 'groups'
  projectId: number
  /** The uuid of an event or person, the key of a group. */
  key: string
  /** The number of a group's type. */
  index: number
}

export interface WarehouseMessage {
  rows: WarehouseRows
  large: LargeRow[]
}

/** Bytes of a message. The queue takes 128 KB, with what it adds itself. */
const MAX_MESSAGE_BYTES = 100_000

/** Packs rows into as few messages as hold them. A row that no message holds goes as a reference, in a message of its own. */
export function messagesOf(rows: WarehouseRows): WarehouseMessage[] {
  const messages: WarehouseMessage[] = []
  let room = 0
  for (const table of tablesIn(rows)) {
    for (const row of rows[table] ?? []) {
      const bytes = jsonBytes(row) + 1
      if (bytes > MAX_MESSAGE_BYTES) {
        messages.unshift({ rows: {}, large: [referenceTo(table, row)] })
        continue
      }
      let last = messages.at(-1)
      if (!last || last.large.length > 0 || bytes > room) {
        last = { rows: {}, large: [] }
        messages.push(last)
        room = MAX_MESSAGE_BYTES
      }
      ;(last.rows[table] ??= []).push(row)
      room -= bytes
    }
  }
  return messages
}

/** The tables that there are rows for, in the order in which they are written: people before what they did. */
export const tablesIn = (rows: WarehouseRows): WarehouseTableName[] =>
  TABLES_IN_ORDER.filter((table) => rows[table]?.length)

const TABLES_IN_ORDER = Object.keys(WAREHOUSE_TABLES).toReversed() as WarehouseTableName[]

function referenceTo(table: WarehouseTableName, row: WarehouseRow): LargeRow {
  const projectId = Number(row.project_id)
  switch (table) {
    case 'events':
      return { table, projectId, key: String(row.uuid), index: 0 }
    case 'persons':
      return { table, projectId, key: String(row.id), index: 0 }
    case 'groups':
      return { table, projectId, key: String(row.key), index: Number(row.index) }
    case 'person_distinct_ids':
    case 'cohort_people':
      // Names and numbers, whose length is limited where they come in.
      throw new Error(`a row of ${table} that is larger than a message`)
  }
}
