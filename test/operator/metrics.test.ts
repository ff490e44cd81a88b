// The metrics of Prometheus: their format, who may read them, and that the dashboard and the alerts use what there is.
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { changeRequests, scheduledChanges, webhookDeliveries, webhooks } from '../../drizzle'
import alerts from '../../src/docs/guide/monitoring/alerts.yml?raw'
import dashboard from '../../src/docs/guide/monitoring/grafana-dashboard.json?raw'
import { areaOf, countRequest, type Traffic } from '../../src/http/log/request-points'
import { recentOf } from '../../src/operator/instance-status'
import { runScheduledBackup } from '../../src/storage/backup/scheduled-backup'
import { failingDatabases } from '../support/faults/stalled-d1'
import { createHarness } from '../support/harness'
import { createTenant, database } from '../support/tenant'

const TOKEN = 'a-token-of-the-operator'
const authorized = { Authorization: `Bearer ${TOKEN}` }

interface Family {
  help: string
  type: string
  samples: { labels: Record<string, string>; value: number }[]
}

/** Parses the text format strictly. @throws for a line that Prometheus does not take, or a family that is not in one piece. */
function parseExposition(text: string): Map<string, Family> {
  const families = new Map<string, Family>()
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  let current = ''
  for (const line of text.slice(0, -1).split('\n')) {
    const help = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line)
    const type = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary|untyped)$/.exec(line)
    const sample =
      /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|NaN|[+-]Inf)$/.exec(
        line,
      )
    if (help) {
      current = help[1]!
      if (families.has(current)) throw new Error(`${current} has two families`)
      families.set(current, { help: help[2]!, type: '', samples: [] })
    } else if (type) {
      if (type[1] !== current) throw new Error(`a type of ${type[1]} within ${current}`)
      families.get(current)!.type = type[2]!
    } else if (sample) {
      if (sample[1] !== current || !families.get(current)!.type) throw new Error(`misplaced: ${line}`)
      const labels = Object.fromEntries(
        [...(sample[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [
          name!,
          value!,
        ]),
      )
      families.get(current)!.samples.push({ labels, value: Number(sample[3]) })
    } else throw new Error(`not of the format: ${line}`)
  }
  return families
}

