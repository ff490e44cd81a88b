// Deletes the rows of a deleted person in analytics stores. The deletion can be repeated.
import { Buffer } from 'node:buffer'
import { boundedText } from '../bounded-text'
import { bareMoment } from '../hogql/clickhouse/convert'
import type { OutboxTask } from '../outbox/task'
import { type ClickhouseServer, ClickhouseUnreachable, sendStatement } from './clickhouse/server'
import { CLICKHOUSE_TABLES } from './clickhouse/tables'
import { deleteEventsSql } from './delete-events-sql'

export type PersonDeletion = Extract<OutboxTask, { kind: 'delete_person_data' }>

/** Maximum rows of one batch, because the shard is blocked while it runs. */
const DELETE_CHUNK = 2_000

/** Maximum batches of one run of the trigger, with up to four statements each. */
export const MAX_DELETION_BATCHES = 40

/** After this time the queue drops a message, which it retries 100 times, an hour apart. */
const MAX_MESSAGE_AGE_MS = 5 * 86_400_000

/** Returns when the data is deleted once more, because messages from before the deletion may have been late. */
export const lastPassOf = ({ before }: { before: string }): Date =>
  new Date(Date.parse(before) + MAX_MESSAGE_AGE_MS)

/** The number of batches that a run may still use. */
export interface DeletionBudget {
  batches: number
}

const OF_PERSON = `project_id = ?1 AND distinct_id IN (SELECT value FROM json_each(?2))`

const DELETE_DISTINCT_IDS = `DELETE FROM person_distinct_ids WHERE ${OF_PERSON} AND version <= ?3`

/** SQL that deletes memberships. Rows with the version of the deletion stay as tombstones, so that late copies change nothing. */
const DELETE_MEMBERSHIPS = `INSERT INTO cohort_people (project_id, cohort_id, person_uuid, version, is_deleted)
  SELECT ?1, value, ?3, ?4, 1 FROM json_each(?2) WHERE true
  ON CONFLICT DO UPDATE SET version = max(version, excluded.version), is_deleted = 1`

/**
 * SQL that deletes history. Newer rows stay, because a newer person may have the same ids, except those of events that arrived before the
 * deletion with a clock ahead of it.
 */
const DELETE_HISTORY = `DELETE FROM person_property_history WHERE (project_id, distinct_id, name, timestamp) IN (
  SELECT project_id, distinct_id, name, timestamp FROM person_property_history AS h
  WHERE ${OF_PERSON} AND (timestamp <= ?3 OR EXISTS (SELECT 1 FROM events AS e INDEXED BY events_person
    WHERE e.project_id = ?1 AND e.distinct_id = h.distinct_id AND e.sets_properties = 2 AND e.timestamp = h.timestamp
      AND e.created_at <= ?3))
  LIMIT ${DELETE_CHUNK})`

/** SQL that finds events. Events that arrived later belong to another person. */
const FIND_EVENTS = `SELECT json_group_array(id) AS ids FROM (SELECT id FROM events INDEXED BY events_person
  WHERE ${OF_PERSON} AND created_at <= ?3 LIMIT ${DELETE_CHUNK})`

/**
 * SQL that computes the sessions of distinct ids again, once events are deleted: a session that had later events still has values of the
 * deleted ones.
 */
const RENEW_SESSIONS = [
  `DELETE FROM event_sessions INDEXED BY event_sessions_person WHERE ${OF_PERSON}`,
  `INSERT INTO event_sessions (project_id, session_id, distinct_id, start_timestamp, end_timestamp, pageviews, autocaptures, screens,
    newest, first, last, click, lcp)
  SELECT project_id, session_id, distinct_id, min(start_timestamp), max(end_timestamp), sum(pageviews), sum(autocaptures), sum(screens),
    max(newest), min(first), max(last), max(click), min(lcp)
  FROM session_events WHERE ${OF_PERSON} GROUP BY 1, 2, 3`,
]

