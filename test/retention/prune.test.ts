// What the daily trigger deletes of each table: old rows go, young ones stay, in bounded steps.
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { LOGIN_LIMIT, PASSWORD_LIMIT, SECOND_FACTOR_LIMIT } from '../../src/account/sign-in/attempt-limits'
import { areas } from '../../src/areas'
import { HOURLY_QUOTAS } from '../../src/http/limits/key-quota'
import { MAIN_POLICIES, MAX_DELIVERIES, type Policy, SHARD_POLICIES } from '../../src/retention/policies'
import { prune } from '../../src/retention/prune'
import { createMeter, meteredD1 } from '../../src/storage/metered-d1'
import { toStoredTimestamp } from '../../src/timestamps'
import { type D1Call, interceptedD1 } from '../support/faults/intercepted-d1'

const NOW = new Date('2026-06-01T03:17:00Z')
const daysAgo = (days: number) => toStoredTimestamp(new Date(NOW.getTime() - days * 86_400_000))

const USER = 1
const ORGANIZATIONS = ['organization-1', 'organization-2']
const PROJECTS = [1, 2]

/** Adds `?3` rows of the time `?1` to a table; `?2` is the project or its organization, and `i` counts the rows. */
const INSERTS: Readonly<Record<string, string>> = {
  sessions: `INSERT INTO sessions (id, token_hash, user_id, created_at, authenticated_at, expires_at, last_activity, login_method)
    SELECT ?1 || ?2 || i, ?1 || ?2 || i, ${USER}, ?1, ?1, ?1, ?1, 'password' FROM n`,
  login_challenges: `INSERT INTO login_challenges (token_hash, user_id, expires_at) SELECT ?1 || ?2 || i, ${USER}, ?1 FROM n`,
  password_resets: `INSERT INTO password_resets (token_hash, user_id, expires_at) SELECT ?1 || ?2 || i, ${USER}, ?1 FROM n`,
  used_chat_states: `INSERT INTO used_chat_states (id, expires_at) SELECT ?1 || ?2 || i, ?1 FROM n`,
  visitor_salts: `INSERT INTO visitor_salts (day, salt) SELECT ?1 || ?2 || i, 'salt' FROM n`,
  throttle_windows: `INSERT INTO throttle_windows (name, subject, started_at, count) SELECT 'login', ?1 || ?2 || i, ?1, 1 FROM n`,
  organization_invites: `INSERT INTO organization_invites (id, organization_id, target_email, created_at, updated_at)
    SELECT ?1 || ?2 || i, 'organization-' || CAST(?2 AS INTEGER), 'ada@example.com', ?1, ?1 FROM n`,
  feature_flags: `INSERT INTO feature_flags (project_id, key, filters, deleted, created_at, updated_at, search_text)
    SELECT ?2, ?1 || i, '{}', 1, ?1, ?1, '' FROM n`,
  endpoints: `INSERT INTO endpoints (id, project_id, name, deleted, current_version, created_at, updated_at)
    SELECT ?1 || ?2 || i, ?2, 'sales', 1, 1, ?1, ?1 FROM n`,
  endpoint_versions: `INSERT INTO endpoint_versions
      (id, endpoint_id, project_id, version, query, columns, data_freshness_seconds, optional_breakdown_properties, created_at, last_executed_at)
    SELECT ?1 || ?2 || i, 'endpoint-' || CAST(?2 AS INTEGER), ?2,
      i + (SELECT coalesce(max(version), 0) FROM endpoint_versions WHERE endpoint_id = 'endpoint-' || CAST(?2 AS INTEGER)),
      '{}', '[]', 900, '[]', ?1, ?1 FROM n`,
  activity_log: `INSERT INTO activity_log (id, project_id, activity, scope, item_id, detail, created_at)
    SELECT ?1 || ?2 || i, ?2, 'updated', 'FeatureFlag', '1', '{}', ?1 FROM n`,
  scheduled_changes: `INSERT INTO scheduled_changes (project_id, flag_id, payload, scheduled_at, first_at, executed_at, created_at, updated_at)
    SELECT ?2, ?2, '{}', ?1, ?1, ?1, ?1, ?1 FROM n`,
  change_requests: `INSERT INTO change_requests (id, project_id, flag_id, action_key, change, policy, votes, created_at, updated_at,
      expires_at, ends_at) SELECT ?1 || ?2 || i, ?2, ?2, 'feature_flag.update', '{}', '{}', '[]', ?1, ?1, ?1, ?1 FROM n`,
  webhook_deliveries: `INSERT INTO webhook_deliveries (webhook_id, entry_id, event, status, created_at)
    SELECT 'webhook-' || CAST(?2 AS INTEGER), ?1 || i, 'Person.deleted', 'delivered', ?1 FROM n`,
  applied_events: `INSERT INTO applied_events (project_id, uuid, applied_at) SELECT ?2, ?1 || i, ?1 FROM n`,
  endpoint_logs: `INSERT INTO endpoint_logs (project_id, endpoint_id, instance_id, timestamp, level, message)
    SELECT ?2, 'endpoint-' || ?2, i, ?1, 'INFO', '' FROM n`,
  endpoint_results: `INSERT INTO endpoint_results
    (project_id, result_key, version_id, compilation, body, row_count, has_more, stored_at, expires_at)
    SELECT ?2, ?1 || i, 'version', 0, '{}', 0, 0, ?1, ?1 FROM n`,
}

