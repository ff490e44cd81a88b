// What an operator looks at: databases, work that is due, snapshots. Each part is probed by itself: one that fails does not hide the others.
import { desc, sql } from 'drizzle-orm'
import * as z from 'zod'
import { endpointMaterializations, outbox, projects } from '../../drizzle'
import { version } from '../../package.json'
import type { Actor } from '../auth/actor'
import { within } from '../deadline'
import type { Deps } from '../deps'
import { permissionDenied } from '../errors'
import type { SchemaDocs } from '../http/docs/operation-docs'
import { dateTime } from '../http/fields'
import { type Pointer, pointerKey } from '../snapshots/manifest'
import { maxBytesOf, sizeOf, sizeWarning } from '../storage/database-size'
import { meteredD1 } from '../storage/metered-d1'
import { openShard, shardsOf } from '../storage/shards'
import { toApiTimestamp, toApiTimestampOrNull, toStoredTimestamp } from '../timestamps'

const DEADLINE_MS = 3_000

/** Projects whose snapshots are looked at: each is a read of KV. */
const MAX_SNAPSHOTS = 20

/** Tasks, and materializations, that are counted: the oldest. */
const MAX_COUNTED = 10_000

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
    snapshots: `Published flag definitions of the ${MAX_SNAPSHOTS} newest projects.`,
    'snapshots.project_id': 'Id of the project.',
    'snapshots.project_name': 'Name of the project.',
    'snapshots.generation': 'Generation in the main database.',
    'snapshots.published_generation':
      'Generation in KV, at most a minute old; null before the first is published, and while KV fails.',
    'snapshots.checked_at': 'When KV last confirmed its generation; null with that.',
  },
  example: {
    version: '0.1.0',
    time: '2026-04-02T10:00:00Z',
    databases: [
      { name: 'DB', plane: 'main', bytes: 48_234_496, max_bytes: 10_000_000_000, warning: null },
      { name: 'EVENTS', plane: 'analytics', bytes: 812_621_824, max_bytes: 10_000_000_000, warning: null },
    ],
    outbox: { tasks: 0, due: 0, oldest_created_at: null, most_attempts: 0 },
    materializations: { due: 0, due_since: null, building: 0, failed: 0 },
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

/** @throws 403 for anybody but staff, and for staff who act as somebody else. */
export function requireStaff(actor: Actor): void {
  if (actor.kind !== 'session' || !actor.user.isStaff || actor.impersonation)
    throw permissionDenied('You are not a staff user, contact your instance admin.')
}

export async function readInstanceStatus(deps: Deps): Promise<z.output<typeof InstanceStatus>> {
  const { db, env, clock } = deps
  const now = clock.now()
  const at = toStoredTimestamp(now)
  const [databases, [[tasks], [builds], newest]] = await Promise.all([
    sizesOf(deps),
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
    ]),
  ])
  const pointers = await Promise.all(newest.map(({ id }) => pointerOf(env.SNAPSHOTS, id)))
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
    snapshots: newest.map(({ id, name, generation }, index) => {
      const pointer = pointers[index]
      return {
        project_id: id,
        project_name: name,
        generation,
        published_generation: pointer?.generation ?? null,
        checked_at: pointer ? toApiTimestamp(toStoredTimestamp(new Date(pointer.checked_at))) : null,
      }
    }),
  }
}

const orNull = <T>(work: Promise<T>): Promise<T | null> =>
  within(work, DEADLINE_MS, () => new Error(`no response within ${DEADLINE_MS} ms`)).catch(() => null)

const pointerOf = (kv: KVNamespace, projectId: number): Promise<Pointer | null> =>
  orNull(kv.get<Pointer>(pointerKey(projectId), 'json'))

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
