// Fills `event_volumes` of a shard from its events, as ingestion counts them. A backup has no counts, because they would be read at another
// moment than the events.
import { jsonParameters } from '../../storage/json-parameters'
import type { SqlDatabase } from '../sql-database'

/** Events that one statement reads. A batch of retention has the same number. */
const WINDOW = 10_000

/** A place in the index `events_time`: project, timestamp, name, id. */
type Position = [projectId: number, timestamp: string, event: string, id: number]

const FIRST: Position = [0, '', '', 0]
const LAST: Position = [Number.MAX_SAFE_INTEGER, '', '', 0]

const WINDOW_END = `SELECT project_id, timestamp, event, id FROM events INDEXED BY events_time
  WHERE (project_id, timestamp, event, id) > (?1, ?2, ?3, ?4)
  ORDER BY project_id, timestamp, event, id LIMIT 1 OFFSET ?5`

/** Invalid JSONB counts with its own bytes, because one damaged row must not stop a restore. */
const COUNT_WINDOW = `SELECT project_id, day, event, count(*) AS events, sum(size) AS bytes, max(size) AS largest FROM (
    SELECT project_id, substr(timestamp, 1, 10) AS day, event,
      octet_length(iif(json_valid(properties, 8), json(properties), properties)) AS size
    FROM events INDEXED BY events_time
    WHERE (project_id, timestamp, event, id) > (?1, ?2, ?3, ?4) AND (project_id, timestamp, event, id) <= (?5, ?6, ?7, ?8))
  GROUP BY project_id, day, event`

const WRITE = `INSERT OR REPLACE INTO event_volumes (project_id, day, event, events, bytes, largest)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(?1)`

interface Volume {
  events: number
  bytes: number
  largest: number
}

/** The volumes of one project and day, by name of the event. */
type DayVolumes = Map<string, Volume>

/**
 * Counts all events of a shard into `event_volumes`. It requires that nothing writes meanwhile, and can be repeated. The counts of a day
 * are written when all its events are counted.
 * @param window events that one statement reads
 */
export async function countEvents({ query }: SqlDatabase, window = WINDOW): Promise<void> {
  const days = new Map<string, DayVolumes>()
  for (let from: Position | null = FIRST; from;) {
    const [row] = await query(WINDOW_END, [...from, window - 1])
    const end: Position | null = row
      ? [Number(row.project_id), String(row.timestamp), String(row.event), Number(row.id)]
      : null
    for (const counted of await query(COUNT_WINDOW, [...from, ...(end ?? LAST)])) {
      const { project_id: projectId, day, event, events, bytes, largest } = counted
      const key = keyOf(Number(projectId), String(day))
      const volumes: DayVolumes = days.get(key) ?? new Map()
      days.set(key, volumes)
      // The name '' stands for all events.
      for (const name of [String(event), '']) {
        add(volumes, name, { events: Number(events), bytes: Number(bytes), largest: Number(largest) })
      }
    }
    const unfinished = end && keyOf(end[0], end[1].slice(0, 10))
    const rows = [...days]
      .filter(([key]) => key !== unfinished)
      .flatMap(([key, volumes]) => {
        days.delete(key)
        return [...volumes].map(([name, volume]) => [
          ...(JSON.parse(key) as [number, string]),
          name,
          volume.events,
          volume.bytes,
          volume.largest,
        ])
      })
    for (const parameter of jsonParameters(rows)) await query(WRITE, [parameter])
    from = end
  }
}

const keyOf = (projectId: number, day: string): string => JSON.stringify([projectId, day])

function add(volumes: DayVolumes, name: string, { events, bytes, largest }: Volume): void {
  const sum = volumes.get(name) ?? { events: 0, bytes: 0, largest: 0 }
  volumes.set(name, {
    events: sum.events + events,
    bytes: sum.bytes + bytes,
    largest: Math.max(sum.largest, largest),
  })
}
