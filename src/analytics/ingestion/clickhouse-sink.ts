// Inserts rows into ClickHouse. Tables keep the latest version of a row (clickhouse/tables.ts), so that an INSERT with an unknown outcome
// can be repeated.
import { Buffer } from 'node:buffer'
import { endOfString } from '../../http/body/json-size'
import { boundedText } from '../../bounded-text'
import { bareMoment } from '../../hogql/clickhouse/convert'
import {
  sendStatement,
  ClickhouseError,
  type ClickhouseServer,
  ClickhouseUnreachable,
} from '../clickhouse/server'
import { CLICKHOUSE_TABLES, type ClickhouseTableName } from '../clickhouse/tables'
import type { IngestionRows } from '../../outbox/ingestion-rows'
import { chunksOf } from '../../storage/json-parameters'
import type { Sink } from './sink'

const TIMEOUT_MS = 30_000

/** Maximum bytes and rows of an INSERT. A single row may be larger. */
const MAX_INSERT_BYTES = 8_000_000
const MAX_INSERT_ROWS = 50_000

/** Maximum bytes of the response, which should be empty. */
const MAX_RESPONSE_BYTES = 64_000

export type ClickhouseRow = Readonly<Record<string, string | number | boolean | null>>

/** Codes of errors about a row: CANNOT_PARSE_…, VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE, INCORRECT_DATA and similar. */
const ROW_ERRORS: ReadonlySet<number> = new Set([6, 25, 26, 27, 33, 38, 41, 53, 69, 72, 117, 321, 467])

export function createClickhouseSink(server: ClickhouseServer): Sink {
  return {
    async write(projectId, rows) {
      for (const [table, list] of clickhouseRows(projectId, rows)) {
        const lines = list.map((row) => JSON.stringify(row))
        for (const chunk of chunksOf(lines, lineBytes, MAX_INSERT_BYTES, MAX_INSERT_ROWS))
          await insert(server, table, chunk)
      }
    },
    isAboutRow: (error) => error instanceof ClickhouseError && ROW_ERRORS.has(error.code),
  }
}

const lineBytes = (line: string) => Buffer.byteLength(line) + 1

/** The minimum of DateTime64. Earlier timestamps are stored as this one. */
const EARLIEST = '1900-01-01T00:00:00.000000Z'

const datetime = (timestamp: string): string => bareMoment(timestamp < EARLIEST ? EARLIEST : timestamp)

/**
 * Writes a document as JSON that ClickHouse reads. Its parser rejects a whole document with an integer of more than 64 bits, as which JSON
 * in JavaScript has numbers below 1e21: they are written with an exponent.
 */
export function documentText(document: unknown): string {
  const text = JSON.stringify(document)
  if (!/\d{19}/.test(text)) return text
  const parts: string[] = []
  for (let start = 0; start < text.length;) {
    const quote = text.indexOf('"', start)
    const end = quote === -1 ? text.length : quote
    parts.push(text.slice(start, end).replaceAll(/-?\d{19,21}/g, withinRange))
    start = quote === -1 ? end : endOfString(text, quote) + 1
    parts.push(text.slice(end, start))
  }
  return parts.join('')
}

function withinRange(integer: string): string {
  const value = Number(integer)
  return value >= 2 ** 64 || value <= -(2 ** 63) ? value.toExponential() : integer
}

/** Returns rows by table, people before events. Documents are JSON text. */
export function clickhouseRows(
  projectId: number,
  { cohortPeople, groups, distinctIds, persons, events }: IngestionRows,
): [ClickhouseTableName, ClickhouseRow[]][] {
  const project_id = projectId
  return [
    [
      'cohort_people',
      cohortPeople.map(({ cohortId, personUuid, version, isDeleted }) => ({
        project_id,
        cohort_id: cohortId,
        person_id: personUuid,
        version,
        is_deleted: Number(isDeleted),
      })),
    ],
    [
      'groups',
      groups.map(({ typeIndex, key, properties, createdAt, version }) => ({
        project_id,
        index: typeIndex,
        key,
        properties: documentText(properties),
        created_at: datetime(createdAt),
        version,
      })),
    ],
    [
      'person_distinct_ids',
      distinctIds.map(({ distinctId, personUuid, version }) => ({
        project_id,
        distinct_id: distinctId,
        person_id: personUuid,
        version,
      })),
    ],
    [
      'persons',
      persons.map(({ uuid, properties, isIdentified, createdAt, version, isDeleted }) => ({
        project_id,
        id: uuid,
        properties: documentText(properties),
        is_identified: isIdentified,
        created_at: datetime(createdAt),
        version,
        is_deleted: Number(isDeleted),
      })),
    ],
    [
      'events',
      events.map((event) => ({
        project_id,
        uuid: event.uuid,
        event: event.event,
        distinct_id: event.distinctId,
        properties: documentText(event.properties),
        timestamp: datetime(event.timestamp),
        created_at: datetime(event.createdAt),
        sets_properties: event.setsProperties,
        flag_key: event.flagKey,
        flag_response: event.flagResponse,
      })),
    ],
  ]
}

/** @throws ClickhouseUnreachable unless the server confirms all rows. */
async function insert(
  server: ClickhouseServer,
  table: ClickhouseTableName,
  lines: readonly string[],
): Promise<void> {
  const columns = Object.keys(CLICKHOUSE_TABLES[table].columns).map((column) => `\`${column}\``)
  const { writtenRows, body } = await sendStatement(server, {
    search: {
      query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT JSONEachRow`,
      query_id: `halyard-${table}-${crypto.randomUUID()}`,
      // The server responds once the rows are written, with a final summary.
      async_insert: 0,
      wait_end_of_query: 1,
      // Otherwise, a replicated table would skip a block that it knows, and its summary report no rows.
      insert_deduplicate: 0,
    },
    body: lines.join('\n'),
    timeoutMs: TIMEOUT_MS,
  })
  // A response with text is an error that came too late for the status. The number of rows includes those of materialized views.
  const text = await boundedText(body, MAX_RESPONSE_BYTES)
  if (text?.trim() !== '' || writtenRows < lines.length) {
    throw new ClickhouseUnreachable(
      `confirmed ${writtenRows} rows of ${lines.length} in ${table}${text === '' ? '' : ', with text behind them'}`,
    )
  }
}
