// Loads the events of the bench `queries` into a served Worker, with dates until today, and their people and names into the main database.
import type { ServedWorker } from '../../support/server/served-worker'
import { DAYS, loading, PROJECT } from '../queries/data'

/** An event that was sent five times, weeks ago. */
export const RARE_EVENT = 'plan cancelled'

const RARE = [
  `UPDATE events SET event = '${RARE_EVENT}' WHERE project_id = ${PROJECT} AND id % 100000 = 7 AND id < 500000`,
  `INSERT INTO event_volumes (project_id, event, day, events, bytes, largest)
    SELECT project_id, event, substr(timestamp, 1, 10), count(*), sum(octet_length(json(properties))), max(octet_length(json(properties)))
    FROM events WHERE project_id = ${PROJECT} AND event = '${RARE_EVENT}' GROUP BY 1, 2, 3`,
]

const NAMES = `INSERT INTO property_definitions (project_id, owner, name, type)
  SELECT ${PROJECT}, 'event_name', value, 'String' FROM json_each(?)`

/** Rows that are copied at once. */
const COPIED = 2_000

async function copyRows(
  { database, events }: ServedWorker,
  { from, into }: { from: string; into: string },
): Promise<void> {
  for (let offset = 0; ; offset += COPIED) {
    const { results } = await events.prepare(`${from} LIMIT ${COPIED} OFFSET ${offset}`).all()
    if (results.length === 0) return
    await database.prepare(into).bind(JSON.stringify(results)).run()
  }
}

export async function loadEvents(served: ServedWorker): Promise<void> {
  const firstDay = new Date(Date.now() - (DAYS - 1) * 86_400_000).toISOString().slice(0, 10)
  const { main, events } = loading({ firstDay })
  for (const statement of main) await served.database.prepare(statement).run()
  for (const statement of [...events, ...RARE]) await served.events.prepare(statement).run()
  const { results } = await served.events
    .prepare("SELECT DISTINCT event FROM event_volumes WHERE event <> ''")
    .all<{ event: string }>()
  await served.database
    .prepare(NAMES)
    .bind(JSON.stringify(results.map(({ event }) => event)))
    .run()
  await copyRows(served, {
    from: 'SELECT uuid, json(properties) AS properties, is_identified, created_at, version FROM persons ORDER BY uuid',
    into: `INSERT INTO persons (project_id, uuid, properties, is_identified, created_at, version)
      SELECT ${PROJECT}, value ->> '$.uuid', value ->> '$.properties', value ->> '$.is_identified', value ->> '$.created_at', value ->> '$.version'
      FROM json_each(?)`,
  })
  await copyRows(served, {
    from: 'SELECT distinct_id, person_uuid, version FROM person_distinct_ids ORDER BY distinct_id',
    into: `INSERT INTO person_distinct_ids (project_id, distinct_id, person_id, version)
      SELECT ${PROJECT}, value ->> '$.distinct_id', p.id, value ->> '$.version' FROM json_each(?)
      JOIN persons AS p ON p.project_id = ${PROJECT} AND p.uuid = value ->> '$.person_uuid'`,
  })
}
