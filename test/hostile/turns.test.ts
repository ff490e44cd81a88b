// The minute's lists of work have the work of all tenants, and a limit: the backlog of one organization, in whichever of its projects,
// delays no other.
import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { sendDue } from '../../src/endpoints/materialization/send-due-builds'
import { runAllDue } from '../../src/flags/scheduled/run-changes'
import { claimDueTasks } from '../../src/outbox/outbox'
import { sendDueDeliveries } from '../../src/webhooks/delivery-queue'
import { hogql } from '../support/endpoints/endpoints'
import { emptyStorage } from '../support/databases'
import { createTenant, database, type Tenant } from '../support/tenant'

beforeAll(emptyStorage)

const EARLY = '2020-01-01T00:00:00.000000Z'
const LATE = '2020-01-02T00:00:00.000000Z'
const NOW = new Date('2020-01-03T00:00:00Z')

interface List {
  name: string
  /** More than one run takes. */
  backlog: number
  /** SQL that adds a row for each `n.i` up to ?1, to a project ?2 + n.i % ?3, with the time ?4 and names that begin with ?5. */
  add: string
  /** Runs the trigger. @returns the projects, or the names, of the rows that it took */
  run(): Promise<unknown[]>
}

/** A queue that collects the bodies of its messages. */
function collecting() {
  const bodies: Record<string, unknown>[] = []
  const queue = {
    sendBatch: async (batch: Iterable<{ body: Record<string, unknown> }>) =>
      void bodies.push(...[...batch].map(({ body }) => body)),
  }
  return { bodies, queue }
}

const PROJECT = '?2 + n.i % ?3'
const LISTS: List[] = [
  {
    name: 'tasks of the outbox',
    backlog: 300,
    add: `INSERT INTO outbox (id, project_id, task, created_at, due_at)
      SELECT ?5 || n.i, ${PROJECT}, '{"kind":"copy_people","persons":[],"groups":[]}', ?4, ?4 FROM n`,
    run: async () => (await claimDueTasks(database(), NOW)).map(({ id }) => id),
  },
  {
    name: 'scheduled changes',
    backlog: 120,
    add: `INSERT INTO scheduled_changes (project_id, flag_id, payload, is_recurring, scheduled_at, first_at, due_at, created_at, updated_at)
      SELECT ${PROJECT}, (SELECT max(id) FROM feature_flags), '{}', 0, ?4, ?4, ?4, ?4, ?5 FROM n`,
    async run() {
      const called: unknown[] = []
      const runScheduledChanges = async (projectId: number) => {
        called.push(projectId)
        return false
      }
      await runAllDue(database(), { runScheduledChanges }, NOW)
      return called
    },
  },
  {
    name: 'builds',
    backlog: 1_100,
    add: `INSERT INTO endpoint_materializations (version_id, endpoint_id, project_id, id, enabled_at, next_build_at)
      SELECT v.id, v.endpoint_id, v.project_id, ?5 || n.i, ?4, ?4 FROM n
        JOIN endpoint_versions v ON v.id = ?5 || n.i AND ?2 + ?3 > 0`,
    async run() {
      const { bodies, queue } = collecting()
      await sendDue({ db: database(), env: { BUILDS: queue } as unknown as Env }, NOW)
      return bodies.map(({ versionId }) => versionId)
    },
  },
  {
    name: 'webhooks',
    backlog: 1_100,
    add: `INSERT INTO webhook_deliveries (webhook_id, entry_id, event, created_at, next_attempt_at)
      SELECT w.id, 'entry', 'Person.deleted', ?4, ?4 FROM n JOIN webhooks w ON w.id = ?5 || n.i AND ?2 + ?3 > 0`,
    async run() {
      const { bodies, queue } = collecting()
      await sendDueDeliveries({ db: database(), env: { WEBHOOKS: queue } as unknown as Env }, NOW)
      return bodies.map(({ webhookId }) => webhookId)
    },
  },
]

const COUNT = 'WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)'

/** Adds projects to the organization of a tenant. @returns the id of the first; the others follow it */
async function addProjects({ projectId }: Tenant, count: number): Promise<number> {
  const { results } = await env.DB.prepare(
    `${COUNT} INSERT INTO projects (uuid, organization_id, name, api_token, timezone, shard, query_engine, created_at)
      SELECT p.uuid || n.i, p.organization_id, p.name || n.i, p.api_token || n.i, p.timezone, p.shard, p.query_engine, p.created_at
      FROM n JOIN projects p ON p.id = ?2 RETURNING id`,
  )
    .bind(count, projectId)
    .all<{ id: number }>()
  return Math.min(...results.map(({ id }) => id))
}

/** Adds what the lists refer to: a flag, and webhooks and versions named by `names` and a number. */
async function addParents(tenant: Tenant, count: number, first: number, projects: number, names: string) {
  await tenant.flag()
  const { current_version_id: version } = await tenant.endpoint({ query: hogql('SELECT 1 AS a') })
  await env.DB.batch([
    env.DB.prepare(
      `${COUNT} INSERT INTO webhooks (id, project_id, url, events, secret, failing_since, created_at)
        SELECT ?4 || n.i, ?2 + n.i % ?3, 'https://example.com', '["*"]', '', ?5, ?5 FROM n`,
    ).bind(count, first, projects, names, EARLY),
    env.DB.prepare(
      `${COUNT} INSERT INTO endpoint_versions (id, endpoint_id, project_id, version, query, columns,
          data_freshness_seconds, optional_breakdown_properties, created_at)
        SELECT ?4 || n.i, v.endpoint_id, ?2 + n.i % ?3, n.i + 10, v.query, v.columns, v.data_freshness_seconds,
          v.optional_breakdown_properties, v.created_at FROM n JOIN endpoint_versions v ON v.id = ?5`,
    ).bind(count, first, projects, names, version),
  ])
}

it.each(LISTS)(
  '$name of an organization are taken in the next run, whatever another one has',
  async (list) => {
    const [busy, waiting] = [await createTenant({ level: 8 }), await createTenant({ level: 8 })]
    const projects = 110
    const first = await addProjects(busy, projects)
    await addParents(busy, list.backlog, first, projects, `${list.name} busy `)
    await addParents(waiting, 1, waiting.projectId, 1, `${list.name} waiting `)
    await env.DB.batch([
      env.DB.prepare(`${COUNT} ${list.add}`).bind(list.backlog, first, projects, EARLY, `${list.name} busy `),
      env.DB.prepare(`${COUNT} ${list.add}`).bind(1, waiting.projectId, 1, LATE, `${list.name} waiting `),
    ])
    const taken = await list.run()
    expect(taken.length).toBeGreaterThanOrEqual(50)
    expect(taken.length).toBeLessThan(list.backlog)
    const isOfWaiting = (each: unknown) => each === waiting.projectId || String(each).includes(' waiting ')
    expect(taken.filter(isOfWaiting)).toHaveLength(1)
  },
)
