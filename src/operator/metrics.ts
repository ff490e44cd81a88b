// Writes the state of the deployment in the text format of Prometheus. One list has every metric.
import type * as z from 'zod'
import type { InstanceStatus } from './instance-status-record'

type Status = z.output<typeof InstanceStatus>

interface Sample {
  labels?: Readonly<Record<string, string>>
  /** The value. Null means that it is unknown, and the metric is left out. */
  value: number | null
}

interface Metric {
  name: string
  help: string
  samples(status: Status, now: Date): Sample[]
}

const secondsSince = (at: string | null, now: Date): number =>
  at === null ? 0 : Math.max(0, (now.getTime() - Date.parse(at)) / 1000)

const one = (value: number | null): Sample[] => [{ value }]

const ofDatabases =
  (valueOf: (database: Status['databases'][number]) => number | null): Metric['samples'] =>
  ({ databases }) =>
    databases.map((database) => ({
      labels: { database: database.name, plane: database.plane },
      value: valueOf(database),
    }))

const ofQueues =
  (valueOf: (queue: Status['queues'][number], now: Date) => number | null): Metric['samples'] =>
  ({ queues }, now) =>
    queues.map((queue) => ({ labels: { queue: queue.name }, value: valueOf(queue, now) }))

/** The metrics, all of which are gauges. */
const METRICS: readonly Metric[] = [
  {
    name: 'halyard_info',
    help: 'Version of the service.',
    samples: ({ version }) => [{ labels: { version }, value: 1 }],
  },
  {
    name: 'halyard_database_up',
    help: 'Whether the database responded within 3 seconds.',
    samples: ofDatabases(({ bytes }) => (bytes === null ? 0 : 1)),
  },
  {
    name: 'halyard_database_size_bytes',
    help: 'Size of the database.',
    samples: ofDatabases(({ bytes }) => bytes),
  },
  {
    name: 'halyard_database_max_bytes',
    help: 'Limit of the database: DATABASE_MAX_BYTES.',
    samples: ofDatabases(({ max_bytes: max }) => max),
  },
  {
    name: 'halyard_outbox_tasks',
    help: 'Work in other systems that committed changes still have to do; 10,000 stands for more.',
    samples: ({ outbox }) => one(outbox.tasks),
  },
  {
    name: 'halyard_outbox_due_tasks',
    help: 'Tasks that the trigger of the minute repeats.',
    samples: ({ outbox }) => one(outbox.due),
  },
  {
    name: 'halyard_outbox_oldest_task_age_seconds',
    help: 'Age of the oldest task; 0 for none.',
    samples: ({ outbox }, now) => one(secondsSince(outbox.oldest_created_at, now)),
  },
  {
    name: 'halyard_outbox_max_attempts',
    help: 'Most attempts of a task.',
    samples: ({ outbox }) => one(outbox.most_attempts),
  },
  {
    name: 'halyard_materializations_due',
    help: 'Builds of materialized rows that are due.',
    samples: ({ materializations }) => one(materializations.due),
  },
  {
    name: 'halyard_materializations_due_age_seconds',
    help: 'Since when the oldest of them is due; 0 for none.',
    samples: ({ materializations }, now) => one(secondsSince(materializations.due_since, now)),
  },
  {
    name: 'halyard_materializations_building',
    help: 'Builds that run.',
    samples: ({ materializations }) => one(materializations.building),
  },
  {
    name: 'halyard_materializations_failed',
    help: 'Materializations whose last build failed.',
    samples: ({ materializations }) => one(materializations.failed),
  },
  {
    name: 'halyard_request_error_ratio',
    help: 'Share of errors among the last 500 requests of the isolate that answers the scrape: a sample.',
    samples: ({ requests }) => one(requests.recent_error_rate),
  },
  {
    name: 'halyard_request_p95_seconds',
    help: 'Duration that 95 % of the same requests stay below.',
    samples: ({ requests }) => one(requests.recent_p95_ms / 1000),
  },
  {
    name: 'halyard_webhooks_paused',
    help: 'Webhooks that the service has paused, because they failed.',
    samples: ({ automation }) => one(automation.webhooks_paused),
  },
  {
    name: 'halyard_webhooks_failing',
    help: 'Active webhooks whose last attempt failed.',
    samples: ({ automation }) => one(automation.webhooks_failing),
  },
  {
    name: 'halyard_webhook_deliveries',
    help: 'Deliveries of webhooks that wait; 10,000 stands for more.',
    samples: ({ automation }) => one(automation.deliveries),
  },
  {
    name: 'halyard_webhook_deliveries_due_age_seconds',
    help: 'Since when the longest due of them is; 0 for none.',
    samples: ({ automation }, now) => one(secondsSince(automation.deliveries_due_since, now)),
  },
  {
    name: 'halyard_scheduled_changes_overdue',
    help: 'Scheduled changes whose time has passed.',
    samples: ({ automation }) => one(automation.scheduled_changes_overdue),
  },
  {
    name: 'halyard_scheduled_changes_overdue_age_seconds',
    help: 'Since when the first of them is due; 0 for none.',
    samples: ({ automation }, now) => one(secondsSince(automation.scheduled_changes_overdue_since, now)),
  },
  {
    name: 'halyard_change_requests_pending',
    help: 'Change requests that wait for approval.',
    samples: ({ automation }) => one(automation.change_requests),
  },
  {
    name: 'halyard_queue_messages',
    help: 'Messages that wait in the queue.',
    samples: ofQueues(({ messages }) => messages),
  },
  {
    name: 'halyard_queue_oldest_message_age_seconds',
    help: 'Age of the oldest message; 0 for none.',
    samples: ofQueues(({ messages, oldest_at: at }, now) =>
      messages === null ? null : secondsSince(at, now),
    ),
  },
  {
    name: 'halyard_snapshots_behind',
    help: 'Of the newest 20 projects, those whose flags in KV are older than in the main database.',
    samples: ({ snapshots }) =>
      one(snapshots.filter((each) => (each.published_generation ?? Infinity) < each.generation).length),
  },
  {
    name: 'halyard_snapshot_age_seconds',
    help: 'Of the newest 20 projects, when its flags were last put into KV, at most; those of projects in use are put once an hour.',
    samples: ({ snapshots }, now) =>
      one(Math.max(0, ...snapshots.map(({ checked_at: at }) => secondsSince(at, now)))),
  },
  {
    name: 'halyard_backup_age_seconds',
    help: 'Since the last scheduled backup was finished. Absent without one.',
    samples: ({ backup }, now) => one(backup?.finished_at ? secondsSince(backup.finished_at, now) : null),
  },
  {
    name: 'halyard_backup_size_bytes',
    help: 'Compressed size of the last scheduled backup. Absent without one.',
    samples: ({ backup }) => one(backup?.bytes ?? null),
  },
  {
    name: 'halyard_backup_failed',
    help: 'Whether the last run of a scheduled backup failed. Absent without a bucket.',
    samples: ({ backup }) => one(backup ? (backup.failed_at ? 1 : 0) : null),
  },
]

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

/** Writes metrics in the format of https://prometheus.io/docs/instrumenting/exposition_formats/ */
export function metricsText(status: Status, now: Date): string {
  return METRICS.map(({ name, help, samples }) => {
    const lines = samples(status, now).flatMap(({ labels = {}, value }) => {
      if (value === null) return []
      const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
      return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`
    })
    return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`
  }).join('')
}
