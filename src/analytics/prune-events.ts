// Deletes events older than EVENTS_RETENTION_DAYS from shards; the daily trigger calls it. Events that set person properties stay,
// because past evaluation needs them, unless the project's events were moved to ClickHouse (MOVED_EVENTS_RETENTION_DAYS).
import { numberIn, type RetentionSetting, type RetentionSettings } from '../retention/settings'
import { toStoredTimestamp } from '../timestamps'
import { deleteEventsSql } from './delete-events-sql'

/** Maximum events of a batch, because the shard is blocked while it runs. */
const WINDOW = 10_000

/** Maximum batches of a run, over all shards. Each takes four statements, and a Worker may send 1,000 to D1 per invocation. */
export const MAX_PRUNE_BATCHES = 200

/** Returns the first day to keep as `YYYY-MM-DD`, or null to keep all. */
export function firstKeptDay(
  settings: RetentionSettings,
  name: Extract<RetentionSetting, `${string}EVENTS_${string}`>,
  now: Date,
): string | null {
  const days = numberIn(settings, name)
  return days === null ? null : toStoredTimestamp(new Date(now.getTime() - days * 86_400_000)).slice(0, 10)
}

interface PruneOptions {
  /** The first day to keep, or null to keep all. */
  before: string | null
  /** The first day to keep for projects that are queried on ClickHouse, whose events in the shard nothing reads. */
  moved?: { projectIds: ReadonlySet<number>; before: string | null }
  maxBatches: number
  /** Maximum events of a batch. */
  window?: number
}

/** A position in the index `events_time`. */
interface Position {
  timestamp: string
  event: string
  id: number
}

const START: Position = { timestamp: '', event: '', id: 0 }

/** SQL of the projects, in random order. When there are more projects than batches, each gets its turn on another day. */
const PROJECTS = `SELECT id FROM (SELECT DISTINCT project_id AS id FROM event_volumes WHERE event = '' AND day < ?1) ORDER BY random()`

/** SQL of the start of the window that ends before a position. */
const WINDOW_START = `SELECT timestamp, event, id FROM events INDEXED BY events_time
  WHERE project_id = ?1 AND (timestamp, event, id) < (?2, ?3, ?4)
  ORDER BY timestamp DESC, event DESC, id DESC LIMIT 1 OFFSET ?5`

const DELETE_WINDOW = deleteEventsSql(
  `project_id = ?1 AND (timestamp, event, id) < (?2, ?3, ?4) AND (timestamp, event, id) >= (?5, ?6, ?7)
    AND (?8 OR NOT sets_properties)`,
  'events INDEXED BY events_time',
)

/**
 * Deletes events of a shard, and lowers `event_volumes` in the same batch. Projects take turns. The newest day is deleted first: events
 * that stay are visited on each run, and must not use up its batches before newly expired days.
 */
export async function pruneEvents(
  shard: D1Database,
  { before, moved = { projectIds: new Set(), before: null }, maxBatches, window = WINDOW }: PruneOptions,
): Promise<void> {
  const newest = [before, moved.before].filter((day) => day !== null).sort()
  if (newest.length === 0) return
  const { results: projects } = await shard.prepare(PROJECTS).bind(newest.at(-1)).all<{ id: number }>()
  let pending = projects.flatMap(({ id }) => {
    const isMoved = moved.projectIds.has(id)
    const day = isMoved ? (moved.before ?? before) : before
    return day === null
      ? []
      : [{ id, isMoved: isMoved && moved.before !== null, end: { ...START, timestamp: day } }]
  })
  for (let batches = 0; pending.length > 0;) {
    const unfinished: typeof pending = []
    for (const { id, isMoved, end } of pending) {
      if (batches === maxBatches) return
      batches += 1
      const start = await pruneWindow(shard, { projectId: id, isMoved, end, size: window })
      if (start) unfinished.push({ id, isMoved, end: start })
    }
    pending = unfinished
  }
}

interface Window {
  projectId: number
  /** Whether events that set person properties are deleted, too. */
  isMoved: boolean
  end: Position
  size: number
}

/** @returns the end of the next window, or null after the last */
async function pruneWindow(
  shard: D1Database,
  { projectId, isMoved, end, size }: Window,
): Promise<Position | null> {
  const upTo = [projectId, end.timestamp, end.event, end.id]
  const start = await shard
    .prepare(WINDOW_START)
    .bind(...upTo, size - 1)
    .first<Position>()
  const { timestamp, event, id } = start ?? START
  const range = [...upTo, timestamp, event, id]
  await shard.batch(DELETE_WINDOW.map((sql) => shard.prepare(sql).bind(...range, Number(isMoved))))
  return start
}