const EVERY = [
  ...MAIN_POLICIES.map((policy) => ({ table: policy.table, d1: env.DB, policy })),
  ...SHARD_POLICIES.map((policy) => ({ table: policy.table, d1: env.EVENTS, policy })),
]

type Case = (typeof EVERY)[number]

/** What rows of a table refer to, with the same parameters. All versions are past the newest ones of their endpoint. */
const PARENTS: Readonly<Record<string, string>> = {
  scheduled_changes: `INSERT OR IGNORE INTO feature_flags (id, project_id, key, filters, deleted, created_at, updated_at, search_text)
    SELECT ?2, ?2, 'flag', '{}', 1, ?1, ?1, '' WHERE ?3`,
  change_requests: `INSERT OR IGNORE INTO feature_flags (id, project_id, key, filters, deleted, created_at, updated_at, search_text)
    SELECT ?2, ?2, 'flag', '{}', 1, ?1, ?1, '' WHERE ?3`,
  webhook_deliveries: `INSERT OR IGNORE INTO webhooks (id, project_id, url, events, secret, created_at)
    SELECT 'webhook-' || CAST(?2 AS INTEGER), ?2, 'https://hooks.example.com/', '[]', '', ?1 WHERE ?3`,
  endpoint_versions: `INSERT OR IGNORE INTO endpoints (id, project_id, name, deleted, current_version, created_at, updated_at)
    SELECT 'endpoint-' || CAST(?2 AS INTEGER), ?2, 'sales', 1, 1000000, ?1, ?1 WHERE ?3`,
}

const insert = ({ table, d1 }: Case, projectId: number, at: string, count = 1) =>
  d1.batch(
    [
      ...(PARENTS[table] ? [PARENTS[table]] : []),
      INSERTS[table]!.replace(
        'SELECT',
        'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?3) SELECT',
      ),
    ].map((sql) => d1.prepare(sql).bind(at, projectId, count)),
  )

const TIME_OF: Readonly<Record<string, string>> = {
  visitor_salts: 'substr(day, 1, 27)',
  throttle_windows: 'started_at',
  organization_invites: 'created_at',
  feature_flags: 'updated_at',
  endpoints: 'updated_at',
  endpoint_versions: 'last_executed_at',
  activity_log: 'created_at',
  scheduled_changes: 'executed_at',
  change_requests: 'ends_at',
  webhook_deliveries: 'created_at',
  applied_events: 'applied_at',
  endpoint_logs: 'timestamp',
}

/** How many rows of a table have each time. */
async function timesIn({ table, d1 }: Case): Promise<Record<string, number>> {
  const column = TIME_OF[table] ?? 'expires_at'
  const { results } = await d1
    .prepare(`SELECT ${column} AS at, count(*) AS rows FROM ${table} GROUP BY 1`)
    .all<{ at: string; rows: number }>()
  return Object.fromEntries(results.map(({ at, rows }) => [at, rows]))
}

const failures: string[] = []
const SETTINGS = { ACTIVITY_RETENTION_DAYS: '365', DELETED_RETENTION_DAYS: '60' }

const run = (
  d1: D1Database,
  policies: readonly Policy[],
  { settings = SETTINGS, maxStatements = 100 }: { settings?: object; maxStatements?: number } = {},
) =>
  prune(d1, policies, {
    settings,
    now: NOW,
    maxStatements,
    onFailure: (table, error) => void failures.push(`${table}: ${String(error)}`),
  })

