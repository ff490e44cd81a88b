// Serves `/metrics` for Prometheus, only with a secret of the deployment, METRICS_TOKEN. One list has every metric.
import { Hono } from 'hono'
import type * as z from 'zod'
import { equalsInConstantTime } from '../auth/constant-time'
import { notAuthenticated, notFound } from '../errors'
import type { AppEnv } from '../http/app-env'
import { rejectOtherMethods } from '../http/other-methods'
import { readInstanceStatus } from './instance-status'
import type { InstanceStatus } from './instance-status-record'

const PATH = '/metrics'
const MIN_TOKEN_LENGTH = 16

export function metricsRoutes(): Hono<AppEnv> {
  const router = new Hono<AppEnv>()
  router.get(PATH, async (c) => {
    c.set('route', PATH)
    const deps = c.get('deps')
    const token = deps.env.METRICS_TOKEN ?? ''
    if (token.length < MIN_TOKEN_LENGTH) throw notFound()
    const [scheme = '', sent = ''] = (c.req.header('Authorization') ?? '').split(' ', 2)
    if (scheme.toLowerCase() !== 'bearer' || !equalsInConstantTime(sent, token)) throw notAuthenticated()
    const text = metricsText(await readInstanceStatus(deps), deps.clock.now())
    return c.body(text, 200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
  })
  rejectOtherMethods(router, PATH, ['GET'])
  return router
}

type Status = z.output<typeof InstanceStatus>

/** A value. Null means that it is unknown, and the sample is left out. */
type Value = number | null

interface Sample {
  labels?: Readonly<Record<string, string>>
  value: Value
}

type Metric = readonly [help: string, samples: Value | readonly Sample[]]

/** Returns the metrics by name. All are gauges. */
function metricsOf(status: Status, now: Date): Record<string, Metric> {
  const { outbox, materializations, requests, automation, snapshots, backup } = status
  const since = (at: string | null): number =>
    at === null ? 0 : Math.max(0, (now.getTime() - Date.parse(at)) / 1000)
  const ofDatabases = (valueOf: (database: Status['databases'][number]) => Value): Sample[] =>
    status.databases.map((database) => ({
      labels: { database: database.name, plane: database.plane },
      value: valueOf(database),
    }))
  const ofQueues = (valueOf: (queue: Status['queues'][number]) => Value): Sample[] =>
    status.queues.map((queue) => ({ labels: { queue: queue.name }, value: valueOf(queue) }))
  return {
    halyard_info: ['Version of the service.', [{ labels: { version: status.version }, value: 1 }]],
    halyard_database_up: [
      'Whether the database responded within 3 seconds.',
      ofDatabases(({ bytes }) => (bytes === null ? 0 : 1)),
    ],
    halyard_database_size_bytes: ['Size of the database.', ofDatabases(({ bytes }) => bytes)],
    halyard_database_max_bytes: [
      'Limit of the database: DATABASE_MAX_BYTES.',
      ofDatabases(({ max_bytes: max }) => max),
    ],
    halyard_outbox_tasks: [
      'Work in other systems that committed changes still have to do; 10,000 stands for more.',
      outbox.tasks,
    ],
    halyard_outbox_due_tasks: ['Tasks that the trigger of the minute repeats.', outbox.due],
    halyard_outbox_oldest_task_age_seconds: [
      'Age of the oldest task; 0 for none.',
      since(outbox.oldest_created_at),
    ],
    halyard_outbox_max_attempts: ['Most attempts of a task.', outbox.most_attempts],
    halyard_materializations_due: ['Builds of materialized rows that are due.', materializations.due],
    halyard_materializations_due_age_seconds: [
      'Since when the oldest of them is due; 0 for none.',
      since(materializations.due_since),
    ],
    halyard_materializations_building: ['Builds that run.', materializations.building],
    halyard_materializations_failed: ['Materializations whose last build failed.', materializations.failed],
    halyard_request_error_ratio: [
      'Share of errors among the last 500 requests of the isolate that answers the scrape: a sample.',
      requests.recent_error_rate,
    ],
    halyard_request_p95_seconds: [
      'Duration that 95 % of the same requests stay below.',
      requests.recent_p95_ms / 1000,
    ],
    halyard_webhooks_paused: [
      'Webhooks that the service has paused, because they failed.',
      automation.webhooks_paused,
    ],
    halyard_webhooks_failing: ['Active webhooks whose last attempt failed.', automation.webhooks_failing],
    halyard_webhook_deliveries: [
      'Deliveries of webhooks that wait; 10,000 stands for more.',
      automation.deliveries,
    ],
    halyard_webhook_deliveries_due_age_seconds: [
      'Since when the longest due of them is; 0 for none.',
      since(automation.deliveries_due_since),
    ],
    halyard_scheduled_changes_overdue: [
      'Scheduled changes whose time has passed.',
      automation.scheduled_changes_overdue,
    ],
    halyard_scheduled_changes_overdue_age_seconds: [
      'Since when the first of them is due; 0 for none.',
      since(automation.scheduled_changes_overdue_since),
    ],
    halyard_change_requests_pending: ['Change requests that wait for approval.', automation.change_requests],
    halyard_queue_messages: ['Messages that wait in the queue.', ofQueues(({ messages }) => messages)],
    halyard_queue_oldest_message_age_seconds: [
      'Age of the oldest message; 0 for none.',
      ofQueues(({ messages, oldest_at: at }) => (messages === null ? null : since(at))),
    ],
    halyard_snapshots_behind: [
      'Of the newest 20 projects, those whose flags in KV are older than in the main database.',
      snapshots.filter((each) => (each.published_generation ?? Infinity) < each.generation).length,
    ],
    halyard_snapshot_age_seconds: [
      'Of the newest 20 projects, when its flags were last put into KV, at most; those of projects in use are put once an hour.',
      Math.max(0, ...snapshots.map(({ checked_at: at }) => since(at))),
    ],
    halyard_backup_age_seconds: [
      'Since the last scheduled backup was finished. Absent without one.',
      backup?.finished_at ? since(backup.finished_at) : null,
    ],
    halyard_backup_size_bytes: [
      'Compressed size of the last scheduled backup. Absent without one.',
      backup?.bytes ?? null,
    ],
    halyard_backup_failed: [
      'Whether the last run of a scheduled backup failed. Absent without a bucket.',
      backup ? (backup.failed_at ? 1 : 0) : null,
    ],
  }
}

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

/** Writes metrics in the format of https://prometheus.io/docs/instrumenting/exposition_formats/ */
function metricsText(status: Status, now: Date): string {
  return Object.entries(metricsOf(status, now))
    .map(([name, [help, samples]]) => {
      const all: readonly Sample[] = Array.isArray(samples) ? samples : [{ value: samples }]
      const lines = all.flatMap(({ labels = {}, value }) => {
        if (value === null) return []
        const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
        return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`
      })
      return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`
    })
    .join('')
}
