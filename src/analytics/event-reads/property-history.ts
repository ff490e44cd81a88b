// Reads the properties of persons and groups at a past time.
import { Buffer } from 'node:buffer'
import { BOOLEAN } from '../../hogql/types'
import { isObject, type JsonObject, type JsonValue } from '../../json'
import { MAX_PARAMETER_BYTES } from '../../storage/json-parameters'
import { PropertyBag } from '../capture/property-bag'
import { changesIn, type PropertyChanges } from '../capture/property-changes'
import type { QueryEngine } from '../engine/query-engine'
import { type GroupKeys, type GroupRow, textKeys } from '../evaluation-subject'
import { readEvents, TEXT } from './read-events'

/** Limits of a person's history: events, names of properties over all distinct ids, and bytes of either. */
export const MAX_HISTORY_EVENTS = 10_000
export const MAX_HISTORY_NAMES = 20_000
export const MAX_HISTORY_BYTES = 16 * 1024 * 1024
/** The most bytes of events about any group of a project that are searched for those of some groups. */
export const MAX_GROUP_EVENT_BYTES = 64 * 1024 * 1024

/**
 * SQL of the latest row of each property up to a time, and of the latest one that is no first value, which reads some fifteen rows for
 * each name and id, and of events that have no such rows, because they are older than the table. The joins look up the events of the few ids: SQLite's own plan would walk all events by
 * time to avoid sorting. Sizes are read first, because SQLite reads them from row headers.
 */
const HISTORY_ON_SHARD = `WITH RECURSIVE wanted AS (SELECT value AS id FROM json_each(?2)),
  names(id, name) AS MATERIALIZED (
    SELECT id, (SELECT min(h.name) FROM person_property_history AS h WHERE h.project_id = ?1 AND h.distinct_id = wanted.id) FROM wanted
    UNION ALL
    SELECT id, (SELECT min(h.name) FROM person_property_history AS h
      WHERE h.project_id = ?1 AND h.distinct_id = names.id AND h.name > names.name) FROM names WHERE name IS NOT NULL
    LIMIT ${MAX_HISTORY_NAMES + 1}),
  found AS (
    SELECT * FROM (
      SELECT e.id AS event_id, e.timestamp, NULL AS distinct_id, NULL AS name, octet_length(e.properties) AS bytes
      FROM wanted CROSS JOIN events AS e INDEXED BY events_person
        ON e.project_id = ?1 AND e.distinct_id = wanted.id AND e.sets_properties = 1 AND e.timestamp <= ?3
      LIMIT ${MAX_HISTORY_EVENTS + 1})
    UNION ALL
    SELECT NULL, h.timestamp, h.distinct_id, h.name, octet_length(h.value)
    FROM names CROSS JOIN person_property_history AS h
      ON h.project_id = ?1 AND h.distinct_id = names.id AND h.name = names.name
        AND h.timestamp IN (
          (SELECT max(k.timestamp) FROM person_property_history AS k
            WHERE k.project_id = ?1 AND k.distinct_id = names.id AND k.name = names.name AND k.timestamp <= ?3),
          (SELECT max(k.timestamp) FROM person_property_history AS k
            WHERE k.project_id = ?1 AND k.distinct_id = names.id AND k.name = names.name AND k.timestamp <= ?3 AND NOT k.is_first))
    WHERE names.name IS NOT NULL),
  picked AS (
    SELECT *, count(event_id) OVER () <= ${MAX_HISTORY_EVENTS} AND total(bytes) OVER () <= ${MAX_HISTORY_BYTES}
      AND (SELECT count(*) FROM names) <= ${MAX_HISTORY_NAMES} AS is_short
    FROM found)
  SELECT iif(event_id IS NULL, iif(h.value IS NULL OR h.is_first, NULL, json_object(h.name, json(h.value))), e.properties -> '$."$set"') AS c0,
    iif(event_id IS NULL, iif(h.is_first, json_object(h.name, json(h.value)), NULL), e.properties -> '$."$set_once"') AS c1,
    iif(event_id IS NULL, iif(h.value IS NULL, json_array(h.name), NULL), e.properties -> '$."$unset"') AS c2,
    is_short AS c3
  FROM picked
  LEFT JOIN events AS e ON e.id = picked.event_id AND is_short
  LEFT JOIN person_property_history AS h ON h.project_id = ?1 AND h.distinct_id = picked.distinct_id AND h.name = picked.name
    AND h.timestamp = picked.timestamp AND is_short
  ORDER BY picked.timestamp, picked.event_id`

