// Retention: the daily trigger deletes events that are older than EVENTS_RETENTION_DAYS from the shards, whole days at a time.
// Events that set person properties stay: flags are evaluated for past moments from them.
import { numberIn, type RetentionSettings } from '../retention/settings'
import { stored } from '../timestamps'

/** Events that one batch looks at: the shard answers nobody else while it runs. */
const WINDOW = 10_000

/** Batches of one run, over all shards. Each takes four statements, and a Worker may send 1,000 to D1 in one invocation. */
export const MAX_PRUNE_BATCHES = 200

/** The first day that is kept, as `YYYY-MM-DD`; null: all are. */
export function firstKeptDay(settings: RetentionSettings, now: Date): string | null {
  const days = numberIn(settings, 'EVENTS_RETENTION_DAYS')
  return days === null ? null : stored(new Date(now.getTime() - days * 86_400_000)).slice(0, 10)
}

interface PruneOptions {
  /** The first day that is kept. */
  before: string
  maxBatches: number
  /** Events that one batch looks at. */
  window?: number
}

/** A place in the index `events_time`. */
interface Position {
  timestamp: string
  event: string
  id: number
}

const START: Position = { timestamp: '', event: '', id: 0 }

/** In random order: where there are more projects than batches, each gets its turn on another day. */
const PROJECTS = `SELECT id FROM (SELECT DISTINCT project_id AS id FROM event_volumes WHERE event = '' AND day < ?1) ORDER BY random()`

/** Where the window begins that ends before a position. */
const WINDOW_START = `SELECT timestamp, event, id FROM events INDEXED BY events_time
  WHERE project_id = ?1 AND (timestamp, event, id) < (?2, ?3, ?4)
  ORDER BY timestamp DESC, event DESC, id DESC LIMIT 1 OFFSET ?5`

const IN_WINDOW = `project_id = ?1 AND (timestamp, event, id) < (?2, ?3, ?4) AND (timestamp, event, id) >= (?5, ?6, ?7)`

/** `largest` stays: an upper bound is what estimates need. */
const LOWER_VOLUMES = `WITH gone AS MATERIALIZED (
    SELECT event, substr(timestamp, 1, 10) AS day, count(*) AS events, sum(octet_length(json(properties))) AS bytes
    FROM events INDEXED BY events_time WHERE ${IN_WINDOW} AND NOT sets_properties GROUP BY 1, 2)
  UPDATE event_volumes AS v SET events = v.events - d.events, bytes = v.bytes - d.bytes
  FROM (SELECT * FROM gone UNION ALL SELECT '', day, sum(events), sum(bytes) FROM gone GROUP BY day) AS d
  WHERE v.project_id = ?1 AND v.event = d.event AND v.day = d.day`

const DELETE_EMPTY_VOLUMES = `WITH seen AS MATERIALIZED (
    SELECT DISTINCT event, substr(timestamp, 1, 10) AS day FROM events INDEXED BY events_time WHERE ${IN_WINDOW})
  DELETE FROM event_volumes WHERE project_id = ?1 AND events = 0
    AND (event, day) IN (SELECT event, day FROM seen UNION SELECT '', day FROM seen)`

const DELETE_EVENTS = `DELETE FROM events INDEXED BY events_time WHERE ${IN_WINDOW} AND NOT sets_properties`

/**
 * Deletes events of a shard, and counts them down in `event_volumes` in the same batch. Projects take turns. The newest day goes first: events
 * that stay are looked at again on each run, and must not use up its batches before the day that has just passed the limit.
 */
export async function pruneEvents(
  shard: D1Database,
  { before, maxBatches, window = WINDOW }: PruneOptions,
): Promise<void> {
  const { results: projects } = await shard.prepare(PROJECTS).bind(before).all<{ id: number }>()
  let pending = projects.map(({ id }) => ({ id, end: { ...START, timestamp: before } }))
  for (let batches = 0; pending.length > 0;) {
    const unfinished: typeof pending = []
    for (const { id, end } of pending) {
      if (batches === maxBatches) return
      batches += 1
      const start = await pruneWindow(shard, { projectId: id, end, size: window })
      if (start) unfinished.push({ id, end: start })
    }
    pending = unfinished
  }
}

interface Window {
  projectId: number
  end: Position
  size: number
}

/** Deletes the events of a window. @returns where the next one ends; null: this was the last. */
async function pruneWindow(shard: D1Database, { projectId, end, size }: Window): Promise<Position | null> {
  const upTo = [projectId, end.timestamp, end.event, end.id]
  const start = await shard
    .prepare(WINDOW_START)
    .bind(...upTo, size - 1)
    .first<Position>()
  const { timestamp, event, id } = start ?? START
  await shard.batch(
    [LOWER_VOLUMES, DELETE_EMPTY_VOLUMES, DELETE_EVENTS].map((sql) =>
      shard.prepare(sql).bind(...upTo, timestamp, event, id),
    ),
  )
  return start
}
