// The quota of a project's flag definitions. Readers at the edge hold all of them: what one project publishes must not fill the memory of
// an isolate that serves others.
import { Buffer } from 'node:buffer'
import { type SQL, sql } from 'drizzle-orm'
import { cohorts, projects } from '../../drizzle'
import { ApiError, invalid } from '../errors'
import { jsonBytes } from '../json-bytes'
import type { Database } from '../storage/database'

/**
 * The most bytes of filters, names and evaluation contexts of a project's live flags. Compiled, they usually take some 30 MB of an
 * isolate's 128 MB, and at worst 64 MB (`HEAP_PER_VALUE` in snapshots/render.ts says how that was measured). Beside the caches and the
 * requests of other projects, there is no memory for more.
 */
export const MAX_DEFINITION_BYTES = 8 * 1024 * 1024

/** Flags of up to this size are always written. The maximum number of them in a project stays well below MAX_READ_BYTES. */
const SMALL_DEFINITION_BYTES = 2 * 1024

/** Bytes past which the flags of a project are not read. They are a third more than small flags can have together. */
const MAX_READ_BYTES = 16 * 1024 * 1024

/** Bytes past which the cohorts of a project are not read. */
const MAX_READ_COHORT_BYTES = 8 * 1024 * 1024

/** Bytes that a cohort counts besides its filters, because reading thousands of rows takes time, too. */
const COHORT_BYTES = 1024

const COHORT_SIZE = sql`total(coalesce(octet_length(filters), 0) + ${COHORT_BYTES})`

interface Definition {
  filters: unknown
  name: string
  contexts: readonly string[]
}

/** Returns the bytes of a flag as it is stored, which triggers add to `projects.definition_bytes`. */
const bytesOf = ({ filters, name, contexts }: Definition): number =>
  jsonBytes(filters) +
  contexts.reduce((sum, context) => sum + Buffer.byteLength(context), Buffer.byteLength(name))

/**
 * Returns what a write adds to the bytes of a project's flags. A small flag, and one that does not become larger, may always be written.
 * @param used bytes of the project's flags before the write
 * @param before the stored flag; null when it does not count, because it is new or deleted
 * @param after the flag to store; null when the write deletes it
 * @throws 400, attr `filters`, when the flags would have more than MAX_DEFINITION_BYTES
 */
export function addedBytes(used: number, before: Definition | null, after: Definition | null): number {
  if (before && after && isSame(before, after)) return 0
  const replaced = before ? bytesOf(before) : 0
  if (after === null) return -replaced
  const own = bytesOf(after)
  const isLarger = before === null || own > replaced
  const bytes = used + own - replaced
  if (isLarger && own > SMALL_DEFINITION_BYTES && bytes > MAX_DEFINITION_BYTES)
    throw invalid(
      'filters',
      `The flags of this project would take ${bytes} bytes: their filters, names and evaluation contexts may have at most ${MAX_DEFINITION_BYTES} bytes together. ` +
        'Delete flags that are not used, or shorten payloads and lists of values.',
    )
  return own - replaced
}

const isSame = (before: Definition, after: Definition): boolean =>
  after.filters === before.filters && after.name === before.name && after.contexts === before.contexts

/** Selects the bytes of a project's cohorts, without the one that is about to be written. */
export const selectCohortBytes = (db: Database, projectId: number, self: number | null) =>
  db
    .select({ bytes: sql<number>`${COHORT_SIZE}`.as('bytes') })
    .from(cohorts)
    .where(sql`project_id = ${projectId} AND deleted = 0 AND id IS NOT ${self}`)

/**
 * Checks that a cohort with these filters fits the quota.
 * @param others bytes of the other cohorts of the project
 * @throws 400, attr `filters`
 */
export function requireRoomForCohort(others: number, filters: unknown): void {
  const bytes = others + COHORT_BYTES + (filters === null ? 0 : jsonBytes(filters))
  if (bytes > MAX_READ_COHORT_BYTES)
    throw invalid(
      'filters',
      `The cohorts of this project would take ${bytes} bytes: their filters may have at most ${MAX_READ_COHORT_BYTES} bytes together, ` +
        `and ${COHORT_BYTES} count for each cohort. Delete cohorts that are not used, or shorten lists of values.`,
    )
}

/**
 * Returns a condition that fails the whole batch when those of a project are too large to be read: text that is not JSON is an
 * error.
 */
export const isReadable = (projectId: number): SQL =>
  isWithin(
    sql`(SELECT ${projects.definitionBytes} FROM ${projects} WHERE ${projects.id} = ${projectId})`,
    MAX_READ_BYTES,
  )

/** Returns the same condition on cohorts. */
export const areCohortsReadable = (projectId: number): SQL =>
  isWithin(
    sql`(SELECT ${COHORT_SIZE} FROM cohorts WHERE project_id = ${projectId} AND deleted = 0)`,
    MAX_READ_COHORT_BYTES,
  )

const isWithin = (bytes: SQL, maxBytes: number): SQL =>
  sql`json(CASE WHEN ${bytes} <= ${maxBytes} THEN '1' ELSE 'too large' END)`

/**
 * Awaits a batch with `isReadable` in it.
 * @throws 503 when the definitions are too large to be read
 */
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
