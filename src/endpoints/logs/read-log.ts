// Reads the run log, newest first (docs/reference/endpoints.md#log-of-runs).
import { and, desc, eq, gt, lt, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { EXAMPLE_ENDPOINT_ID, EXAMPLE_RUN_AT, EXAMPLE_RUN_ID } from '../endpoint-example'
import { endpoints } from '../../../drizzle'
import { endpointLogs } from '../../../drizzle/events'
import type { Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import { dateTime, integer, pageQuery, searchTerm, timestamp } from '../../http/fields'
import { invalidChoice } from '../../http/validation'
import { countOf, totalIn } from '../../storage/count'
import type { Database } from '../../storage/database'
import { toApiTimestamp } from '../../timestamps'
import { endpointNamed } from '../endpoint-rows'
import { MAX_ENTRIES } from './log-entry'

const LEVELS = ['DEBUG', 'LOG', 'INFO', 'WARN', 'ERROR'] as const

const Level = z.enum(LEVELS)

/** Parses a list of levels such as `INFO,ERROR`, in any case. */
const levels = () =>
  z
    .string()
    .transform((text, context) => {
      const words = text.split(',').map((word) => word.trim().toUpperCase())
      const unknown = words.find((word) => !Level.safeParse(word).success)
      if (unknown === undefined) return words
      context.addIssue({
        code: 'custom',
        message: invalidChoice(unknown, Level.options),
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

export const LogRecord = z
  .object({
    log_source_id: z.uuid(),
    instance_id: z.uuid(),
    timestamp: dateTime(),
    level: Level,
    message: z.string(),
  })
  .meta({ id: 'EndpointLogLine' })

export const LogRecordDocs = (): SchemaDocs => ({
  description: 'A run, successful or not. The log never has values of variables.',
  fields: {
    log_source_id: 'Id of the endpoint.',
    instance_id: 'Id of the run: its `execution_id`.',
    timestamp: 'Start of the run (ISO 8601, UTC, microseconds).',
    level: '`INFO` for a successful run, `ERROR` for a failed one. The others do not occur.',
    message:
      'Result of the run, as `key=value`: `path` (`inline`, `materialized` or `materialized_fallback`), `cache` (`hit` or `miss`), `duration_ms`, `rows`, `version`, `error` for a failed one, and the `client_query_id` of the request, if it has one.',
  },
  example: {
    log_source_id: EXAMPLE_ENDPOINT_ID,
    instance_id: EXAMPLE_RUN_ID,
    timestamp: EXAMPLE_RUN_AT,
    level: 'INFO',
    message: 'Endpoint executed · path=inline cache=miss duration_ms=3 rows=2 version=1',
  },
})

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

/** Selects the count and the page. Without filters, both come from the index; filters scan the newest `MAX_ENTRIES`. */
function selectLogPage(db: Database, endpointId: string, query: LogQuery) {
  const isOfEndpoint = eq(endpointLogs.endpointId, endpointId)
  const newest = sql`(SELECT max(l.ordinal) FROM endpoint_logs l WHERE l.endpoint_id = ${endpointId})`
  const oldest = sql`(SELECT min(l.ordinal) FROM endpoint_logs l WHERE l.endpoint_id = ${endpointId})`
  const filter = filterOf(query)
  const entries = db.select().from(endpointLogs).orderBy(desc(endpointLogs.ordinal)).limit(query.limit)
  if (filter) {
    const matching = and(isOfEndpoint, sql`${endpointLogs.ordinal} > ${newest} - ${MAX_ENTRIES}`, filter)
    return [countOf(db, endpointLogs, matching), entries.where(matching).offset(query.offset)] as const
  }
  return [
    db
      .select({ total: sql<number>`coalesce(1 + ${newest} - ${oldest}, 0)`.as('total') })
      .from(sql`(SELECT 1)`),
    entries.where(and(isOfEndpoint, sql`${endpointLogs.ordinal} <= ${newest} - ${query.offset}`)),
  ] as const
}

/** Returns null when the project has no such endpoint. It takes one round trip to each database. */
export async function readLog(
  { db, shardOf }: Pick<Deps, 'db' | 'shardOf'>,
  project: Pick<Project, 'id' | 'store'>,
  name: string,
  query: LogQuery,
): Promise<{ count: number; entries: z.output<typeof LogRecord>[] } | null> {
  const [endpoint] = await db
    .select({ id: endpoints.id })
    .from(endpoints)
    .where(endpointNamed(project.id, name))
  if (!endpoint) return null
  const shard = shardOf(project.store).db
  const [counts, rows] = await shard.batch(selectLogPage(shard, endpoint.id, query))
  return {
    count: totalIn(counts),
    entries: rows.map(({ endpointId, instanceId, timestamp: at, level, message }) => ({
      log_source_id: endpointId,
      instance_id: instanceId,
      timestamp: toApiTimestamp(at),
      level,
      message,
    })),
  }
}
