// A project of any size, filled with SQL.
import { env } from 'cloudflare:workers'
import type { Tenant } from '../support/tenant'

export interface Size {
  flags: number
  deletedFlags: number
  /** Entries of the activity log; a tenth of them are about one flag. */
  activity: number
  endpoints: number
  versions: number
  logLines: number
  people: number
  groups: number
  events: number
  definitions: number
  /** Changes of one person's properties. */
  changes: number
  members: number
  invites: number
  projects: number
  /** Changes that ran, all of one flag. */
  ranChanges: number
  /** Change requests that ended, all of one flag. */
  endedRequests: number
  keys: number
  sessions: number
  /** Deliveries of one webhook. */
  deliveries: number
  cohorts: number
  dashboards: number
  variables: number
  actions: number
}

export const SMALL: Size = {
  flags: 50,
  deletedFlags: 10,
  activity: 1_000,
  endpoints: 10,
  versions: 5,
  logLines: 100,
  people: 100,
  groups: 100,
  events: 1_000,
  definitions: 20,
  changes: 100,
  members: 5,
  invites: 5,
  projects: 5,
  ranChanges: 10,
  endedRequests: 10,
  keys: 2,
  sessions: 5,
  deliveries: 10,
  cohorts: 10,
  dashboards: 10,
  variables: 5,
  actions: 5,
}

export const LARGE: Size = {
  flags: 1_200,
  deletedFlags: 2_000,
  activity: 100_000,
  endpoints: 1_000,
  versions: 1_000,
  logLines: 10_000,
  people: 20_000,
  groups: 10_000,
  events: 100_000,
  definitions: 5_000,
  changes: 200_000,
  members: 500,
  invites: 500,
  projects: 300,
  ranChanges: 5_000,
  endedRequests: 5_000,
  keys: 8,
  sessions: 95,
  deliveries: 1_000,
  cohorts: 1_000,
  dashboards: 1_000,
  variables: 90,
  actions: 490,
}

/** The flag, endpoint and person that have most of what there is. */
export interface Filled {
  flagId: number
  endpoint: string
  distinctId: string
}

const AT = '2026-01-01T00:00:00.000000Z'
const DETAIL = JSON.stringify({ changes: [], trigger: null, type: null, name: 'flag', short_id: null })
/** Rows of one statement. */
const CHUNK = 20_000

/** The moment of row `i`: seconds since the start of the year. */
const moment = `strftime('%Y-%m-%dT%H:%M:%S.000000Z', '2026-01-01', i || ' seconds')`

/** The same on the day of the tests: open invites are younger than three days. */
const recent = moment.replace('2026-01-01', '2026-03-10')

/** Runs an INSERT for each `i` from 0 to `count`. `?1` is the project; `into` ends with a SELECT from `n`. */
async function insertMany(
  database: D1Database,
  projectId: number,
  count: number,
  into: string,
  ...values: unknown[]
) {
  const [, table, select] = /^(.*?)\sSELECT\s(.*)$/s.exec(into)!
  for (let from = 0; from < count; from += CHUNK) {
    const to = Math.min(count, from + CHUNK)
    await database
      .prepare(
        `INSERT INTO ${table} WITH RECURSIVE n(i) AS (SELECT CAST(?2 AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?3) SELECT ${select}`,
      )
      .bind(projectId, from, to, ...values)
      .run()
  }
}

