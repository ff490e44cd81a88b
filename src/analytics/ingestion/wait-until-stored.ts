// Waits until captured events can be queried.
import { sleep } from '../../deadline'
import type { Deps } from '../../deps'
import { INTEGER } from '../../hogql/types'
import type { Captured, CaptureProject } from '../capture/capture'
import type { QueryEngine } from '../engine/query-engine'
import { engineFor } from '../engine/select-engine'
import { type EventRead, readEvents } from '../event-reads/read-events'

const FIRST_PAUSE_MS = 50
const MAX_PAUSE_MS = 500

/**
 * @returns whether all events are stored, and all copies of persons that changed without an event; false after a timeout, or when the
 * store is unavailable
 */
export async function waitUntilStored(
  deps: Deps,
  project: CaptureProject,
  { uuids, personVersions }: Pick<Captured, 'uuids' | 'personVersions'>,
  seconds: number,
): Promise<boolean> {
  const until = Date.now() + seconds * 1000
  const engine = engineFor(deps, project)
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    const isStored = await Promise.race([
      Promise.all([
        countStoredEvents(engine, project.id, uuids),
        countStoredPersons(engine, project.id, personVersions),
      ]).then(
        ([events, persons]) => events === uuids.length && persons === personVersions.size,
        () => false,
      ),
      sleep(until - Date.now()).then(() => false),
    ])
    if (isStored) return true
    if (Date.now() + pause > until) return false
    await sleep(pause)
  }
}

/** Counts the events with these uuids. */
const countStoredEvents = (engine: QueryEngine, projectId: number, uuids: readonly string[]) =>
  count(engine, projectId, uuids, {
    sqlite: `SELECT count(*) AS c0 FROM json_each(?2) AS wanted
      CROSS JOIN events AS e ON e.project_id = ?1 AND e.uuid = wanted.value`,
    clickhouse: `SELECT uniqExact(uuid) AS c0 FROM events WHERE project_id = {p1:Int64}
      AND uuid IN JSONExtract({p2:String}, 'Array(String)')`,
  })

/** Counts the copies of persons that have these versions, by uuid, or later ones. */
const countStoredPersons = (engine: QueryEngine, projectId: number, versions: ReadonlyMap<string, number>) =>
  count(engine, projectId, Object.fromEntries(versions), {
    sqlite: `SELECT count(*) AS c0 FROM json_each(?2) AS wanted
      CROSS JOIN persons AS p ON p.project_id = ?1 AND p.uuid = wanted.key AND p.version >= wanted.value`,
    clickhouse: `WITH JSONExtract({p2:String}, 'Map(String, UInt64)') AS wanted
      SELECT uniqExact(id) AS c0 FROM persons
      WHERE project_id = {p1:Int64} AND mapContains(wanted, id) AND version >= wanted[id]`,
  })

async function count(
  engine: QueryEngine,
  projectId: number,
  wanted: object,
  sql: EventRead['sql'],
): Promise<number> {
  if (Object.keys(wanted).length === 0) return 0
  const [row] = await readEvents(engine, projectId, {
    sql,
    values: [JSON.stringify(wanted)],
    columns: [INTEGER],
  })
  return Number(row?.[0] ?? 0)
}
