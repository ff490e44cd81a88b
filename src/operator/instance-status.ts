// Reads the state of a deployment: databases, work that is due, snapshots. Shards, queues, KV and the bucket of backups are probed
// separately, so that one that fails does not hide the others. The main database has the work: without it there is no state.
import { desc, sql } from 'drizzle-orm'
import type * as z from 'zod'
import {
  changeRequests,
  endpointMaterializations,
  outbox,
  projects,
  scheduledChanges,
  webhookDeliveries,
  webhooks,
} from '../../drizzle'
import { version } from '../../package.json'
import type { Actor } from '../auth/actor'
import { within } from '../deadline'
import type { Deps } from '../deps'
import { permissionDenied } from '../errors'
import { documentInKv, type Mark } from '../snapshots/document'
import { maxBytesOf, sizeOf, sizeWarning } from '../storage/database-size'
import { meteredD1 } from '../storage/metered-d1'
import { openShard, shardsOf } from '../storage/shards'
import { type InstanceStatus, MAX_COUNTED, MAX_SNAPSHOTS } from './instance-status-record'
import { toApiTimestamp, toApiTimestampOrNull, toStoredTimestamp } from '../timestamps'

const DEADLINE_MS = 3_000

/** @throws 403 unless the caller is staff and not impersonating */
export function requireStaff(actor: Actor): void {
  if (actor.kind !== 'session' || !actor.user.isStaff || actor.impersonation)
    throw permissionDenied('You are not a staff user, contact your instance admin.')
}

export async function readInstanceStatus(deps: Deps): Promise<z.output<typeof InstanceStatus>> {
  const { db, env, clock } = deps
  const now = clock.now()
  const at = toStoredTimestamp(now)
  const [
    databases,
    queues,
    backup,
    [[tasks], [builds], newest, [hooks], [deliveries], [changes], [requests]],
  ] = await Promise.all([
    sizesOf(deps),
    queuesOf(env),
    backupOf(env),
    db.batch([
      db
        .select({
          total: sql<number>`count(*)`.as('total'),
          due: sql<number>`total(due_at <= ${at})`.as('due'),
          oldest: sql<string | null>`min(created_at)`.as('oldest'),
          attempts: sql<number>`coalesce(max(attempts), 0)`.as('most'),
        })
        // Ids are in the order of time.
        .from(sql`(SELECT * FROM ${outbox} ORDER BY id LIMIT ${MAX_COUNTED})`),
      db
        .select({
          due: sql<number>`total(next_build_at <= ${at})`.as('due'),
          since: sql<string | null>`min(next_build_at) FILTER (WHERE next_build_at <= ${at})`.as('since'),
          building: sql<number>`total(build_until > ${at})`.as('building'),
          failed: sql<number>`total(status = 'Failed')`.as('failed'),
        })
        .from(sql`(SELECT * FROM ${endpointMaterializations} LIMIT ${MAX_COUNTED})`),
      db
        .select({ id: projects.id, name: projects.name, generation: projects.flagsGeneration })
        .from(projects)
        .orderBy(desc(projects.id))
        .limit(MAX_SNAPSHOTS),
      db
        .select({
          paused: sql<number>`total(paused_at IS NOT NULL)`.as('paused'),
          failing: sql<number>`total(is_active AND failing_since IS NOT NULL)`.as('failing'),
        })
        .from(sql`(SELECT * FROM ${webhooks} LIMIT ${MAX_COUNTED})`),
      db
        .select({
          total: sql<number>`count(*)`.as('total'),
          since: sql<string | null>`min(next_attempt_at) FILTER (WHERE next_attempt_at <= ${at})`.as('since'),
        })
        .from(
          sql`(SELECT next_attempt_at FROM ${webhookDeliveries} WHERE next_attempt_at IS NOT NULL
            ORDER BY next_attempt_at LIMIT ${MAX_COUNTED})`,
        ),
      db
        .select({
          total: sql<number>`count(*)`.as('total'),
          since: sql<string | null>`min(due_at)`.as('since'),
        })
        .from(
          sql`(SELECT due_at FROM ${scheduledChanges} WHERE due_at <= ${at} ORDER BY due_at LIMIT ${MAX_COUNTED})`,
        ),
      db
        .select({ total: sql<number>`total(ends_at > ${at})`.as('total') })
        .from(sql`(SELECT ends_at FROM ${changeRequests} WHERE state = 'pending' LIMIT ${MAX_COUNTED})`),
    ]),
  ])
  const marks = await Promise.all(newest.map(({ id }) => orNull(markInKv(env.SNAPSHOTS, id))))
  return {
    version,
    time: toApiTimestamp(at),
    databases,
    outbox: {
      tasks: tasks!.total,
      due: tasks!.due,
      oldest_created_at: toApiTimestampOrNull(tasks!.oldest),
      most_attempts: tasks!.attempts,
    },
    materializations: {
      due: builds!.due,
      due_since: toApiTimestampOrNull(builds!.since),
      building: builds!.building,
      failed: builds!.failed,
    },
    automation: {
      webhooks_paused: hooks!.paused,
      webhooks_failing: hooks!.failing,
      deliveries: deliveries!.total,
      deliveries_due_since: toApiTimestampOrNull(deliveries!.since),
      scheduled_changes_overdue: changes!.total,
      scheduled_changes_overdue_since: toApiTimestampOrNull(changes!.since),
      change_requests: requests!.total,
    },
    queues,
    backup,
    requests: {
      since: apiTimeOrNull(deps.traffic.since),
      total: deps.traffic.requests,
      errors: deps.traffic.errors,
      ...recentOf(deps.traffic.lastMs),
    },
    snapshots: newest.map(({ id, name, generation }, index) => {
      const mark = marks[index]
      return {
        project_id: id,
        project_name: name,
        generation,
        published_generation: mark?.generation ?? null,
        checked_at: mark ? toApiTimestamp(toStoredTimestamp(new Date(mark.checkedAt))) : null,
      }
    }),
  }
}

