// Which rows the daily trigger deletes, and when. Every other table is kept (src/docs/guide/retention.md has the bounds).
// src/analytics/prune-events.ts deletes events.
import type { RetentionSetting } from './settings'

export interface Policy {
  table: string
  /** The age at which rows are deleted, or its setting. With 0, they are deleted when the time in the column has passed. */
  days: number | RetentionSetting
  /** The setting of how many of the newest rows are kept, whatever their age. */
  newest?: RetentionSetting
  /**
   * SELECT of the keys of expired rows: `?1` is the cutoff timestamp, `?2` how many it may return, `?3` the number of `newest`, if there is
   * one.
   */
  expired: string
  /** The key of the table, by default `rowid`. Tables without a rowid need it. */
  key?: string
  /** Rows that one statement deletes: the database is blocked while it runs. */
  chunk: number
  /** Statements with the same parameters that run first, in the same batch. */
  before?: readonly string[]
}

/** Returns SQL of expired rows, for tables with an index on the time. */
const byTime = (table: string, column: string): string =>
  `SELECT rowid FROM ${table} WHERE ${column} < ?1 LIMIT ?2`

/** Returns SQL of expired rows, for logs whose ids follow the time. It reads only the oldest rows. */
const oldest = (table: string, column: string): string =>
  `SELECT id FROM (SELECT rowid AS id, ${column} AS at FROM ${table} ORDER BY rowid LIMIT ?2) WHERE at < ?1`

// Flags that something still refers to are kept: an experiment or the like, session recording, or flags that depend on them, which are
// deleted first. The order makes both statements that use it select the same rows.
const DELETED_FLAGS = `SELECT f.id FROM projects p CROSS JOIN feature_flags f
  WHERE f.project_id = p.id AND f.deleted = 1 AND f.updated_at < ?1 AND f.id IS NOT p.session_recording_linked_flag_id
    AND NOT EXISTS (SELECT 1 FROM experiments e WHERE e.flag_id = f.id)
    AND NOT EXISTS (SELECT 1 FROM early_access_features a WHERE a.flag_id = f.id)
    AND NOT EXISTS (SELECT 1 FROM surveys s WHERE s.linked_flag_id = f.id)
    AND NOT EXISTS (SELECT 1 FROM flag_dependencies d WHERE d.depends_on_id = f.id)
  ORDER BY p.id, f.updated_at, f.id LIMIT ?2`

/** SQL that begins a generation, so that nobody restores a flag while it is deleted. */
const NEXT_GENERATION = `UPDATE projects SET flags_generation = flags_generation + 1
  WHERE id IN (SELECT project_id FROM feature_flags WHERE id IN (${DELETED_FLAGS}))`

/**
 * SQL that deletes usage dashboards with their flags, unless another flag or a user's scene shows them. The newest id stays, so that no
 * project has an id twice.
 */
const USAGE_DASHBOARDS = `DELETE FROM dashboards
  WHERE id IN (SELECT usage_dashboard_id FROM feature_flags WHERE id IN (${DELETED_FLAGS}))
    AND id < (SELECT max(id) FROM dashboards)
    AND NOT EXISTS (SELECT 1 FROM flag_dashboards d JOIN feature_flags f ON f.id = d.flag_id
      WHERE d.dashboard_id = dashboards.id AND f.usage_dashboard_id IS NOT dashboards.id)
    AND id NOT IN (SELECT dashboard_id FROM scene_personalisations)`

/** Versions and tags are deleted with their endpoint, by their foreign keys. The index has `created_at`, which is before `updated_at`. */
const DELETED_ENDPOINTS = `SELECT e.rowid FROM projects p CROSS JOIN endpoints e
  WHERE e.project_id = p.id AND e.deleted = 1 AND e.created_at < ?1 AND e.updated_at < ?1 LIMIT ?2`

/**
 * SQL of unused versions: beyond the newest, not run by a key, without materialized rows. Cached results expire, and the tables of a
 * materialization were dropped when it was hibernated.
 */
const OLD_VERSIONS = `SELECT v.rowid FROM endpoints e CROSS JOIN endpoint_versions v
  WHERE v.endpoint_id = e.id AND v.version <= e.current_version - ?3 AND (v.last_executed_at IS NULL OR v.last_executed_at < ?1)
    AND NOT EXISTS (SELECT 1 FROM endpoint_materializations m WHERE m.version_id = v.id AND m.hibernated_at IS NULL) LIMIT ?2`

