// Reading the log of an endpoint, newest line first (reference/endpoints-api.md §7).
import { and, desc, eq, gt, lt, sql } from 'drizzle-orm'
import * as z from 'zod'
import { endpoints } from '../../../drizzle'
import { endpointLogs } from '../../../drizzle/events'
import type { Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import { dateTime, integer, pageQuery, searchTerm, timestamp } from '../../http/fields'
import { countOf, totalIn } from '../../storage/count'
import type { Database } from '../../storage/database'
import { shown } from '../../timestamps'
import { endpointNamed } from '../rows'
import { MAX_LINES } from './write'

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

/** What filters ask of a line; undefined without any. */
const filterOf = ({ after, before, level, search, instance_id: instanceId }: LogQuery) =>
  and(
    after === undefined ? undefined : gt(endpointLogs.timestamp, after),
    before === undefined ? undefined : lt(endpointLogs.timestamp, before),
    level === undefined
      ? undefined
      : sql`${endpointLogs.level} IN (SELECT value FROM json_each(${JSON.stringify(level)}))`,
    search === undefined ? undefined : sql`instr(lower(${endpointLogs.message}), lower(${search})) > 0`,
    instanceId === undefined ? undefined : eq(endpointLogs.instanceId, instanceId),
  )

/**
 * The statements that count the lines which match, and read a page of them. Without filters every page is an index range, and the ends of
 * the index tell how many lines there are. Filters look at each of the newest MAX_LINES.
 */
function selectLogPage(db: Database, endpointId: string, query: LogQuery) {
  const isOfEndpoint = eq(endpointLogs.endpointId, endpointId)
  const newest = sql`(SELECT max(l.ordinal) FROM endpoint_logs l WHERE l.endpoint_id = ${endpointId})`
  const oldest = sql`(SELECT min(l.ordinal) FROM endpoint_logs l WHERE l.endpoint_id = ${endpointId})`
  const filter = filterOf(query)
  const lines = db.select().from(endpointLogs).orderBy(desc(endpointLogs.ordinal)).limit(query.limit)
  if (filter) {
    const matching = and(isOfEndpoint, sql`${endpointLogs.ordinal} > ${newest} - ${MAX_LINES}`, filter)
    return [countOf(db, endpointLogs, matching), lines.where(matching).offset(query.offset)] as const
  }
  return [
    db
      .select({ total: sql<number>`coalesce(1 + ${newest} - ${oldest}, 0)`.as('total') })
      .from(sql`(SELECT 1)`),
    lines.where(and(isOfEndpoint, sql`${endpointLogs.ordinal} <= ${newest} - ${query.offset}`)),
  ] as const
}

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
  const [counts, rows] = await shard.batch(selectLogPage(shard, endpoint.id, query))
  return {
    count: totalIn(counts),
    lines: rows.map(({ endpointId, instanceId, timestamp: at, level, message }) => ({
      log_source_id: endpointId,
      instance_id: instanceId,
      timestamp: shown(at),
      level,
      message,
    })),
  }
}