const DELETE_FOUND = deleteEventsSql('project_id = ?1 AND id IN (SELECT value FROM json_each(?2))')

/** Deletes from a shard, in batches. @returns false when the budget ends before the data */
export async function deleteFromShard(
  shard: D1Database,
  projectId: number,
  { person, distinctIds, cohortIds, deleteEvents, version, before }: PersonDeletion,
  budget: DeletionBudget,
): Promise<boolean> {
  if (budget.batches <= 0) return false
  const ids = JSON.stringify(distinctIds)
  await shard.batch([
    shard.prepare(DELETE_DISTINCT_IDS).bind(projectId, ids, version),
    shard.prepare(DELETE_MEMBERSHIPS).bind(projectId, JSON.stringify(cohortIds), person, version),
  ])
  for (;;) {
    if (!take(budget)) return false
    const { meta } = await shard.prepare(DELETE_HISTORY).bind(projectId, ids, before).run()
    if (meta.changes < DELETE_CHUNK) break
  }
  if (!deleteEvents) return true
  for (;;) {
    if (!take(budget)) return false
    const found = await shard.prepare(FIND_EVENTS).bind(projectId, ids, before).first<{ ids: string }>()
    const events = found?.ids ?? '[]'
    if (events === '[]') break
    await shard.batch(DELETE_FOUND.map((sql) => shard.prepare(sql).bind(projectId, events)))
  }
  if (!take(budget)) return false
  await shard.batch(RENEW_SESSIONS.map((sql) => shard.prepare(sql).bind(projectId, ids)))
  return true
}

function take(budget: DeletionBudget): boolean {
  budget.batches -= 1
  return budget.batches >= 0
}

const TIMEOUT_MS = 30_000

/** Maximum bytes of the response, which should be empty. */
const MAX_RESPONSE_BYTES = 64_000

/** Writes a text as a constant in ClickHouse's SQL. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** Deletes from ClickHouse. The tombstones of the person stay. */
export async function deleteFromClickhouse(
  server: ClickhouseServer,
  projectId: number,
  { person, distinctIds, deleteEvents, version, before }: PersonDeletion,
): Promise<void> {
  const inProject = `project_id = ${projectId}`
  const ofPerson = `${inProject} AND distinct_id IN (${distinctIds.map(quoted).join(', ')})`
  const statements = [
    `DELETE FROM persons WHERE ${inProject} AND id = ${quoted(person)} AND is_deleted = 0`,
    `DELETE FROM cohort_people WHERE ${inProject} AND person_id = ${quoted(person)}`,
    ...(distinctIds.length > 0
      ? [
          `DELETE FROM person_distinct_ids WHERE ${ofPerson} AND version <= ${version}`,
          ...(deleteEvents
            ? [
                `DELETE FROM events WHERE ${ofPerson} AND created_at <= toDateTime64('${bareMoment(before)}', 6, 'UTC')`,
              ]
            : []),
        ]
      : []),
  ]
  for (const statement of statements) await send(server, statement)
}

/** Deletes all rows of a project from ClickHouse. */
export async function deleteProjectFromClickhouse(
  server: ClickhouseServer,
  projectId: number,
): Promise<void> {
  for (const table of Object.keys(CLICKHOUSE_TABLES))
    await send(server, `DELETE FROM ${table} WHERE project_id = ${projectId}`)
}

async function send(server: ClickhouseServer, statement: string): Promise<void> {
  const { body } = await sendStatement(server, {
    search: {
      wait_end_of_query: 1,
      query_id: `halyard-delete-${crypto.randomUUID()}`,
      max_query_size: 2 * Buffer.byteLength(statement) + 1_000,
    },
    body: statement,
    timeoutMs: TIMEOUT_MS,
  })
  // A response with text is an error that came too late for the status.
  if ((await boundedText(body, MAX_RESPONSE_BYTES))?.trim() !== '')
    throw new ClickhouseUnreachable('confirmed no deletion')
}