/**
 * Returns the changes of a person's properties up to a time, in time order. Upstream looks back to the creation of the flag, at most 730
 * days, and uses `$set_once` only from events of that name. The specification asks for properties "as they were at that time": here every
 * applied event counts.
 * @param distinctIds all of the person
 * @param at in stored form, inclusive
 * @returns null when the events are too many or too large, because only some of them would give other properties
 */
export async function readHistory(
  engine: QueryEngine,
  projectId: number,
  { distinctIds, at }: { distinctIds: readonly string[]; at: string },
): Promise<PropertyChanges[] | null> {
  const ids = JSON.stringify(distinctIds)
  if (Buffer.byteLength(ids) > MAX_PARAMETER_BYTES) return null
  const isShort = `picked.total <= ${MAX_HISTORY_EVENTS} AND picked.bytes <= ${MAX_HISTORY_BYTES}`
  const rows = await readEvents(engine, projectId, {
    sql: {
      sqlite: HISTORY_ON_SHARD,
      clickhouse: `SELECT nullIf(JSONExtractRaw(document, '$set'), '') AS c0, nullIf(JSONExtractRaw(document, '$set_once'), '') AS c1,
          nullIf(JSONExtractRaw(document, '$unset'), '') AS c2, ${isShort} AS c3
        FROM (SELECT *, count() OVER () AS total, sum(length(properties)) OVER () AS bytes,
            if(${isShort.replaceAll('picked.', '')}, properties, '') AS document FROM (
          SELECT properties, timestamp, created_at, uuid FROM events FINAL
          WHERE project_id = {p1:Int64} AND distinct_id IN JSONExtract({p2:String}, 'Array(String)')
            AND sets_properties AND timestamp <= parseDateTime64BestEffort({p3:String}, 6, 'UTC')
          LIMIT ${MAX_HISTORY_EVENTS + 1})) AS picked
        ORDER BY timestamp, created_at, uuid`,
    },
    values: [ids, at],
    columns: [TEXT, TEXT, TEXT, BOOLEAN],
  })
  if (rows[0] && !rows[0][3]) return null
  return rows.map(([$set, $set_once, $unset]) =>
    changesIn({ $set: parsed($set), $set_once: parsed($set_once), $unset: parsed($unset) }),
  )
}

/**
 * Returns the properties of groups at a time, from the `$groupidentify` events until then that capture applied. Retention deletes such
 * events.
 * @param groups group keys by name of the group type
 * @param at in stored form, inclusive
 * @returns rows like those of stored groups; null when the project has too many such events, or they or those of the groups are too large
 */