const scrape = async (bindings: Partial<Env> = {}) => {
  const harness = createHarness({ bindings: { METRICS_TOKEN: TOKEN, ...bindings } })
  const response = await harness.send('GET', '/metrics', { headers: authorized })
  expect(response.status).toBe(200)
  expect(response.headers.get('Content-Type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  return parseExposition(String(response.body))
}

const valueOf = (families: Map<string, Family>, name: string) => families.get(name)?.samples[0]?.value

describe('GET /metrics', () => {
  it('is read with the token of the deployment only, and is not there without one', async () => {
    const get = (bindings: Partial<Env>, headers: Record<string, string>) =>
      createHarness({ bindings }).send('GET', '/metrics', { headers })
    expect((await get({}, authorized)).status).toBe(404)
    expect((await get({ METRICS_TOKEN: 'short' }, { Authorization: 'Bearer short' })).status).toBe(404)
    const tenant = await createTenant()
    for (const headers of [
      {},
      { Authorization: `Bearer ${tenant.key}` },
      { Authorization: `Basic ${TOKEN}` },
    ]) {
      expect((await get({ METRICS_TOKEN: TOKEN }, headers as Record<string, string>)).status).toBe(401)
    }
    const harness = createHarness({ bindings: { METRICS_TOKEN: TOKEN } })
    expect((await harness.send('POST', '/metrics', { headers: authorized })).status).toBe(405)
  })

  it('counts what automation has to do, and errors among the last requests', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const before = await scrape()
    const now = '2026-03-10T12:00:00.000000Z'
    const past = '2026-03-10T11:00:00.000000Z'
    const webhook = {
      projectId: tenant.projectId,
      url: 'https://a.example.com/',
      events: [],
      secret: '',
      createdAt: past,
    }
    const [paused, failing] = [crypto.randomUUID(), crypto.randomUUID()]
    const change = {
      projectId: tenant.projectId,
      flagId: flag.id,
      payload: { operation: 'update_status' as const, value: true },
      firstAt: past,
      createdAt: past,
      updatedAt: past,
    }
    const request = {
      projectId: tenant.projectId,
      flagId: flag.id,
      actionKey: 'feature_flag.enable' as const,
      change: {} as never,
      policy: {} as never,
      votes: [],
      createdAt: past,
      updatedAt: past,
    }
    const db = database()
    await db.batch([
      db.insert(webhooks).values([
        { ...webhook, id: paused, isActive: false, pausedAt: past, failingSince: past },
        { ...webhook, id: failing, failingSince: past },
        { ...webhook, id: crypto.randomUUID() },
      ]),
      db.insert(webhookDeliveries).values([
        { webhookId: failing, entryId: 'a', event: 'a', createdAt: past, nextAttemptAt: past },
        {
          webhookId: failing,
          entryId: 'b',
          event: 'a',
          createdAt: past,
          nextAttemptAt: '2026-03-11T12:00:00.000000Z',
        },
        { webhookId: failing, entryId: 'c', event: 'a', createdAt: past, nextAttemptAt: null },
      ]),
      db.insert(scheduledChanges).values([
        { ...change, scheduledAt: past, dueAt: past },
        { ...change, scheduledAt: now, dueAt: '2026-03-10T12:00:01.000000Z' },
        { ...change, scheduledAt: past, dueAt: null, executedAt: past },
      ]),
      db.insert(changeRequests).values([
        { ...request, id: crypto.randomUUID(), expiresAt: past, endsAt: past },
        { ...request, id: crypto.randomUUID(), expiresAt: now, endsAt: '2026-03-10T12:00:01.000000Z' },
        {
          ...request,
          id: crypto.randomUUID(),
          state: 'applied',
          expiresAt: now,
          endsAt: '2026-03-10T12:00:01.000000Z',
        },
      ]),
    ])
    const after = await scrape()
    const added = (name: string) => valueOf(after, name)! - valueOf(before, name)!
    expect(
      [
        'webhooks_paused',
        'webhooks_failing',
        'webhook_deliveries',
        'scheduled_changes_overdue',
        'change_requests_pending',
      ].map((name) => added(`halyard_${name}`)),
    ).toEqual([1, 1, 2, 1, 1])
    expect(valueOf(after, 'halyard_webhook_deliveries_due_age_seconds')).toBeGreaterThanOrEqual(3_600)
    expect(valueOf(after, 'halyard_scheduled_changes_overdue_age_seconds')).toBeGreaterThanOrEqual(3_600)
    // Other tests' changes do not run.
    await db.delete(scheduledChanges).where(eq(scheduledChanges.flagId, flag.id))

    const traffic: Traffic = { since: null, requests: 0, errors: 0, lastMs: [] }
    for (let count = 0; count < 600; count += 1)
      countRequest(traffic, count % 10 === 0 ? 503 : 404, count % 100)
    expect(traffic).toMatchObject({ requests: 600, errors: 60 })
    expect(recentOf(traffic.lastMs)).toEqual({ recent_error_rate: 0.1, recent_p95_ms: 94 })
    expect(recentOf([])).toEqual({ recent_error_rate: 0, recent_p95_ms: 0 })
  })

  it('has the state of every part', async () => {
    await createTenant()
    const backUp = (begins: boolean) =>
      runScheduledBackup({
        bucket: env.TEST_BACKUPS,
        databases: [],
        keep: '1',
        now: new Date('2026-03-10T11:00:00Z'),
        begins,
      })
    await backUp(true)
    await backUp(false)
    const families = await scrape({ BACKUPS: env.TEST_BACKUPS, INGESTION: env.INGESTION })
    expect(families.get('halyard_database_size_bytes')).toEqual({
      help: 'Size of the database.',
      type: 'gauge',
      samples: [
        { labels: { database: 'DB', plane: 'main' }, value: expect.any(Number) },
        { labels: { database: 'EVENTS', plane: 'analytics' }, value: expect.any(Number) },
      ],
    })
    expect(families.get('halyard_queue_messages')!.samples.map(({ labels }) => labels.queue)).toEqual([
      'INGESTION',
      'BUILDS',
      'WEBHOOKS',
    ])
    expect(valueOf(families, 'halyard_backup_age_seconds')).toBe(3_600)
    for (const [name, { samples }] of families) expect([name, samples.length > 0]).toEqual([name, true])

    const { shard } = failingDatabases()
    shard.fail('loses connections')
    const without = await scrape({ EVENTS: shard.d1 })
    expect(without.get('halyard_database_up')!.samples.map(({ value }) => value)).toEqual([1, 0])
    expect(without.get('halyard_backup_age_seconds')!.samples).toEqual([])

    const used = (expressions: string[]) =>
      new Set(expressions.flatMap((expression) => expression.match(/halyard_\w+/g) ?? []))
    const { panels } = JSON.parse(dashboard) as { panels: { targets: { expr: string }[] }[] }
    const known = new Set(families.keys())
    const shown = used(panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)))
    const alerted = used([...alerts.matchAll(/^ +expr: (.*)$/gm)].map(([, expression]) => expression!))
    expect(shown.size).toBeGreaterThan(15)
    expect(alerted.size).toBeGreaterThan(8)
    expect([...shown, ...alerted].filter((name) => !known.has(name))).toEqual([])
  })
})

describe('data points of requests', () => {
  it('are one for each request, without anything of a user', async () => {
    const points: AnalyticsEngineDataPoint[] = []
    const REQUESTS = { writeDataPoint: (point) => void points.push(point!) } satisfies AnalyticsEngineDataset
    const harness = createHarness({ bindings: { REQUESTS } })
    const tenant = await createTenant({ harness })
    points.length = 0
    await tenant.get(tenant.flags('secret-name/?search=ada%40example.com'))
    await harness.send('POST', '/flags/?v=2', { body: { token: tenant.projectToken, distinct_id: 'ada' } })
    await harness.send('GET', '/no/such/ada@example.com')
    expect(points).toEqual(
      [
        ['feature_flags', '/api/projects/:project_id/feature_flags/:id/', 'GET', '404'],
        ['flags', '/flags/', 'POST', '200'],
        ['other', 'none', 'GET', '404'],
      ].map((blobs) => ({
        indexes: [blobs[0]],
        blobs,
        doubles: [expect.any(Number), expect.any(Number), expect.any(Number), expect.any(Number)],
      })),
    )
    const failing = { writeDataPoint: () => { throw new Error('too many') } } // prettier-ignore
    expect((await createHarness({ bindings: { REQUESTS: failing } }).send('GET', '/health')).status).toBe(200)
    expect(areaOf('/api/organizations/:organization_id/invites/')).toBe('invites')
    expect(areaOf('/api/users/:uuid/')).toBe('users')
  })
})