/** Summarizes recent requests. Without requests, the state is good. */
export function recentOf(lastMs: readonly number[]) {
  const sorted = lastMs.map(Math.abs).sort((a, b) => a - b)
  const errors = lastMs.filter((each) => each < 0 || Object.is(each, -0)).length
  return {
    recent_error_rate: errors / Math.max(1, lastMs.length),
    recent_p95_ms: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0,
  }
}

const orNull = <T>(work: Promise<T>): Promise<T | null> =>
  within(work, DEADLINE_MS, () => new Error(`no response within ${DEADLINE_MS} ms`)).catch(() => null)

const apiTimeOrNull = (date: Date | string | null | undefined): string | null =>
  date ? toApiTimestamp(toStoredTimestamp(new Date(date))) : null

function queuesOf({ INGESTION, BUILDS, WEBHOOKS }: Env) {
  return Promise.all(
    Object.entries({ INGESTION, BUILDS, WEBHOOKS }).map(async ([name, queue]) => {
      const metrics = await orNull((async () => queue.metrics())())
      const messages = metrics?.backlogCount ?? null
      return { name, messages, oldest_at: messages ? apiTimeOrNull(metrics?.oldestMessageTimestamp) : null }
    }),
  )
}

async function backupOf({ BACKUPS: bucket }: Env) {
  if (!bucket) return null
  const { readBackupState } = await import('../storage/backup/scheduled-backup')
  const read = await orNull(readBackupState(bucket))
  if (!read) return null
  const { finished, running, failure } = read.state
  const last = finished.at(-1)
  return {
    finished_at: apiTimeOrNull(last?.finishedAt),
    rows: last?.rows ?? null,
    bytes: last?.bytes ?? null,
    running_since: apiTimeOrNull(running?.startedAt),
    failed_at: apiTimeOrNull(failure?.at),
    error: failure?.error ?? null,
  }
}

/** Reads the mark of a document from KV, without the document's text. */
async function markInKv(kv: KVNamespace, projectId: number): Promise<Mark | null> {
  const found = await documentInKv(kv, projectId)
  await found?.body.cancel()
  return found?.mark ?? null
}

function sizesOf({ env, meter, eventsMeter }: Deps) {
  const maxBytes = maxBytesOf(env)
  const sized = async (name: string, plane: 'main' | 'analytics', d1: () => D1Database) => {
    const bytes = await orNull((async () => sizeOf(d1()))())
    const warning = bytes === null ? null : (sizeWarning(name, bytes, maxBytes)?.detail ?? null)
    return { name, plane, bytes, max_bytes: maxBytes, warning }
  }
  return Promise.all([
    sized('DB', 'main', () => meteredD1(env.DB, meter)),
    ...shardsOf(env).map((shard) =>
      sized(shard, 'analytics', () => openShard(env, shard, eventsMeter, DEADLINE_MS).d1),
    ),
  ])
}
