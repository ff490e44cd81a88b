// Stores the progress of a move on the ClickHouse server itself, so that a move that was stopped continues from any machine, and the log is
// dropped with the tables. A page that is copied again replaces its rows.
import type { ClickhouseServer } from '../../analytics/clickhouse/server'
import { insert, run, select } from './warehouse'
import type { Sum } from './checksum'

/** A position in the events of a project, in the order of the index `events_time`. */
export interface Position {
  timestamp: string
  event: string
  id: number
}

export interface Move {
  /** The newest event of the shard when the move began. Later ones are copied at the end of the move. */
  newestId: number
  isFinished: boolean
}

const TABLES = [
  `CREATE TABLE IF NOT EXISTS moves (project_id Int64, newest_id UInt64, is_finished UInt8)
    ENGINE = ReplacingMergeTree(is_finished) ORDER BY project_id`,
  `CREATE TABLE IF NOT EXISTS moved_events (project_id Int64, page UInt32, end String, day Date, rows UInt64, checksum UInt64)
    ENGINE = ReplacingMergeTree ORDER BY (project_id, page, day)`,
]

export const createLog = async (server: ClickhouseServer): Promise<void> => {
  for (const statement of TABLES) await run(server, statement)
}

/** Reads the moves by project. */
export async function readMoves(server: ClickhouseServer): Promise<Map<number, Move>> {
  const rows = await select(server, 'SELECT project_id, newest_id, is_finished FROM moves FINAL')
  return new Map(
    rows.map(([project, newest, finished]) => [
      Number(project),
      { newestId: Number(newest), isFinished: Number(finished) === 1 },
    ]),
  )
}

export const writeMove = (server: ClickhouseServer, projectId: number, { newestId, isFinished }: Move) =>
  insert(server, 'moves', [{ project_id: projectId, newest_id: newestId, is_finished: Number(isFinished) }])

/** Reads the last page that was copied. Returns null before the first. */
export async function readLastPage(
  server: ClickhouseServer,
  projectId: number,
): Promise<{ page: number; end: Position } | null> {
  const [row] = await select(
    server,
    `SELECT page, end FROM moved_events FINAL WHERE project_id = ${projectId} ORDER BY page DESC LIMIT 1`,
  )
  return row ? { page: Number(row[0]), end: JSON.parse(String(row[1])) as Position } : null
}

/** @param sums of the rows of a page, by day; at least one */
export const writePage = (
  server: ClickhouseServer,
  projectId: number,
  page: number,
  end: Position,
  sums: ReadonlyMap<string, Sum>,
) =>
  insert(
    server,
    'moved_events',
    [...sums].map(([day, { rows, checksum }]) => ({
      project_id: projectId,
      page,
      end: JSON.stringify(end),
      day,
      rows,
      checksum: String(checksum),
    })),
  )

const sumsIn = (rows: readonly unknown[][]): Map<string, Sum> =>
  new Map(
    rows.map(([day, count, sum]) => [String(day), { rows: Number(count), checksum: BigInt(String(sum)) }]),
  )

/** Reads the sums of copied rows, by day. */
export const readCopied = async (server: ClickhouseServer, projectId: number) =>
  sumsIn(
    await select(
      server,
      `SELECT day, sum(rows), sum(checksum) FROM moved_events FINAL WHERE project_id = ${projectId} GROUP BY day`,
    ),
  )

/**
 * Reads the sums of stored rows, by day.
 * @param checksum SQL
 */
export const readStored = async (server: ClickhouseServer, projectId: number, checksum: string) =>
  sumsIn(
    await select(
      server,
      `SELECT toDate(timestamp) AS day, count(), sum(${checksum}) FROM events FINAL WHERE project_id = ${projectId} GROUP BY day`,
    ),
  )

const PEOPLE = ['persons', 'person_distinct_ids', 'groups', 'cohort_people']

/** Deletes the copied people of a project that is still queried on D1. They are copied again, without those who were deleted. */
export const forgetPeople = (server: ClickhouseServer, projectId: number) => forget(server, projectId, PEOPLE)

/** Deletes everything that was copied of a project that is still queried on D1. */
export async function forget(
  server: ClickhouseServer,
  projectId: number,
  tables: readonly string[] = ['events', ...PEOPLE, 'moved_events', 'moves'],
): Promise<void> {
  for (const table of tables) await run(server, `DELETE FROM ${table} WHERE project_id = ${projectId}`)
}