const OLD_INVITES = `SELECT i.rowid FROM organizations o CROSS JOIN organization_invites i
  WHERE i.organization_id = o.id AND i.created_at < ?1 LIMIT ?2`

/** Deliveries of a webhook that are kept, besides those since the last run. A list by status reads them all. */
export const MAX_DELIVERIES = 1_000

/** SQL of deliveries that are too old, or beyond the newest and no longer attempted. */
const OLD_DELIVERIES = `${oldest('webhook_deliveries', 'created_at')}
  UNION ALL SELECT d.id FROM webhooks w CROSS JOIN webhook_deliveries d
  WHERE d.webhook_id = w.id AND d.next_attempt_at IS NULL AND d.id <= (SELECT n.id FROM webhook_deliveries n
    WHERE n.webhook_id = w.id ORDER BY n.id DESC LIMIT 1 OFFSET ${MAX_DELIVERIES}) LIMIT ?2`

/** Policies of the main database. */
export const MAIN_POLICIES: readonly Policy[] = [
  { table: 'sessions', days: 0, expired: byTime('sessions', 'expires_at'), chunk: 5_000 },
  { table: 'login_challenges', days: 0, expired: byTime('login_challenges', 'expires_at'), chunk: 5_000 },
  { table: 'password_resets', days: 0, expired: byTime('password_resets', 'expires_at'), chunk: 5_000 },
  // A day ago is after the beginning of yesterday, so that the salt of today is kept.
  { table: 'visitor_salts', days: 1, expired: byTime('visitor_salts', 'day'), chunk: 1_000 },
  { table: 'used_chat_states', days: 0, expired: byTime('used_chat_states', 'expires_at'), chunk: 5_000 },
  // The time has no index, which each count would have to write. Therefore the rows of the last day are read, too. No window is longer than
  // a day.
  { table: 'throttle_windows', days: 1, expired: byTime('throttle_windows', 'started_at'), chunk: 5_000 },
  { table: 'organization_invites', days: 30, expired: OLD_INVITES, chunk: 1_000 },
  {
    table: 'feature_flags',
    days: 'DELETED_RETENTION_DAYS',
    expired: DELETED_FLAGS,
    chunk: 200,
    before: [NEXT_GENERATION, USAGE_DASHBOARDS],
  },
  { table: 'endpoints', days: 'DELETED_RETENTION_DAYS', expired: DELETED_ENDPOINTS, chunk: 100 },
  {
    table: 'endpoint_versions',
    days: 30,
    newest: 'VERSION_RETENTION_COUNT',
    expired: OLD_VERSIONS,
    chunk: 500,
  },
  {
    table: 'activity_log',
    days: 'ACTIVITY_RETENTION_DAYS',
    expired: oldest('activity_log', 'created_at'),
    chunk: 1_000,
  },
  {
    table: 'scheduled_changes',
    days: 90,
    expired: byTime('scheduled_changes', 'executed_at'),
    chunk: 1_000,
  },
  // The chunk is small, because a request may have 1 MiB.
  { table: 'change_requests', days: 90, expired: byTime('change_requests', 'ends_at'), chunk: 100 },
  { table: 'webhook_deliveries', days: 30, expired: OLD_DELIVERIES, chunk: 5_000 },
  {
    table: 'applied_events',
    days: 7,
    expired: 'SELECT project_id, uuid FROM applied_events WHERE applied_at < ?1 LIMIT ?2',
    key: '(project_id, uuid)',
    chunk: 20_000,
  },
]

/** SQL that finds the projects with results by one search each. */
const EXPIRED_RESULTS = `WITH RECURSIVE p(id) AS (
    SELECT min(project_id) FROM endpoint_results
    UNION ALL SELECT (SELECT min(project_id) FROM endpoint_results WHERE project_id > p.id) FROM p WHERE p.id IS NOT NULL)
  SELECT r.rowid FROM p CROSS JOIN endpoint_results r WHERE r.project_id = p.id AND r.expires_at < ?1 LIMIT ?2`

/** Policies of each analytics shard. */
export const SHARD_POLICIES: readonly Policy[] = [
  { table: 'endpoint_logs', days: 30, expired: oldest('endpoint_logs', 'timestamp'), chunk: 5_000 },
  { table: 'endpoint_results', days: 0, expired: EXPIRED_RESULTS, chunk: 200 },
]
