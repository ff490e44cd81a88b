// Reading the log of an endpoint, newest line first (reference/endpoints-api.md §7).
import { and, desc, eq, gt, lt, sql } from 'drizzle-orm'
import * as z from 'zod'
import { endpoints } from '../../../drizzle'
import { endpointLogs } from '../../../drizzle/events'
import type { Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import { dateTime, integer, pageQuery, searchTerm, timestamp } from '../../http/fields'
import { shown } from '../../timestamps'
import { endpointNamed } from '../rows'

const LEVELS = ['DEBUG', 'LOG', 'INFO', 'WARN', 'ERROR'] as const

const Level = z.enum(LEVELS)

/** `INFO,ERROR`, in any case. */
const levels = () =>
  z
    .string()
    .transform((text, context) => {
      const words = text.split(',').map((word) => word.trim().toUpperCase())
      const odd = words.find((word) => !Level.safeParse(word).success)
      if (odd === undefined) return words
      context.addIssue({
        code: 'custom',
        message: `"${odd}" is not a valid choice.`,
        params: { code: 'invalid_choice' },
      })
      return z.NEVER
    })
    .meta({ type: 'string' })

export const LogQuery = z.object({
  limit: integer({ min: 1, max: 500 }).default(50),
  offset: pageQuery.offset,
  after: timestamp().optional(),
  before: timestamp().optional(),
  level: levels().optional(),
  search: searchTerm().optional(),
  instance_id: z.string().optional(),
})
export type LogQuery = z.output<typeof LogQuery>

export const LogLine = z
  .object({
    log_source_id: z.uuid(),
    instance_id: z.uuid(),
    timestamp: dateTime(),
    level: Level,
    message: z.string(),
  })
  .meta({ id: 'EndpointLogLine' })

const matching = (endpointId: string, { after, before, level, search, instance_id: instanceId }: LogQuery) =>
  and(
    eq(endpointLogs.endpointId, endpointId),
    after === undefined ? undefined : gt(endpointLogs.timestamp, after),
    before === undefined ? undefined : lt(endpointLogs.timestamp, before),
    level === undefined
      ? undefined
      : sql`${endpointLogs.level} IN (SELECT value FROM json_each(${JSON.stringify(level)}))`,
    search === undefined ? undefined : sql`instr(lower(${endpointLogs.message}), lower(${search})) > 0`,
    instanceId === undefined ? undefined : eq(endpointLogs.instanceId, instanceId),
  )

/** Reads a page of the log, and how many lines match. Null when the project has no such endpoint. One round trip to each database. */
export async function readLog(
  { db, shardOf }: Pick<Deps, 'db' | 'shardOf'>,
  project: Pick<Project, 'id' | 'store'>,
  name: string,
  query: LogQuery,
): Promise<{ count: number; lines: z.output<typeof LogLine>[] } | null> {
  const [endpoint] = await db
    .select({ id: endpoints.id })
    .from(endpoints)
    .where(endpointNamed(project.id, name))
  if (!endpoint) return null
  const shard = shardOf(project.store).db
  const condition = matching(endpoint.id, query)
  const [counts, rows] = await shard.batch([
    shard
      .select({ total: sql<number>`count(*)`.as('total') })
      .from(endpointLogs)
      .where(condition),
    shard
      .select()
      .from(endpointLogs)
      .where(condition)
      .orderBy(desc(endpointLogs.timestamp), desc(endpointLogs.id))
      .limit(query.limit)
      .offset(query.offset),
  ])
  return {
    count: counts[0]?.total ?? 0,
    lines: rows.map(({ endpointId, instanceId, timestamp: at, level, message }) => ({
      log_source_id: endpointId,
      instance_id: instanceId,
      timestamp: shown(at),
      level,
      message,
    })),
  }
}