/** Fills what `tenant` has. Names and ids carry the project, because some are unique among all. */
export async function fill({ projectId, organizationId, user }: Tenant, size: Size): Promise<Filled> {
  const main = (count: number, into: string, ...values: unknown[]) =>
    insertMany(env.DB, projectId, count, into, ...values)
  const events = (count: number, into: string, ...values: unknown[]) =>
    insertMany(env.EVENTS, projectId, count, into, ...values)

  const flagColumns =
    'feature_flags (project_id, key, name, filters, deleted, created_by_id, created_at, updated_at, search_text)'
  await main(
    size.flags,
    `${flagColumns} SELECT ?1, 'grown-' || i, 'Grown ' || i, '{"groups":[]}', 0, ?4, ${moment}, ${moment}, 'grown-' || i FROM n`,
    user.id,
  )
  await main(
    size.deletedFlags,
    `${flagColumns} SELECT ?1, 'grown-gone-' || i, '', '{"groups":[]}', 1, ?4, ${moment}, ${moment}, 'gone' FROM n`,
    user.id,
  )
  const first = await env.DB.prepare(`SELECT min(id) AS id FROM feature_flags WHERE project_id = ?`)
    .bind(projectId)
    .first<{ id: number }>()
  const flagId = first!.id
  await main(
    size.activity,
    `activity_log (id, project_id, user_id, activity, scope, item_id, detail, created_at)
     SELECT ?1 || '-' || i, ?1, ?4, 'updated', 'FeatureFlag', iif(i % 10, ?5 + i % 50, ?5), ?6, ${moment} FROM n`,
    user.id,
    flagId,
    DETAIL,
  )

  const query = JSON.stringify({ kind: 'HogQLQuery', query: 'SELECT 1', variables: null, filters: null })
  await main(
    size.endpoints,
    `endpoints (id, project_id, name, current_version, created_by_id, created_at, updated_at)
     SELECT printf('00000000-0000-4000-8000-%04x%08x', ?1, i), ?1, 'grown-' || i, iif(i, 1, ?4), ?5, ${moment}, ${moment} FROM n`,
    size.versions,
    user.id,
  )
  const version = `endpoint_versions (id, endpoint_id, project_id, version, query, columns, data_freshness_seconds,
      optional_breakdown_properties, created_by_id, created_at)`
  await main(
    size.endpoints,
    `${version} SELECT ?1 || '-first-' || i, printf('00000000-0000-4000-8000-%04x%08x', ?1, i), ?1, 1, ?4, '[]', 60, '[]', ?5, '${AT}' FROM n`,
    query,
    user.id,
  )
  await main(
    size.versions - 1,
    `${version} SELECT ?1 || '-later-' || i, printf('00000000-0000-4000-8000-%04x%08x', ?1, 0), ?1, i + 2, ?4, '[]', 60, '[]', ?5, '${AT}' FROM n`,
    query,
    user.id,
  )
  await events(
    size.logLines,
    `endpoint_logs (project_id, endpoint_id, instance_id, timestamp, level, message)
     SELECT ?1, printf('00000000-0000-4000-8000-%04x%08x', ?1, 0), '00000000-0000-4000-8000-000000000001', ${moment}, 'INFO', 'line ' || i FROM n`,
  )

  await main(
    size.people,
    `persons (project_id, uuid, properties, created_at)
     SELECT ?1, printf('0195a000-0000-7000-8000-%s', lower(hex(randomblob(6)))), '{"plan":"free"}', '${AT}' FROM n`,
  )
  await env.DB.prepare(
    `INSERT INTO person_distinct_ids (project_id, distinct_id, person_id)
     SELECT ?1, 'person-' || row_number() OVER (ORDER BY id), id FROM persons WHERE project_id = ?1`,
  )
    .bind(projectId)
    .run()
  await env.DB.prepare(`INSERT INTO group_types (project_id, type_index, name) VALUES (?, 0, 'company')`)
    .bind(projectId)
    .run()
  await main(
    size.groups,
    `groups (project_id, type_index, group_key, properties, created_at) SELECT ?1, 0, 'group-' || i, '{"size":1}', '${AT}' FROM n`,
  )
  await main(
    size.definitions,
    `property_definitions (project_id, owner, name, type) SELECT ?1, iif(i % 2, 'event', 'person'), 'property-' || i, 'String' FROM n`,
  )
  await events(
    size.events,
    `events (project_id, uuid, event, distinct_id, timestamp, created_at, flag_key, flag_response, properties)
     SELECT ?1, 'event-' || i, iif(i % 2, 'opened', '$feature_flag_called'), 'person-' || (i % 1000), ${moment}, '${AT}',
       iif(i % 2, NULL, 'grown-' || (i % 20)), iif(i % 2, NULL, 'true'), jsonb('{"a":1}') FROM n`,
  )
  await events(
    size.changes,
    `person_property_history (project_id, distinct_id, name, timestamp, value)
     SELECT ?1, 'person-1', 'property-' || (i % 20), ${moment}, i FROM n`,
  )

  await main(
    size.members,
    `users (uuid, distinct_id, email, date_joined) SELECT ?1 || '-user-' || i, ?1 || '-user-' || i, ?1 || '-user-' || i || '@example.com', '${AT}' FROM n`,
  )
  await env.DB.prepare(
    `INSERT INTO organization_memberships (organization_id, user_id, joined_at)
     SELECT ?1, id, '${AT}' FROM users WHERE uuid GLOB ?2 || '-user-*'`,
  )
    .bind(organizationId, projectId)
    .run()
  await main(
    size.invites,
    `organization_invites (id, organization_id, target_email, created_by_id, created_at, updated_at)
     SELECT printf('00000000-0000-4000-9000-%04x%08x', ?1, i), ?4, i || '@example.com', ?5, ${recent}, ${recent} FROM n`,
    organizationId,
    user.id,
  )
  await main(
    size.projects,
    `projects (uuid, organization_id, name, api_token, created_at)
     SELECT printf('00000000-0000-4000-a000-%04x%08x', ?1, i), ?4, 'Project ' || i, ?1 || '-token-' || i, '${AT}' FROM n`,
    organizationId,
  )
  await main(
    size.ranChanges,
    `scheduled_changes (project_id, flag_id, payload, scheduled_at, first_at, executed_at, created_by_id, created_at, updated_at)
     SELECT ?1, ?4, '{"operation":"update_status","value":true}', ${moment}, ${moment}, ${moment}, ?5, '${AT}', '${AT}' FROM n`,
    flagId,
    user.id,
  )
  await main(
    size.endedRequests,
    `change_requests (id, project_id, flag_id, action_key, change, policy, state, votes, created_by_id, created_at, updated_at, expires_at, ends_at)
     SELECT printf('0195a000-0000-7000-8000-%04x%08x', ?1, i), ?1, ?4, 'feature_flag.enable', ?6, ?7, 'rejected', '[]', ?5, '${AT}', '${AT}', '${AT}', '${AT}' FROM n`,
    flagId,
    user.id,
    JSON.stringify({
      flagKey: 'grown-0',
      body: { active: true },
      before: { active: false },
      version: 1,
      wasDeleted: false,
      updatedAt: AT,
    }),
    JSON.stringify({ quorum: 1, approvers: [], allow_self_approve: true }),
  )
  await main(
    size.keys,
    `personal_api_keys (id, user_id, label, secure_value, mask_value, scopes, scoped_teams, scoped_organizations, created_at)
     SELECT ?1 || '-key-' || i, ?4, 'Key ' || i, ?1 || '-secure-' || i, 'phx_...', '["*"]', '[]', '[]', ${moment} FROM n`,
    user.id,
  )
  await main(
    size.sessions,
    `sessions (id, token_hash, user_id, created_at, authenticated_at, expires_at, last_activity, login_method)
     SELECT printf('00000000-0000-4000-b000-%04x%08x', ?1, i), ?1 || '-token-' || i, ?4, ${recent}, ${recent}, '2099-01-01T00:00:00.000000Z', ${recent}, 'password' FROM n`,
    user.id,
  )
  await env.DB.prepare(
    `INSERT INTO webhooks (id, project_id, url, events, secret, is_active, created_at) VALUES (?1 || '-webhook', ?1, 'https://example.com', '["*"]', '', 0, '${AT}')`,
  )
    .bind(projectId)
    .run()
  await main(
    size.deliveries,
    `webhook_deliveries (webhook_id, entry_id, event, status, created_at) SELECT ?1 || '-webhook', ?1 || '-' || i, 'FeatureFlag.updated', 'delivered', ${moment} FROM n`,
  )
  await main(
    size.cohorts,
    `cohorts (project_id, name, is_static, created_by_id, created_at) SELECT ?1, 'Grown ' || i, 1, ?4, ${moment} FROM n`,
    user.id,
  )
  await main(
    size.dashboards,
    `dashboards (project_id, name, created_by_id, created_at) SELECT ?1, 'Grown ' || i, ?4, ${moment} FROM n`,
    user.id,
  )
  await main(
    size.variables,
    `query_variables (id, project_id, name, code_name, type, created_at)
     SELECT printf('00000000-0000-4000-8000-%04x%08x', ?1, i), ?1, 'Grown ' || i, 'grown_' || i, 'String', ${moment} FROM n`,
  )
  await main(
    size.actions,
    `actions (project_id, name, created_by_id, created_at) SELECT ?1, 'Grown ' || i, ?4, ${moment} FROM n`,
    user.id,
  )
  return { flagId, endpoint: 'grown-0', distinctId: 'person-1' }
}