export async function readGroupHistory(
  engine: QueryEngine,
  projectId: number,
  { groups, at }: { groups: GroupKeys; at: string },
): Promise<GroupRow[] | null> {
  const wanted = JSON.stringify(Object.entries(textKeys(groups)))
  if (wanted === '[]') return []
  if (Buffer.byteLength(wanted) > MAX_PARAMETER_BYTES) return null
  const isShort = `total <= ${MAX_HISTORY_EVENTS} AND searched <= ${MAX_GROUP_EVENT_BYTES} AND bytes <= ${MAX_HISTORY_BYTES}`
  const rows = await readEvents(engine, projectId, {
    sql: {
      sqlite: `WITH found AS MATERIALIZED (
            SELECT id, timestamp, sum(size) OVER (ROWS UNBOUNDED PRECEDING) AS searched FROM (
              SELECT e.id, e.timestamp, octet_length(e.properties) AS size FROM events AS e INDEXED BY events_name
              WHERE e.project_id = ?1 AND e.event = '$groupidentify' AND e.timestamp <= ?3 LIMIT ${MAX_HISTORY_EVENTS + 1})),
          picked AS (SELECT f.timestamp, f.id, e.properties ->> '$."$group_type"' AS type, octet_length(e.properties) AS size
            FROM found AS f CROSS JOIN events AS e ON e.id = f.id AND f.searched <= ${MAX_GROUP_EVENT_BYTES}
              AND e.properties -> '$."$process_person_profile"' IS NOT 'false' CROSS JOIN json_each(?2) AS wanted
              ON e.properties ->> '$."$group_type"' = wanted.value ->> 0
              AND CAST(e.properties ->> '$."$group_key"' AS TEXT) = wanted.value ->> 1),
          sized AS (SELECT count(*) AS total, ifnull(max(searched), 0) AS searched, (SELECT total(size) FROM picked) AS bytes FROM found)
        SELECT c0, c1, c2 FROM (
          SELECT NULL AS c0, NULL AS c1, ${isShort} AS c2, '' AS timestamp, 0 AS id FROM sized
          UNION ALL SELECT picked.type, e.properties -> '$."$group_set"', 1, picked.timestamp, picked.id
            FROM sized CROSS JOIN picked CROSS JOIN events AS e ON e.id = picked.id WHERE ${isShort})
        ORDER BY timestamp, id`,
      clickhouse: `WITH found AS (SELECT JSONExtractString(properties, '$group_type') AS type,
            nullIf(JSONExtractRaw(properties, '$group_set'), '') AS changes,
            JSONExtractRaw(properties, '$process_person_profile') != 'false'
              AND has(JSONExtract({p2:String}, 'Array(Array(String))'), [type, if(JSONType(properties, '$group_key') = 'String',
              JSONExtractString(properties, '$group_key'), JSONExtractRaw(properties, '$group_key'))]) AS is_wanted,
            length(properties) AS size, timestamp, created_at, uuid FROM events FINAL
          WHERE project_id = {p1:Int64} AND event = '$groupidentify' AND timestamp <= parseDateTime64BestEffort({p3:String}, 6, 'UTC')
          LIMIT ${MAX_HISTORY_EVENTS + 1}),
          sized AS (SELECT count() AS total, sum(size) AS searched, sumIf(length(ifNull(changes, '')), is_wanted) AS bytes FROM found)
        SELECT c0, c1, c2 FROM (
          SELECT CAST(NULL AS Nullable(String)) AS c0, CAST(NULL AS Nullable(String)) AS c1, ${isShort} AS c2,
            toDateTime64(0, 6, 'UTC') AS timestamp, toDateTime64(0, 6, 'UTC') AS created_at, '' AS uuid FROM sized
          UNION ALL SELECT type, changes, true, timestamp, created_at, toString(uuid) FROM found
            WHERE is_wanted AND (SELECT ${isShort} FROM sized))
        ORDER BY timestamp, created_at, uuid`,
    },
    values: [wanted, at],
    columns: [TEXT, TEXT, BOOLEAN],
  })
  if (!rows.every(([, , isWhole]) => isWhole)) return null
  const changes = rows.flatMap(([type, text]) => {
    const $set = parsed(text)
    return typeof type === 'string' && isObject($set) ? [{ type, changes: changesIn({ $set }) }] : []
  })
  return [...Map.groupBy(changes, ({ type }) => type)].map(([type, history]) => ({
    type,
    properties: JSON.stringify(propertiesAfter(history.map((each) => each.changes))),
  }))
}

/** Applies changes as capture does, which ignores one that is too large. */
function propertiesAfter(history: readonly PropertyChanges[]): JsonObject {
  const bag = new PropertyBag({})
  for (const changes of history) bag.change(changes)
  return bag.toJson()
}

const parsed = (text: unknown): JsonValue =>
  typeof text === 'string' ? (JSON.parse(text) as JsonValue) : null
