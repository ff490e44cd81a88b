// Copies the events of a project from its shard to ClickHouse, in pages along an index, which cost the same however many projects a shard
// has.
import type { ClickhouseServer } from '../../analytics/clickhouse/server'
import { clickhouseRows, createClickhouseSink } from '../../analytics/ingestion/clickhouse-sink'
import { type EventRow, noRows } from '../../outbox/ingestion-rows'
import type { SqlDatabase } from '../sql-database'
import { addTo, checksumOf, checksumSql, isSameSum, type Sum } from './checksum'
import { type Position, readCopied, readLastPage, readStored, writePage } from './move-log'

/** The most rows of a page. */
const PAGE = 2_000
/** The most bytes of the properties of a page, because a response of D1 must fit into memory. */
const MAX_PAGE_BYTES = 8_000_000
/** Rows that a statement searches for events that arrived later. */
const WINDOW = 50_000

const ROW = `json_object('uuid', e.uuid, 'event', e.event, 'distinctId', e.distinct_id, 'timestamp', e.timestamp,
  'createdAt', e.created_at, 'setsProperties', json(iif(e.sets_properties > 0, 'true', 'false')), 'flagKey', e.flag_key,
  'flagResponse', e.flag_response, 'properties', json(e.properties))`

const START: Position = { timestamp: '', event: '', id: 0 }

/** SQL of the next page, which always has the first row. */
const NEXT_PAGE = `WITH page AS MATERIALIZED (
    SELECT id, timestamp, event, sum(octet_length(properties)) OVER (ORDER BY timestamp, event, id) - octet_length(properties) AS before
    FROM (SELECT id, timestamp, event, properties FROM events INDEXED BY events_time
      WHERE project_id = ?1 AND (timestamp, event, id) > (?2, ?3, ?4) AND id <= ?5 ORDER BY timestamp, event, id LIMIT ?6))
  SELECT e.id, e.timestamp, e.event, ${ROW} AS row FROM page CROSS JOIN events e ON e.id = page.id
  WHERE page.before < ${MAX_PAGE_BYTES} ORDER BY e.timestamp, e.event, e.id`

const LATER = `SELECT e.project_id, ${ROW} AS row FROM events e WHERE e.id > ?1 AND e.id <= ?2
  AND e.project_id IN (SELECT value FROM json_each(?3)) ORDER BY e.id`

export interface EventSource {
  shard: SqlDatabase
  server: ClickhouseServer
  projectId: number
  /** The newest event to copy. `copyLaterEvents` copies later ones. */
  newestId: number
}

export const newestIdOf = async (shard: SqlDatabase): Promise<number> =>
  Number((await shard.query('SELECT coalesce(max(id), 0) AS id FROM events'))[0]!.id)

/**
 * Copies events that no earlier run has copied.
 * @param onPage gets how many rows have been copied of how many, including those of earlier runs
 */
export async function copyEvents(
  { shard, server, projectId, newestId }: EventSource,
  onPage: (copied: number, total: number) => void,
  pageSize = PAGE,
): Promise<void> {
  const last = await readLastPage(server, projectId)
  let { page, end } = last ?? { page: 0, end: START }
  let copied = rowsOf(await readCopied(server, projectId))
  const total = await countEvents(shard, projectId)
  for (;;) {
    const rows = await shard.query(NEXT_PAGE, [
      projectId,
      end.timestamp,
      end.event,
      end.id,
      newestId,
      pageSize,
    ])
    const final = rows.at(-1)
    if (!final) return
    const sums = await writeEvents(server, projectId, rows)
    page += 1
    end = { timestamp: String(final.timestamp), event: String(final.event), id: Number(final.id) }
    await writePage(server, projectId, page, end, sums)
    copied += rows.length
    onPage(copied, Math.max(copied, total))
  }
}

/**
 * Copies the events of these projects that arrived after `newestId`.
 * @returns their number
 */
export async function copyLaterEvents(
  { shard, server, newestId }: Omit<EventSource, 'projectId'>,
  projectIds: readonly number[],
): Promise<number> {
  const end = await newestIdOf(shard)
  let copied = 0
  for (let after = newestId; after < end; after += WINDOW) {
    const rows = await shard.query(LATER, [after, Math.min(after + WINDOW, end), JSON.stringify(projectIds)])
    for (const [projectId, list] of Map.groupBy(rows, ({ project_id: id }) => Number(id)))
      await writeEvents(server, projectId, list)
    copied += rows.length
  }
  return copied
}

/**
 * Compares what was copied with what ClickHouse has, by day, and both with the shard.
 * @returns the differences; empty when all events have arrived
 */
export async function differencesOfEvents({
  shard,
  server,
  projectId,
  newestId,
}: EventSource): Promise<string[]> {
  const copied = await readCopied(server, projectId)
  const stored = await readStored(server, projectId, checksumSql('events'))
  const days = [...new Set([...copied.keys(), ...stored.keys()])].sort()
  const differences = days.flatMap((day) => {
    const [ours, theirs] = [copied.get(day), stored.get(day)]
    if (ours && theirs && isSameSum(ours, theirs)) return []
    if (ours?.rows === theirs?.rows) return [`${day}: ${ours!.rows} events, with other content on ClickHouse`]
    return [`${day}: ${ours?.rows ?? 0} events copied, ${theirs?.rows ?? 0} on ClickHouse`]
  })
  const there = Number(
    (
      await shard.query(
        'SELECT count(*) AS n FROM events INDEXED BY events_time WHERE project_id = ?1 AND id <= ?2',
        [projectId, newestId],
      )
    )[0]!.n,
  )
  // Retention may have deleted some events of the shard since then.
  if (rowsOf(copied) < there) differences.push(`${there} events in the shard, ${rowsOf(copied)} copied`)
  return differences
}

async function writeEvents(
  server: ClickhouseServer,
  projectId: number,
  rows: readonly Record<string, unknown>[],
): Promise<Map<string, Sum>> {
  const events = rows.map(({ row }) => JSON.parse(String(row)) as EventRow)
  const batch = { ...noRows(), events }
  await createClickhouseSink(server).write(projectId, batch)
  const sums = new Map<string, Sum>()
  for (const [table, list] of clickhouseRows(projectId, batch)) {
    for (const row of list) addTo(sums, String(row.timestamp).slice(0, 10), checksumOf(table, row))
  }
  return sums
}

const rowsOf = (sums: ReadonlyMap<string, Sum>): number =>
  [...sums.values()].reduce((total, { rows }) => total + rows, 0)

const countEvents = async (shard: SqlDatabase, projectId: number): Promise<number> =>
  Number(
    (
      await shard.query(
        `SELECT coalesce(sum(events), 0) AS n FROM event_volumes WHERE project_id = ?1 AND event = ''`,
        [projectId],
      )
    )[0]!.n,
  )