/** A database whose statements are counted, with the rows that each batch read. */
function counted(real: D1Database) {
  const batches: { statements: number; rowsRead: number }[] = []
  const d1 = interceptedD1(real, async ({ texts, run: send }: D1Call) => {
    const results = (await send()) as D1Result[]
    batches.push({
      statements: texts.length,
      rowsRead: results.reduce((sum, { meta }) => sum + meta.rows_read, 0),
    })
    return results
  })
  return { d1, batches }
}

const AGES: Readonly<Record<string, number>> = {
  visitor_salts: 1,
  throttle_windows: 1,
  organization_invites: 30,
  feature_flags: 60,
  endpoints: 60,
  endpoint_versions: 30,
  activity_log: 365,
  scheduled_changes: 90,
  change_requests: 90,
  webhook_deliveries: 30,
  applied_events: 7,
  endpoint_logs: 30,
}

const ageOf = ({ table }: Case) => AGES[table] ?? 0

beforeEach(async () => {
  failures.length = 0
  await env.DB.batch([
    ...[...MAIN_POLICIES].map(({ table }) => env.DB.prepare(`DELETE FROM ${table}`)),
    env.DB.prepare('DELETE FROM dashboards'),
    env.DB.prepare('DELETE FROM experiments'),
    env.DB.prepare('DELETE FROM early_access_features'),
    env.DB.prepare('DELETE FROM surveys'),
    env.DB.prepare('DELETE FROM scene_personalisations'),
    env.DB.prepare(`INSERT OR IGNORE INTO users (id, uuid, distinct_id, email, date_joined)
      VALUES (${USER}, 'user-1', 'user-1', 'ada@example.com', '2026')`),
    ...PROJECTS.flatMap((id, index) => [
      env.DB.prepare(
        `INSERT OR IGNORE INTO organizations (id, name, slug, created_at, updated_at) VALUES (?1, 'Shop', ?1, '2026', '2026')`,
      ).bind(ORGANIZATIONS[index]),
      env.DB.prepare(
        `INSERT OR IGNORE INTO projects (id, uuid, organization_id, name, api_token, created_at) VALUES (?1, ?1, ?2, 'Shop', ?1, '2026')`,
      ).bind(id, ORGANIZATIONS[index]),
      env.DB.prepare('UPDATE projects SET session_recording_linked_flag_id = NULL'),
    ]),
  ])
  await env.EVENTS.batch(SHARD_POLICIES.map(({ table }) => env.EVENTS.prepare(`DELETE FROM ${table}`)))
})

describe.each(EVERY)('$table', (each) => {
  const { d1, policy } = each
  const [young, old] = [daysAgo(ageOf(each) - 0.01), daysAgo(ageOf(each) + 0.01)]

  it('loses the rows that are past their age, and no others', async () => {
    for (const project of PROJECTS) {
      await insert(each, project, old, 3)
      await insert(each, project, young, 2)
    }
    await run(d1, [policy])
    expect(failures).toEqual([])
    expect(await timesIn(each)).toEqual({ [young]: 4 })
    await run(d1, [policy])
    expect(await timesIn(each)).toEqual({ [young]: 4 })
  })

  it('loses a chunk with each statement, and the rest the next day', async () => {
    const perProject = Math.ceil((policy.chunk * 2.5) / 2)
    for (const project of PROJECTS) await insert(each, project, old, perProject)
    const statements = 1 + (policy.before?.length ?? 0)
    await run(d1, [policy], { maxStatements: 2 * statements })
    expect((await timesIn(each))[old]).toBe(2 * perProject - 2 * policy.chunk)
    const { d1: real, batches } = counted(d1)
    await run(real, [policy])
    expect(await timesIn(each)).toEqual({})
    // D1 may count what cascades as a change: then one more looks for more.
    expect(batches.length).toBeLessThanOrEqual(2)
  })

  it('is not scanned for them', async () => {
    for (const project of PROJECTS) await insert(each, project, old, 2)
    const kept = each.table === 'webhook_deliveries' ? MAX_DELIVERIES : 3_000
    for (const project of PROJECTS) await insert(each, project, young, kept)
    const { d1: real, batches } = counted(d1)
    await run(real, [policy])
    expect(await timesIn(each)).toEqual({ [young]: 2 * kept })
    const isWalked = each.table === 'throttle_windows'
    const isLog = policy.expired.includes('ORDER BY rowid')
    // Versions that are in use are read along.
    const isOfVersions = each.table === 'endpoint_versions'
    const bound = isOfVersions ? 12_100 : isWalked ? 6_100 : isLog ? policy.chunk + 100 : 100
    expect(batches.map(({ rowsRead }) => rowsRead).filter((rows) => rows > bound)).toEqual([])
  })
})

