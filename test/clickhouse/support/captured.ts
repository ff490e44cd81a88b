// Events that tests of capture send, and what the main database and ClickHouse have of their people.

export type Sent = Record<string, unknown>

export const event = (distinctId: string, name: string, properties: Sent = {}): Sent => ({
  event: name,
  distinct_id: distinctId,
  timestamp: '2026-03-01T10:00:00.123Z',
  properties,
})

/** People on both sides, as lists of the same rows. Moments are compared as far as both write them. */
export const PEOPLE_TABLES: readonly [d1: string, clickhouse: string][] = [
  [
    `SELECT project_id, uuid, properties, is_identified, substr(replace(created_at, 'T', ' '), 1, 26), version
      FROM persons ORDER BY uuid`,
    `SELECT project_id, id, properties, toUInt8(is_identified), toString(created_at), version FROM persons FINAL ORDER BY id`,
  ],
  [
    `SELECT d.project_id, d.distinct_id, p.uuid, d.version FROM person_distinct_ids d JOIN persons p ON p.id = d.person_id
      ORDER BY d.distinct_id`,
    'SELECT project_id, distinct_id, person_id, version FROM person_distinct_ids FINAL ORDER BY distinct_id',
  ],
  [
    `SELECT project_id, type_index, group_key, properties, substr(replace(created_at, 'T', ' '), 1, 26), version
      FROM groups ORDER BY type_index, group_key`,
    'SELECT project_id, index, key, properties, toString(created_at), version FROM groups FINAL ORDER BY index, key',
  ],
  [
    `SELECT p.project_id, c.cohort_id, p.uuid FROM cohort_members c JOIN persons p ON p.id = c.person_id
      ORDER BY c.cohort_id, p.uuid`,
    'SELECT project_id, cohort_id, person_id FROM cohort_people FINAL ORDER BY cohort_id, person_id',
  ],
]
