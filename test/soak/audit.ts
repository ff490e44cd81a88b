// What is stored, compared with what was acknowledged. Read from the databases themselves.
import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountWriter } from './accounts'
import type { Client } from './client'
import type { EventSender } from './events'
import type { FlagWriter } from './flags'
import type { QueryWriter } from './queries'
import type { SoakServer } from './server'

export interface Workers {
  projectId: number
  userUuid: string
  flags: FlagWriter[]
  events: EventSender
  queries: QueryWriter
  accounts: AccountWriter
}

/**
 * How long queues, the outbox, alarms and builds have, once the load has ended. A build whose message is lost is sent again after five
 * minutes, a task of the outbox that failed twice after four.
 */
const SETTLE_MS = 480_000

/**
 * The queues of a local runtime are in its memory: a message that waits when the runtime is killed is gone, as none is on the platform. Events
 * acknowledged this shortly before are excused.
 */
const QUEUE_MS = 15_000

/** Waits until nothing is under way. What still is after the deadline is a violation. */
export async function settle(server: SoakServer, client: Client): Promise<void> {
  let left = ''
  for (const end = Date.now() + SETTLE_MS; Date.now() < end; await sleep(1_000)) {
    const [row] = await server.query<Record<string, number>>(
      'DB',
      `SELECT (SELECT count(*) FROM outbox) AS outbox, (SELECT count(*) FROM cohorts WHERE is_calculating) AS cohorts,
        (SELECT count(*) FROM endpoint_materializations WHERE next_build_at <= strftime('%Y-%m-%dT%H:%M:%f', 'now')) AS builds`,
    )
    if (Object.values(row!).every((value) => value === 0)) return
    left = JSON.stringify(row)
  }
  client.violate(`still under way ${SETTLE_MS / 1000} s after the load: ${left}`)
}

/** What has to be right at any moment when no request is under way. */
export async function auditWrites(
  server: SoakServer,
  client: Client,
  workers: readonly Workers[],
): Promise<void> {
  for (const each of workers) {
    await auditFlags(server, client, each)
    await auditEndpoints(server, client, each)
    await auditAccounts(server, client, each)
  }
}

/**
 * What has to be right once everything has settled, too.
 * @param kills when the runtime was killed.
 * @returns how many events are excused.
 */
export async function auditAll(
  server: SoakServer,
  client: Client,
  workers: readonly Workers[],
  kills: readonly number[],
): Promise<number> {
  await auditWrites(server, client, workers)
  let excused = 0
  for (const each of workers) {
    await auditCohorts(server, client, each)
    excused += await auditEvents(server, client, each, kills)
  }
  return excused
}

async function auditFlags(server: SoakServer, client: Client, { projectId, flags }: Workers): Promise<void> {
  const rows = await server.query<{
    id: number
    key: string
    name: string
    active: number
    deleted: number
    version: number
  }>(
    'DB',
    'SELECT id, key, name, active, deleted, version FROM feature_flags WHERE project_id = ?',
    projectId,
  )
  const stored = new Map(rows.map((row) => [row.id, row]))
  for (const flag of flags.flatMap((writer) => [...writer.flags.values()])) {
    const row = stored.get(flag.id)
    const isSame =
      row &&
      row.key === flag.key &&
      row.name === flag.name &&
      row.version === flag.version &&
      Boolean(row.active) === flag.active &&
      Boolean(row.deleted) === flag.deleted
    if (!isSame)
      client.violate(
        `flag ${flag.id} is stored as ${JSON.stringify(row)}, acknowledged as ${JSON.stringify(flag)}`,
      )
  }
  const [{ live } = { live: -1 }] = await server.query<{ live: number }>(
    'DB',
    'SELECT live_flag_count AS live FROM projects WHERE id = ?',
    projectId,
  )
  const counted = rows.filter(({ deleted }) => !deleted).length
  if (live !== counted) client.violate(`project ${projectId} counts ${live} live flags and has ${counted}`)
  const gaps = await server.query<{ item: string; versions: number; top: number }>(
    'DB',
    `SELECT item_id AS item, count(DISTINCT after) AS versions, max(after) AS top FROM (
      SELECT a.item_id, c.value ->> '$.after' AS after FROM activity_log a JOIN json_each(a.detail, '$.changes') c
      WHERE a.project_id = ? AND a.scope = 'FeatureFlag' AND c.value ->> '$.field' = 'version')
      GROUP BY item_id HAVING versions <> top - 1`,
    projectId,
  )
  for (const { item, versions, top } of gaps) {
    client.violate(
      `the log of flag ${item} has ${versions} changes of a version, and the last one made version ${top}`,
    )
  }
  const evaluated = await client.send('POST', '/flags?v=2', {
    body: {
      api_key: server.tenants.find((each) => each.project_id === projectId)!.project_api_token,
      distinct_id: 'auditor',
    },
  })
  const served = evaluated.body.flags as Record<string, { enabled: boolean }>
  for (const { key, active, deleted } of rows) {
    const expected = !deleted && active === 1
    if ((served[key]?.enabled ?? false) !== expected)
      client.violate(`/flags says of ${key}: ${JSON.stringify(served[key])}`)
  }
}

