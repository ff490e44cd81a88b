// Adds tasks that copy every person and group of the restored main database to the analytics stores. Copies that were on the queue during
// the backup are not in it.
import type { SqlDatabase } from '../sql-database'

/** Persons or groups that one statement reads. */
const PAGE_ROWS = 10_000

/** Estimated bytes of the copies of a task. A person or group that is larger has a task of its own. */
const MAX_TASK_BYTES = 200_000

/** Bytes of a copy besides properties and names. They bound the persons of a task to 200. */
const ROW_BYTES = 1_000
const DISTINCT_ID_BYTES = 200
const MEMBERSHIP_BYTES = 100

interface Source {
  /** Selects the key of the last row of a page. */
  end: string
  /** Adds the tasks of a page. */
  add: string
  keyColumns: readonly string[]
  first: readonly (string | number)[]
  last: readonly (string | number)[]
}

/**
 * Returns the statement that inserts tasks. An id consists of the backup's and the first row of the task, so that a repeated statement adds
 * nothing.
 */
const insertTasks = (id: string, task: string, sized: string, order: string, groupBy: string) => `WITH
  sized AS (${sized}),
  chunks AS (SELECT *, (sum(size) OVER (PARTITION BY ${groupBy} ORDER BY ${order}) - size) / ${MAX_TASK_BYTES} AS chunk FROM sized),
  moment AS (SELECT strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z' AS now)
  INSERT INTO outbox (id, project_id, task, created_at, due_at)
  SELECT ${id}, project_id, ${task}, now, now FROM chunks CROSS JOIN moment WHERE true GROUP BY ${groupBy}, chunk
  ON CONFLICT DO NOTHING`

const PERSONS: Source = {
  keyColumns: ['project_id', 'uuid'],
  first: [0, ''],
  last: [Number.MAX_SAFE_INTEGER, ''],
  end: `SELECT project_id, uuid FROM persons INDEXED BY persons_uuid WHERE (project_id, uuid) > (?1, ?2)
    ORDER BY project_id, uuid LIMIT 1 OFFSET ?3`,
  add: insertTasks(
    `?5 || '/persons/' || project_id || '/' || min(uuid)`,
    `json_object('kind', 'copy_people', 'persons', json_group_array(uuid), 'groups', json_array())`,
    `SELECT project_id, uuid, ${ROW_BYTES} + octet_length(properties)
        + ${DISTINCT_ID_BYTES} * (SELECT count(*) FROM person_distinct_ids d WHERE d.person_id = p.id)
        + ${MEMBERSHIP_BYTES} * (SELECT count(*) FROM cohort_members m WHERE m.person_id = p.id) AS size
      FROM persons p INDEXED BY persons_uuid WHERE (project_id, uuid) > (?1, ?2) AND (project_id, uuid) <= (?3, ?4)`,
    'uuid',
    'project_id',
  ),
}

const GROUPS: Source = {
  keyColumns: ['project_id', 'type_index', 'group_key'],
  first: [0, 0, ''],
  last: [Number.MAX_SAFE_INTEGER, 0, ''],
  end: `SELECT project_id, type_index, group_key FROM groups WHERE (project_id, type_index, group_key) > (?1, ?2, ?3)
    ORDER BY project_id, type_index, group_key LIMIT 1 OFFSET ?4`,
  add: insertTasks(
    `?7 || '/groups/' || project_id || '/' || type_index || '/' || min(group_key)`,
    `json_object('kind', 'copy_people', 'persons', json_array(), 'groups',
      json_group_array(json_object('typeIndex', type_index, 'key', group_key)))`,
    `SELECT project_id, type_index, group_key, ${ROW_BYTES} + octet_length(group_key) + octet_length(properties) AS size
      FROM groups WHERE (project_id, type_index, group_key) > (?1, ?2, ?3) AND (project_id, type_index, group_key) <= (?4, ?5, ?6)`,
    'group_key',
    'project_id, type_index',
  ),
}

/**
 * Adds the tasks to the outbox. It can be repeated.
 * @param backupId the start of their ids
 * @param pageRows persons or groups that one statement reads
 */
export async function addCopyTasks(
  { query }: SqlDatabase,
  backupId: string,
  pageRows = PAGE_ROWS,
): Promise<void> {
  for (const { keyColumns, first, last, end, add } of [PERSONS, GROUPS]) {
    for (let from: readonly (string | number)[] | null = first; from;) {
      const [row] = await query(end, [...from, pageRows - 1])
      const to: (string | number)[] | null = row
        ? keyColumns.map((column) => row[column] as string | number)
        : null
      await query(add, [...from, ...(to ?? last), backupId])
      from = to
    }
  }
}
