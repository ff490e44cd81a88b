import { describe, expect, it } from 'vitest'
import { bytesWords, concernsOf } from '../../src/console/service/concerns'

/** Of generation 12. */
const snapshot = (name: string, published: number | null, at: string | null) => ({
  project_id: 1,
  project_name: name,
  generation: 12,
  published_generation: published,
  checked_at: at,
})

const WELL = {
  version: '0.1.0',
  time: '2026-03-10T12:00:00Z',
  databases: [{ name: 'DB', plane: 'main' as const, bytes: 1, max_bytes: 10, warning: null }],
  outbox: { tasks: 2, due: 0, oldest_created_at: '2026-03-10T11:59:00Z', most_attempts: 0 },
  materializations: { due: 1, due_since: '2026-03-10T11:58:00Z', building: 1, failed: 0 },
  automation: {
    webhooks_paused: 1,
    webhooks_failing: 1,
    deliveries: 3,
    deliveries_due_since: '2026-03-10T11:58:00Z',
    scheduled_changes_overdue: 1,
    scheduled_changes_overdue_since: '2026-03-10T11:59:00Z',
    change_requests: 2,
  },
  queues: [{ name: 'INGESTION', messages: 3, oldest_at: '2026-03-10T11:59:00Z' }],
  backup: {
    finished_at: '2026-03-09T03:18:00Z',
    rows: 1,
    bytes: 1,
    running_since: null,
    failed_at: null,
    error: null,
  },
  requests: { since: null, total: 3, errors: 0, recent_error_rate: 0, recent_p95_ms: 4 },
  snapshots: [snapshot('Website', 11, '2026-03-10T11:59:00Z'), snapshot('Unread', null, null)],
}

describe('what needs an operator', () => {
  it('is empty while work is done in time', () => {
    expect(concernsOf(WELL)).toEqual([])
  })

  it('is a silent or full database, late work, old snapshots, and failed builds', () => {
    expect(
      concernsOf({
        ...WELL,
        databases: [
          { name: 'DB', plane: 'main', bytes: 8, max_bytes: 10, warning: 'DB holds 8 GB of 10 GB.' },
          { name: 'EVENTS', plane: 'analytics', bytes: null, max_bytes: 10, warning: null },
        ],
        outbox: { tasks: 3, due: 2, oldest_created_at: '2026-03-10T11:00:00Z', most_attempts: 4 },
        materializations: { due: 1, due_since: '2026-03-10T11:00:00Z', building: 0, failed: 2 },
        automation: {
          ...WELL.automation,
          deliveries_due_since: '2026-03-10T11:00:00Z',
          scheduled_changes_overdue_since: '2026-03-10T11:00:00Z',
        },
        queues: [{ name: 'BUILDS', messages: 7, oldest_at: '2026-03-10T11:00:00Z' }],
        backup: { ...WELL.backup, finished_at: '2026-03-08T03:18:00Z', error: 'Error: R2 is away' },
      }),
    ).toEqual([
      'EVENTS did not respond within 3 seconds.',
      'DB holds 8 GB of 10 GB.',
      '2 tasks of the outbox wait for a shard, a queue or a project object.',
      '7 messages of BUILDS wait for more than five minutes.',
      '1 builds of materialized rows are late.',
      '1 scheduled changes are late.',
      '3 deliveries of webhooks wait, some for more than five minutes.',
      'The last build of 2 materializations failed.',
      'The backup does not go on: Error: R2 is away',
      'The last backup is older than two days.',
    ])
  })

  it.each([
    [1_250_000, '1.3 MB'],
    [48_234_496, '48 MB'],
    [7_214_112_768, '7.2 GB'],
  ])('has %d bytes as %s', (bytes, words) => {
    expect(bytesWords(bytes)).toBe(words)
  })
})