it('webhook_deliveries beyond the newest of their webhook are lost, unless they are still to be attempted', async () => {
  const each = EVERY.find(({ table }) => table === 'webhook_deliveries')!
  const [first, second, last] = [daysAgo(3), daysAgo(2), daysAgo(1)]
  await insert(each, 1, first, 2)
  await env.DB.prepare(`UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = '2099'`).run()
  await insert(each, 1, second, 30)
  await insert(each, 1, last, MAX_DELIVERIES - 1)
  await insert(each, 2, first, 3)
  await run(each.d1, [each.policy])
  expect(await timesIn(each)).toEqual({ [first]: 5, [second]: 1, [last]: MAX_DELIVERIES - 1 })
})

describe('policies', () => {
  const [flags, activity] = ['feature_flags', 'activity_log'].map((table) =>
    EVERY.find((each) => each.table === table)!,
  ) as [Case, Case]

  it.each(['', '0', '-1', '1.5', 'all', '1e2'])('delete nothing where their setting is %j', async (days) => {
    await insert(flags, 1, daysAgo(9_000))
    await insert(activity, 1, daysAgo(9_000))
    const settings = { ACTIVITY_RETENTION_DAYS: days, DELETED_RETENTION_DAYS: days }
    await run(env.DB, MAIN_POLICIES, { settings })
    expect([await timesIn(flags), await timesIn(activity)]).toEqual([
      { [daysAgo(9_000)]: 1 },
      { [daysAgo(9_000)]: 1 },
    ])
  })

  it('keep deleted rows for 90 days and activity for 730 by default', async () => {
    for (const days of [89, 91]) await insert(flags, 1, daysAgo(days))
    for (const days of [729, 731]) await insert(activity, 1, daysAgo(days))
    await run(env.DB, MAIN_POLICIES, { settings: {} })
    expect([await timesIn(flags), await timesIn(activity)]).toEqual([
      { [daysAgo(89)]: 1 },
      { [daysAgo(729)]: 1 },
    ])
  })

  it('delete no throttle window that still counts', () => {
    const windows = [
      ...areas.flatMap(({ operations }) => operations.flatMap(({ throttles }) => throttles ?? [])),
      ...Object.values(HOURLY_QUOTAS),
      LOGIN_LIMIT,
      SECOND_FACTOR_LIMIT,
      PASSWORD_LIMIT,
    ]
    const { days } = MAIN_POLICIES.find(({ table }) => table === 'throttle_windows')!
    expect(Math.max(...windows.map(({ seconds }) => seconds))).toBeLessThanOrEqual(Number(days) * 86_400)
  })

  it('take turns, so that a backlog of one does not hold back the others', async () => {
    for (const each of EVERY.filter(({ d1 }) => d1 === env.DB)) await insert(each, 1, daysAgo(400), 2)
    await insert(activity, 1, daysAgo(401), 3_500)
    const { d1, batches } = counted(env.DB)
    const perPass = MAIN_POLICIES.reduce((sum, { before = [] }) => sum + 1 + before.length, 0)
    const maxStatements = perPass + 2
    await run(d1, MAIN_POLICIES, { maxStatements })
    expect(batches.reduce((sum, { statements }) => sum + statements, 0)).toBe(maxStatements)
    const left = await Promise.all(EVERY.filter((each) => each.d1 === env.DB).map(timesIn))
    // Its two of 400 days were recorded first.
    expect(left.filter((times) => Object.keys(times).length > 0)).toEqual([{ [daysAgo(401)]: 502 }])
  })

  it('go on when one of them fails', async () => {
    await insert(activity, 1, daysAgo(400))
    const broken = {
      ...flags.policy,
      expired: 'SELECT id FROM nowhere WHERE at < ?1 LIMIT ?2',
      before: [],
    }
    await run(env.DB, [broken, activity.policy])
    expect(failures).toEqual([
      expect.stringContaining('feature_flags: Error: D1_ERROR: no such table: nowhere'),
    ])
    expect(await timesIn(activity)).toEqual({})
  })

  it('stop when the database is unavailable', async () => {
    let calls = 0
    const away = interceptedD1(env.DB, () => {
      calls += 1
      return Promise.reject(new Error('Network connection lost.'))
    })
    await run(meteredD1(away, createMeter()), MAIN_POLICIES)
    expect([calls, failures.length]).toEqual([1, 1])
  })
})
