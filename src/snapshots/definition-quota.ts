// How large the flag definitions of a project may be together. Readers at the edge hold all of them: what one project publishes must not fill
// the memory of an isolate that serves others.
import { Buffer } from 'node:buffer'
import { type SQL, sql } from 'drizzle-orm'
import { featureFlags } from '../../drizzle'
import { ApiError, invalid } from '../errors'
import { jsonBytes } from '../json-bytes'
import { bytesOf } from '../storage/byte-page'
import { type Database, isGuardFailure } from '../storage/database'

/**
 * Bytes of filters, names and evaluation contexts that the live flags of a project may have together. Compiled, they take some 30 MB of an
 * isolate's 128 MB when they are as usual, and 64 MB at worst (`HEAP_PER_VALUE` in snapshots/render.ts says how that was measured): with the
 * caches and requests of other projects beside them, more does not fit.
 */
export const MAX_DEFINITION_BYTES = 8 * 1024 * 1024

/** Flags of up to this size are always written. As many of them as a project may have stay well below MAX_READ_BYTES. */
const SMALL_DEFINITION_BYTES = 2 * 1024

/** Bytes past which the flags of a project are not read: a third more than they can have with small ones. */
const MAX_READ_BYTES = 16 * 1024 * 1024

/** The same for its cohorts. */
const MAX_READ_COHORT_BYTES = 8 * 1024 * 1024

/** Bytes of a cohort without its filters. */
const COHORT_BYTES = 64

const SIZE = sql`total(${bytesOf(featureFlags.filters, featureFlags.name)} + (SELECT total(octet_length(c.name))
  FROM flag_evaluation_contexts c WHERE c.flag_id = ${featureFlags}.id))`

const COHORT_SIZE = sql`total(coalesce(octet_length(filters), 0) + ${COHORT_BYTES})`

interface Definition {
  filters: unknown
  name: string
  contexts: readonly string[]
}

/** Bytes of a flag that the quota counts. */
export const definitionBytes = ({ filters, name, contexts }: Definition): number =>
  jsonBytes(filters) + jsonBytes(name) + (contexts.length > 0 ? jsonBytes(contexts) : 0)

/** Bytes of a flag as it is stored. */
const storedBytes = ({ filters, name, contexts }: Definition): number =>
  jsonBytes(filters) +
  contexts.reduce((sum, context) => sum + Buffer.byteLength(context), Buffer.byteLength(name))

/** Bytes that the flags of a project take once a flag is written, as SQL. */
export interface DefinitionUsage {
  readonly bytes: SQL
  /** The condition, for a guard, that the quota allows them. */
  readonly fits: SQL
}

/**
 * What the flags of a project take with a flag as it is about to be written: triggers count those that are stored. Null for a small flag,
 * which always fits.
 * @param before the flag as it is stored; null when it does not count yet.
 */
export function definitionUsage(
  projectId: number,
  before: Definition | null,
  after: Definition,
): DefinitionUsage | null {
  const own = definitionBytes(after)
  if (own <= SMALL_DEFINITION_BYTES) return null
  const added = own - (before ? storedBytes(before) : 0)
  const bytes = sql`(SELECT definition_bytes + ${added} FROM projects WHERE id = ${projectId})`
  return { bytes, fits: sql`${bytes} <= ${MAX_DEFINITION_BYTES}` }
}

/**
 * Runs a write with that condition in its guard. Only when the guard fails, another round trip finds out whether the quota was the reason.
 * @throws 400, attr `filters`, when it was; otherwise what the write throws.
 */
export const explainDefinitionQuota = <T>(
  db: Database,
  usage: DefinitionUsage | null,
  write: () => Promise<T>,
): Promise<T> => explainQuota(db, usage, write, MAX_DEFINITION_BYTES, tooLargeTogether)

async function explainQuota<T>(
  db: Database,
  usage: DefinitionUsage | null,
  write: () => Promise<T>,
  maxBytes: number,
  problem: (bytes: number) => Error,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (usage === null || !isGuardFailure(error)) throw error
    const [row] = await db.select({ bytes: sql<number>`${usage.bytes}`.as('bytes') }).from(sql`(SELECT 1)`)
    throw row && row.bytes > maxBytes ? problem(row.bytes) : error
  }
}

const tooLargeTogether = (bytes: number) =>
  invalid(
    'filters',
    `The flags of this project would take ${bytes} bytes: their filters, names and evaluation contexts may have at most ${MAX_DEFINITION_BYTES} bytes together. ` +
      'Delete flags that are not used, or shorten payloads and lists of values.',
  )

/** What the cohorts of a project take with one as it is about to be written. @param self its id; null while it is created. */
export function cohortUsage(projectId: number, self: number | null, filters: unknown): DefinitionUsage {
  const own = COHORT_BYTES + (filters === null ? 0 : jsonBytes(filters))
  const bytes = sql`((SELECT ${COHORT_SIZE} FROM cohorts WHERE project_id = ${projectId} AND deleted = 0
    AND id IS NOT ${self}) + ${own})`
  return { bytes, fits: sql`${bytes} <= ${MAX_READ_COHORT_BYTES}` }
}

/** As `explainDefinitionQuota`, for cohorts. @throws 400, attr `filters`, when the quota was the reason. */
export const explainCohortQuota = <T>(
  db: Database,
  usage: DefinitionUsage,
  write: () => Promise<T>,
): Promise<T> =>
  explainQuota(db, usage, write, MAX_READ_COHORT_BYTES, (bytes) =>
    invalid(
      'filters',
      `The cohorts of this project would take ${bytes} bytes: their filters may have at most ${MAX_READ_COHORT_BYTES} bytes together, ` +
        `and ${COHORT_BYTES} count for each cohort. Delete cohorts that are not used, or shorten lists of values.`,
    ),
  )

/** A condition on flags that fails the whole batch when those of a project are too large to be read: text that is not JSON is an error. */
export const isReadable = (projectId: number): SQL =>
  isWithin(
    sql`(SELECT ${SIZE} FROM feature_flags WHERE project_id = ${projectId} AND deleted = 0)`,
    MAX_READ_BYTES,
  )

/** The same for cohorts. */
export const areCohortsReadable = (projectId: number): SQL =>
  isWithin(
    sql`(SELECT ${COHORT_SIZE} FROM cohorts WHERE project_id = ${projectId} AND deleted = 0)`,
    MAX_READ_COHORT_BYTES,
  )

const isWithin = (bytes: SQL, maxBytes: number): SQL =>
  sql`json(CASE WHEN ${bytes} <= ${maxBytes} THEN '1' ELSE 'too large' END)`

/** A batch with `isReadable` in it. @throws 503 when the definitions are too large to be read. */
export async function rejectTooLarge<T>(batch: Promise<T>): Promise<T> {
  try {
    return await batch
  } catch (error) {
    throw isMalformedJson(error) ? definitionsTooLarge() : error
  }
}

const definitionsTooLarge = () =>
  new ApiError({
    status: 503,
    type: 'server_error',
    code: 'definitions_too_large',
    detail: `This project has more than ${MAX_READ_BYTES} bytes of flags, or ${MAX_READ_COHORT_BYTES} bytes of cohorts.`,
    headers: { 'Retry-After': '60' },
  })

const isMalformedJson = (error: unknown): boolean =>
  error instanceof Error && (error.message.includes('malformed JSON') || isMalformedJson(error.cause))
