// The rows of a project in the databases, in the order of their deletion. Rows are deleted before the rows to which they belong, so that no
// cascade is long.

/** A table with rows that the deletion of a project deletes. */
export interface ProjectRows {
  table: string
  /** The key of the table, by default `rowid`. Tables without a rowid need it. */
  key?: string
  /** SELECT of keys: `?1` is the project, `?2` the maximum number. The default selects by `project_id`. */
  found?: string
  /** Rows that one statement deletes: the database is blocked while it runs. */
  chunk: number
}

/** SQL for tables whose rows are found by the row to which they belong. */
const through = (parent: string, table: string, column: string): string =>
  `SELECT c.rowid FROM ${parent} p CROSS JOIN ${table} c WHERE p.project_id = ?1 AND c.${column} = p.id LIMIT ?2`

/** Rows of the main database. Those that start work in the background are deleted first. */
export const MAIN_ROWS: readonly ProjectRows[] = [
  {
    table: 'webhook_deliveries',
    found: through('webhooks', 'webhook_deliveries', 'webhook_id'),
    chunk: 2_000,
  },
  { table: 'webhooks', chunk: 100 },
  { table: 'scheduled_changes', chunk: 200 },
  // The chunks are small, because a request may have 1 MiB, and so may an event that waits in the outbox. The task that deletes the project
  // is kept until it has ended.
  { table: 'change_requests', chunk: 50 },
  {
    table: 'outbox',
    found: `SELECT rowid FROM outbox WHERE project_id = ?1 AND task ->> '$.kind' <> 'delete_project' LIMIT ?2`,
    chunk: 50,
  },
  { table: 'approval_policies', chunk: 100 },
  { table: 'endpoint_versions', found: through('endpoints', 'endpoint_versions', 'endpoint_id'), chunk: 200 },
  { table: 'endpoints', chunk: 200 },
  { table: 'query_variables', chunk: 500 },
  { table: 'actions', chunk: 500 },
  { table: 'experiments', chunk: 500 },
  { table: 'early_access_features', chunk: 500 },
  { table: 'surveys', chunk: 500 },
  { table: 'feature_flags', chunk: 200 },
  { table: 'dashboards', chunk: 200 },
  { table: 'cohort_members', found: through('cohorts', 'cohort_members', 'cohort_id'), chunk: 2_000 },
  { table: 'cohorts', chunk: 100 },
  { table: 'person_distinct_ids', chunk: 2_000 },
  { table: 'persons', chunk: 1_000 },
  { table: 'groups', chunk: 1_000 },
  { table: 'group_types', chunk: 100 },
  { table: 'property_definitions', chunk: 2_000 },
  { table: 'property_definition_counts', key: '(project_id, owner)', chunk: 1_000 },
  { table: 'applied_events', key: '(project_id, uuid)', chunk: 2_000 },
  { table: 'activity_log', chunk: 500 },
]

/**
 * SQL of the log's rows. The log has no index on the project, so that there is one search for each endpoint of the shard, and one for its
 * project.
 */
const LOGS = `WITH RECURSIVE e(id) AS (
    SELECT min(endpoint_id) FROM endpoint_logs
    UNION ALL SELECT (SELECT min(endpoint_id) FROM endpoint_logs WHERE endpoint_id > e.id) FROM e WHERE e.id IS NOT NULL)
  SELECT l.id FROM e CROSS JOIN endpoint_logs l
  WHERE l.endpoint_id = e.id AND (SELECT project_id FROM endpoint_logs WHERE endpoint_id = e.id LIMIT 1) = ?1 LIMIT ?2`

/** The project's shard, whose tables of materialized rows are dropped first. */
export const SHARD_ROWS: readonly ProjectRows[] = [
  { table: 'endpoint_results', chunk: 100 },
  { table: 'endpoint_logs', found: LOGS, chunk: 2_000 },
  { table: 'person_property_history', key: '(project_id, distinct_id, name, timestamp)', chunk: 2_000 },
  { table: 'cohort_people', key: '(project_id, cohort_id, person_uuid)', chunk: 2_000 },
  { table: 'person_distinct_ids', key: '(project_id, distinct_id)', chunk: 2_000 },
  { table: 'persons', chunk: 1_000 },
  { table: 'groups', chunk: 1_000 },
  { table: 'events', chunk: 2_000 },
  // The deletion of a session's newest event has deleted most.
  { table: 'event_sessions', key: '(project_id, session_id, distinct_id)', chunk: 2_000 },
  { table: 'event_volumes', key: '(project_id, event, day)', chunk: 2_000 },
  { table: 'people_volumes', key: '(project_id, name)', chunk: 100 },
]

/** Returns the statement that deletes the next rows of a project: `?1` is the project, `?2` how many. */
export function deleteRowsSql({ table, key = 'rowid', found }: ProjectRows): string {
  const columns = key.replace(/[()]/g, '')
  return `DELETE FROM ${table} WHERE ${key} IN (${found ?? `SELECT ${columns} FROM ${table} WHERE project_id = ?1 LIMIT ?2`})`
}