async function auditEvents(
  server: SoakServer,
  client: Client,
  { projectId, events }: Workers,
  kills: readonly number[],
): Promise<number> {
  const uuids = [...events.acknowledged]
  let excused = 0
  const missing: string[] = []
  for (let from = 0; from < uuids.length; from += 5_000) {
    const part = uuids.slice(from, from + 5_000)
    const rows = await server.query<{ uuid: string }>(
      'EVENTS',
      'SELECT uuid FROM events WHERE project_id = ? AND uuid IN (SELECT value FROM json_each(?))',
      projectId,
      JSON.stringify(part.map(([uuid]) => uuid)),
    )
    const stored = new Set(rows.map(({ uuid }) => uuid))
    for (const [uuid, at] of part) {
      if (stored.has(uuid)) continue
      if (kills.some((kill) => kill > at - 1_000 && kill - at < QUEUE_MS)) excused += 1
      else missing.push(`${uuid} of ${new Date(at).toISOString().slice(11, 23)}`)
    }
  }
  if (missing.length > 0) {
    client.violate(
      `project ${projectId}: ${missing.length} acknowledged events are missing, such as ${missing.slice(0, 3).join(', ')}`,
    )
  }
  // `events` has one row for each uuid, so an event that was taken twice shows in what was counted with it.
  const [volume] = await server.query<{ counted: number; stored: number }>(
    'EVENTS',
    `SELECT (SELECT coalesce(sum(events), 0) FROM event_volumes WHERE project_id = ?1 AND event = '') AS counted,
      (SELECT count(*) FROM events WHERE project_id = ?1) AS stored`,
    projectId,
  )
  if (volume!.counted !== volume!.stored) {
    client.violate(`project ${projectId} counts ${volume!.counted} events and stores ${volume!.stored}`)
  }
  return excused
}

async function auditEndpoints(
  server: SoakServer,
  client: Client,
  { projectId, queries }: Workers,
): Promise<void> {
  const rows = await server.query<{ name: string }>(
    'DB',
    'SELECT name FROM endpoints WHERE project_id = ? AND NOT deleted ORDER BY name',
    projectId,
  )
  const stored = rows.map(({ name }) => name).join(' ')
  const known = [...queries.endpoints.keys()].sort().join(' ')
  if (stored !== known)
    client.violate(`endpoints of project ${projectId}: "${stored}" are stored, "${known}" acknowledged`)
}

async function auditAccounts(
  server: SoakServer,
  client: Client,
  { userUuid, accounts }: Workers,
): Promise<void> {
  const compare = async (what: string, known: Iterable<string>, sql: string) => {
    const rows = await server.query<{ name: string }>('DB', sql, userUuid)
    const stored = new Set(rows.map(({ name }) => name))
    for (const name of known)
      if (!stored.has(name)) client.violate(`${what} ${name} was acknowledged and is missing`)
  }
  const user = '(SELECT id FROM users WHERE uuid = ?)'
  await compare(
    'key',
    accounts.keys.keys(),
    `SELECT label AS name FROM personal_api_keys WHERE user_id = ${user}`,
  )
  await compare(
    'session',
    accounts.sessions.keys(),
    `SELECT id AS name FROM sessions WHERE user_id = ${user}`,
  )
  await compare(
    'invite',
    accounts.invites.keys(),
    `SELECT target_email AS name FROM organization_invites WHERE organization_id IN
      (SELECT organization_id FROM organization_memberships WHERE user_id = ${user})`,
  )
}

async function auditCohorts(
  server: SoakServer,
  client: Client,
  { projectId, accounts }: Workers,
): Promise<void> {
  const cohorts = await server.query<{ id: number; busy: number; count: number; members: number }>(
    'DB',
    `SELECT id, is_calculating AS busy, "count", (SELECT count(*) FROM cohort_members m WHERE m.cohort_id = c.id) AS members
      FROM cohorts c WHERE project_id = ?`,
    projectId,
  )
  const stored = new Map(cohorts.map((cohort) => [cohort.id, cohort]))
  for (const [id, least] of accounts.cohorts) {
    const cohort = stored.get(id)
    if (!cohort || cohort.busy || cohort.count !== cohort.members || cohort.members < least) {
      client.violate(`cohort ${id} of at least ${least} people is ${JSON.stringify(cohort)}`)
    }
  }
}
