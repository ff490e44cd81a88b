// Writes rows to a shard. Each statement takes its rows as one JSON parameter.
import { ApiError } from '../../errors'
import { ownValue } from '../../json'
import { chunksOf, jsonParameters } from '../../storage/json-parameters'
import { changesIn } from '../capture/property-changes'
import type { EventRow, IngestionRows } from '../../outbox/ingestion-rows'
import { uniqueByUuid } from './captured-rows'
import type { Sink } from './sink'

/** SQL that counts new events. It runs before INSERT_EVENTS in the same batch, so that stored events are not counted again. */
const COUNT_EVENTS = `WITH added AS MATERIALIZED (
    SELECT substr(value ->> '$.timestamp', 1, 10) AS day, value ->> '$.event' AS event,
      octet_length(value -> '$.properties') AS bytes
    FROM json_each(?2) WHERE NOT EXISTS (SELECT 1 FROM events AS e WHERE e.project_id = ?1 AND e.uuid = value ->> '$.uuid'))
  INSERT INTO event_volumes (project_id, event, day, events, bytes, largest)
  SELECT ?1, event, day, count(*), sum(bytes), max(bytes) FROM added GROUP BY event, day
  UNION ALL SELECT ?1, '', day, count(*), sum(bytes), max(bytes) FROM added GROUP BY day HAVING true
  ON CONFLICT DO UPDATE SET events = events + excluded.events, bytes = bytes + excluded.bytes, largest = max(largest, excluded.largest)`

const INSERT_EVENTS = `INSERT INTO events
    (project_id, uuid, event, distinct_id, timestamp, created_at, sets_properties, flag_key, flag_response, properties)
  SELECT ?1, value ->> '$.uuid', value ->> '$.event', value ->> '$.distinctId', value ->> '$.timestamp', value ->> '$.createdAt',
    iif(value ->> '$.setsProperties', iif(value -> '$.changed' IS NULL, 1, 2), 0), value ->> '$.flagKey', value ->> '$.flagResponse', jsonb(value -> '$.properties')
  FROM json_each(?2) WHERE true
  ON CONFLICT DO NOTHING`

/**
 * SQL that stores changes of properties. Of changes at the same time, the last one stays; a first value that replaces another row counts
 * like one that was set.
 */
const INSERT_HISTORY = `INSERT INTO person_property_history (project_id, distinct_id, name, timestamp, value, is_first)
  SELECT ?1, value ->> '$.distinctId', value ->> '$.name', value ->> '$.timestamp', value ->> '$.value', value ->> '$.isFirst'
  FROM json_each(?2) WHERE true
  ON CONFLICT DO UPDATE SET value = excluded.value, is_first = is_first AND excluded.is_first`

/** SQL that deletes values that were replaced over 730 days ago, because upstream looks no further back. */
const PRUNE_HISTORY = `DELETE FROM person_property_history WHERE (project_id, distinct_id, name, timestamp) IN (
  SELECT h.project_id, h.distinct_id, h.name, h.timestamp
  FROM (SELECT DISTINCT value ->> '$.distinctId' AS id, value ->> '$.name' AS name FROM json_each(?2)) AS written
  CROSS JOIN person_property_history AS h ON h.project_id = ?1 AND h.distinct_id = written.id AND h.name = written.name
    AND h.timestamp < (SELECT max(k.timestamp) FROM person_property_history AS k WHERE k.project_id = ?1 AND k.distinct_id = written.id
      AND k.name = written.name AND NOT k.is_first AND k.timestamp <= strftime('%Y-%m-%dT%H:%M:%S.000000Z', 'now', '-730 days')))`

const COPY_PERSONS = `INSERT INTO persons (project_id, uuid, is_identified, created_at, version, is_deleted, properties)
  SELECT ?1, value ->> '$.uuid', value ->> '$.isIdentified', value ->> '$.createdAt', value ->> '$.version', value ->> '$.isDeleted',
    jsonb(value -> '$.properties')
  FROM json_each(?2) WHERE true
  ON CONFLICT DO UPDATE SET is_identified = excluded.is_identified, created_at = excluded.created_at, version = excluded.version,
    is_deleted = excluded.is_deleted, properties = excluded.properties
  WHERE excluded.version > persons.version`

const COPY_DISTINCT_IDS = `INSERT INTO person_distinct_ids (project_id, distinct_id, person_uuid, version)
  SELECT ?1, value ->> '$.distinctId', value ->> '$.personUuid', value ->> '$.version' FROM json_each(?2) WHERE true
  ON CONFLICT DO UPDATE SET person_uuid = excluded.person_uuid, version = excluded.version
  WHERE excluded.version > person_distinct_ids.version`

const COPY_GROUPS = `INSERT INTO groups (project_id, type_index, group_key, created_at, version, properties)
  SELECT ?1, value ->> '$.typeIndex', value ->> '$.key', value ->> '$.createdAt', value ->> '$.version', jsonb(value -> '$.properties')
  FROM json_each(?2) WHERE true
  ON CONFLICT DO UPDATE SET created_at = excluded.created_at, version = excluded.version, properties = excluded.properties
  WHERE excluded.version > groups.version`

const COPY_COHORT_PEOPLE = `INSERT INTO cohort_people (project_id, cohort_id, person_uuid, version, is_deleted)
  SELECT ?1, value ->> '$.cohortId', value ->> '$.personUuid', value ->> '$.version', value ->> '$.isDeleted' FROM json_each(?2) WHERE true
  ON CONFLICT DO UPDATE SET version = excluded.version, is_deleted = excluded.is_deleted
  WHERE excluded.version > cohort_people.version`

/** Maximum bytes of a batch, because the shard is blocked while it runs. */
const MAX_BATCH_BYTES = 4_000_000

export function createShardSink(database: D1Database): Sink {
  return {
    async write(projectId, rows) {
      for (const writes of chunksOf(statementsFor(rows), ({ json }) => json.length, MAX_BATCH_BYTES)) {
        await database.batch(
          writes.flatMap(({ sql, json }) => sql.map((text) => database.prepare(text).bind(projectId, json))),
        )
      }
    },
    isAboutRow: (error) => !(error instanceof ApiError),
  }
}

function statementsFor(rows: IngestionRows) {
  const writes = (sql: readonly string[], items: readonly unknown[]) =>
    jsonParameters(items).map((json) => ({ sql, json }))
  return [
    ...writes([COPY_COHORT_PEOPLE], rows.cohortPeople),
    ...writes([COPY_GROUPS], rows.groups),
    ...writes([COPY_DISTINCT_IDS], rows.distinctIds),
    ...writes([COPY_PERSONS], rows.persons),
    // History is written before the events, because those are marked as having history.
    ...writes([INSERT_HISTORY, PRUNE_HISTORY], rows.events.flatMap(historyRows)),
    // Duplicates are removed, because a batch may contain a message twice.
    ...writes([COUNT_EVENTS, INSERT_EVENTS], uniqueByUuid(rows.events)),
  ]
}

/** Returns an event's changes as rows of `person_property_history`. */
function historyRows({ distinctId, timestamp, changed, properties }: EventRow) {
  if (!changed?.length) return []
  const { set, setOnce, unset } = changesIn(properties)
  const unsetNames = new Set(unset)
  return changed.map((name) => {
    const isSet = Object.hasOwn(set, name)
    const value = unsetNames.has(name) ? undefined : ownValue(isSet ? set : setOnce, name)
    if (value === undefined) return { distinctId, name, timestamp, value: null, isFirst: false }
    return { distinctId, name, timestamp, value: JSON.stringify(value), isFirst: !isSet }
  })
}
