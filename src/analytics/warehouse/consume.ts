// The queue's other end: messages with rows become inserts, as few as can be. A message is done with when its rows are on ClickHouse; it may
// come more than once, and in any order, which the tables put right.
import { consoleLog, describeError, type Log } from '../../http/request-log'
import { openDatabase, type Database } from '../../storage/database'
import { createMeter } from '../../storage/metered-d1'
import { ClickhouseError, type ClickhouseServer, clickhouseOf } from '../clickhouse/server'
import { insertRows } from './insert'
import { readLargeRow } from './large-rows'
import { jsonBytes } from '../../json'
import { tablesIn, type WarehouseMessage, type WarehouseRows } from './message'

/** Bytes of rows that are inserted together. */
const MAX_INSERT_BYTES = 16_000_000

/** Seconds until a message is tried again: twice as long each time, an hour at most, so that an outage of days loses nothing. */
const FIRST_DELAY = 5
const LONGEST_DELAY = 3_600

/** What a message carries, with the rows that it only refers to. */
interface Part {
  message: Message<WarehouseMessage>
  rows: WarehouseRows
}

/** Handles a batch of the queue. Without a server there is nothing to write to, and what still comes is let go. */
export async function consumeWarehouse(
  batch: MessageBatch<WarehouseMessage>,
  env: Env,
  log: Log = consoleLog,
): Promise<void> {
  const server = clickhouseOf(env)
  if (!server) return batch.ackAll()
  const db = openDatabase(env.DB, createMeter())
  for await (const parts of insertsOf(batch.messages, db)) await write(server, parts, log)
}

/** Puts messages together, as many as one insert takes. */
async function* insertsOf(
  messages: readonly Message<WarehouseMessage>[],
  db: Database,
): AsyncGenerator<Part[]> {
  let parts: Part[] = []
  let bytes = 0
  for (const message of messages) {
    const rows = await rowsOf(message.body, db)
    parts.push({ message, rows })
    bytes += jsonBytes(rows)
    if (bytes >= MAX_INSERT_BYTES) {
      yield parts
      parts = []
      bytes = 0
    }
  }
  if (parts.length > 0) yield parts
}

async function rowsOf({ rows, large }: WarehouseMessage, db: Database): Promise<WarehouseRows> {
  const whole: WarehouseRows = { ...rows }
  for (const each of large) {
    const row = await readLargeRow(db, each)
    if (row) whole[each.table] = [...(whole[each.table] ?? []), row]
  }
  return whole
}

async function write(server: ClickhouseServer, parts: readonly Part[], log: Log): Promise<void> {
  try {
    await insertRows(server, together(parts))
    for (const { message } of parts) message.ack()
  } catch (error) {
    if (parts.length > 1 && isAboutRows(error)) {
      // One row that ClickHouse does not take must not keep the others out.
      for (const part of parts) await write(server, [part], log)
      return
    }
    log({ level: 'error', message: 'rows were not written to ClickHouse', error: describeError(error) })
    for (const { message } of parts) message.retry({ delaySeconds: delayAfter(message.attempts) })
  }
}

function together(parts: readonly Part[]): WarehouseRows {
  const all: WarehouseRows = {}
  for (const { rows } of parts) {
    for (const table of tablesIn(rows)) (all[table] ??= []).push(...(rows[table] ?? []))
  }
  return all
}

/** CANNOT_PARSE_…, VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE, INCORRECT_DATA and their like. */
const ABOUT_ROWS: ReadonlySet<number> = new Set([6, 25, 26, 27, 33, 38, 41, 53, 69, 72, 117, 321, 467])

const isAboutRows = (error: unknown): boolean =>
  error instanceof ClickhouseError && ABOUT_ROWS.has(error.code)

const delayAfter = (attempts: number): number => Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (attempts - 1))
