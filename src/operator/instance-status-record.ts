// The record of the state of a deployment, and its documentation.
import * as z from 'zod'
import type { SchemaDocs } from '../http/docs/operation-docs'
import { dateTime } from '../http/fields'

/** The most projects whose snapshots are checked. Each is a read of KV. */
export const MAX_SNAPSHOTS = 20

/** The most rows that are counted of each kind, the oldest first. */
export const MAX_COUNTED = 10_000

export const InstanceStatus = z
  .object({
    version: z.string(),
    time: dateTime(),
    databases: z.array(
      z.object({
        name: z.string(),
        plane: z.enum(['main', 'analytics']),
        bytes: z.int().nullable(),
        max_bytes: z.int(),
        warning: z.string().nullable(),
      }),
    ),
    outbox: z.object({
      tasks: z.int(),
      due: z.int(),
      oldest_created_at: dateTime().nullable(),
      most_attempts: z.int(),
    }),
    materializations: z.object({
      due: z.int(),
      due_since: dateTime().nullable(),
      building: z.int(),
      failed: z.int(),
    }),
    automation: z.object({
      webhooks_paused: z.int(),
      webhooks_failing: z.int(),
      deliveries: z.int(),
      deliveries_due_since: dateTime().nullable(),
      scheduled_changes_overdue: z.int(),
      scheduled_changes_overdue_since: dateTime().nullable(),
      change_requests: z.int(),
    }),
    queues: z.array(
      z.object({ name: z.string(), messages: z.int().nullable(), oldest_at: dateTime().nullable() }),
    ),
    backup: z
      .object({
        finished_at: dateTime().nullable(),
        rows: z.int().nullable(),
        bytes: z.int().nullable(),
        running_since: dateTime().nullable(),
        failed_at: dateTime().nullable(),
        error: z.string().nullable(),
      })
      .nullable(),
    requests: z.object({
      since: dateTime().nullable(),
      total: z.int(),
      errors: z.int(),
      recent_error_rate: z.number(),
      recent_p95_ms: z.number(),
    }),
    snapshots: z.array(
      z.object({
        project_id: z.int(),
        project_name: z.string(),
        generation: z.int(),
        published_generation: z.int().nullable(),
        checked_at: dateTime().nullable(),
      }),
    ),
  })
  .meta({ id: 'InstanceStatus' })

export const InstanceStatusDocs = (): SchemaDocs => ({
  description: 'The state of the deployment.',
  fields: {
    version: 'Version of the service.',
    time: 'Time of the response (ISO 8601, UTC).',
    databases: 'Databases of D1: the main one, then the analytics shards.',
    'databases.name': 'Binding in `wrangler.toml`.',
    'databases.plane': '`main` for accounts, flags and persons; `analytics` for events and results.',
    'databases.bytes': 'Size in bytes; null when the database did not respond within 3 seconds.',
    'databases.max_bytes': '`DATABASE_MAX_BYTES`, by default 10 GB.',
    'databases.warning': 'What to do about its size; null below 70 % of the limit.',
    outbox: 'Work in other systems that committed changes still have to do.',
    'outbox.tasks': `All tasks; ${MAX_COUNTED} stands for more.`,
    'outbox.due': 'Tasks that the trigger of the minute repeats: their request did not finish them.',
    'outbox.oldest_created_at': 'Time of the oldest task; null for none.',
    'outbox.most_attempts': 'Most attempts of a task.',
    materializations: 'Materialized rows of saved queries.',
    'materializations.due': 'Builds that are due.',
    'materializations.due_since': 'Since when the oldest of them is; null for none.',
    'materializations.building': 'Builds that run.',
    'materializations.failed': 'Materializations whose last build failed.',
    automation: 'Webhooks, scheduled changes and change requests of all projects.',
    'automation.webhooks_paused': 'Webhooks that the service has paused, because they failed.',
    'automation.webhooks_failing': 'Active webhooks whose last attempt failed.',
    'automation.deliveries': `Deliveries of webhooks that wait; ${MAX_COUNTED} stands for more.`,
    'automation.deliveries_due_since': 'Since when the longest due of them is; null for none.',
    'automation.scheduled_changes_overdue': `Scheduled changes whose time has passed; ${MAX_COUNTED} stands for more.`,
    'automation.scheduled_changes_overdue_since': 'When the first of them was to run; null for none.',
    'automation.change_requests': 'Change requests that wait for approval.',
    queues: 'Queues of the service.',
    'queues.name': 'Binding in `wrangler.toml`.',
    'queues.messages': 'Messages that wait; null where the platform does not say, as on this machine.',
    'queues.oldest_at': 'When the oldest of them was sent; null for none.',
    backup: 'Scheduled backups; null without a bucket, or when it did not respond within 3 seconds.',
    'backup.finished_at': 'When the last one was finished; null for none.',
    'backup.rows': 'Its rows.',
    'backup.bytes': 'Its compressed size.',
    'backup.running_since': 'When the one began that is being written; null for none.',
    'backup.failed_at': 'When a run of it failed; null when the last run did not.',
    'backup.error': 'Why.',
    requests:
      'Requests that the isolate answered which answers this one: a sample. The log and Analytics Engine have all.',
    'requests.since': 'Since when.',
    'requests.total': 'Requests.',
    'requests.errors': 'Those with status 500 or above.',
    'requests.recent_error_rate': 'Share of errors among the last 500, from 0 to 1.',
    'requests.recent_p95_ms': 'Duration that 95 % of the last 500 stay below, in milliseconds.',
    snapshots: `Published flag definitions of the ${MAX_SNAPSHOTS} newest projects.`,
    'snapshots.project_id': 'Id of the project.',
    'snapshots.project_name': 'Name of the project.',
    'snapshots.generation': 'Generation in the main database.',
    'snapshots.published_generation':
      'Generation in KV, at most a minute old; null before the first is published, and while KV fails.',
    'snapshots.checked_at':
      'When they were current, as KV says: within the last hour for a project in use. Null with `published_generation`.',
  },
  example: {
    version: '0.1.0',
    time: '2026-04-02T10:00:00Z',
    databases: [
      { name: 'DB', plane: 'main', bytes: 48_234_496, max_bytes: 10_000_000_000 },
      { name: 'EVENTS', plane: 'analytics', bytes: 812_621_824, max_bytes: 10_000_000_000 },
    ],
    outbox: { tasks: 0, due: 0, most_attempts: 0 },
    materializations: { due: 0, building: 0, failed: 0 },
    automation: {
      webhooks_paused: 0,
      webhooks_failing: 0,
      deliveries: 0,
      scheduled_changes_overdue: 0,
      change_requests: 2,
    },
    queues: ['INGESTION', 'BUILDS', 'WEBHOOKS'].map((name) => ({ name, messages: 0 })),
    backup: { finished_at: '2026-04-02T03:18:00Z', rows: 1_204_311, bytes: 96_112_204 },
    requests: {
      since: '2026-04-02T09:12:00Z',
      total: 4_812,
      errors: 0,
      recent_error_rate: 0,
      recent_p95_ms: 41.2,
    },
    snapshots: [
      {
        project_id: 1,
        project_name: 'Web shop',
        generation: 12,
        published_generation: 12,
        checked_at: '2026-04-02T09:59:48.120000Z',
      },
    ],
  },
})
