// How large the flag definitions of a project may be together. Readers at the edge hold all of them: what one project publishes must not fill
// the memory of an isolate that serves others.
import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { featureFlags } from '../../drizzle'
import { ApiError, invalid } from '../errors'
import { jsonBytes } from '../json'
import { bytesOf } from '../storage/byte-page'
import { type Database, isGuardFailure } from '../storage/database'

/** Bytes of filters, names and evaluation contexts that the live flags of a project may have together. */
export const MAX_DEFINITION_BYTES = 8 * 1024 * 1024

/**
 * Flags of up to this size are written without adding up the others, which would read every flag of the project. As many of them as a
 * project may have stay well below MAX_READ_BYTES.
 */
const SMALL_DEFINITION_BYTES = 2 * 1024

/** Bytes past which the definitions of a project are not read: only flags from before the quota can exceed this. */
const MAX_READ_BYTES = 16 * 1024 * 1024

const SIZE = sql`total(${bytesOf(featureFlags.filters, featureFlags.name)} + (SELECT total(octet_length(c.name))
  FROM flag_evaluation_contexts c WHERE c.flag_id = ${featureFlags}.id))`

interface Definition {
  filters: unknown
  name: string
  contexts: readonly string[]
}

/** Bytes of a flag that the quota counts. */
export const definitionBytes = ({ filters, name, contexts }: Definition): number =>
  jsonBytes(filters) + jsonBytes(name) + (contexts.length > 0 ? jsonBytes(contexts) : 0)

/** Bytes of the project's live flags but `self`, as SQL. */
const sizeOfOthers = (projectId: number, self: number | null): SQL =>
  sql`(SELECT ${SIZE} FROM ${featureFlags} WHERE ${and(
    eq(featureFlags.projectId, projectId),
    eq(featureFlags.deleted, false),
    self === null ? undefined : ne(featureFlags.id, self),
  )})`

/**
 * The condition, for a guard, that the project can hold a flag as it is about to be written. Null for a small one, which always fits.
 * @param self id of the flag; null while it is created.
 */
export function fitsDefinitionQuota(projectId: number, self: number | null, flag: Definition): SQL | null {
  const bytes = definitionBytes(flag)
  return bytes <= SMALL_DEFINITION_BYTES
    ? null
    : sql`${sizeOfOthers(projectId, self)} <= ${MAX_DEFINITION_BYTES - bytes}`
}

/**
 * Runs a write with that condition in its guard. Only when the guard fails, another round trip tells whether the quota was the reason.
 * @throws 400, attr `filters`, when it was; otherwise what the write throws.
 */
export async function explainDefinitionQuota<T>(
  db: Database,
  fits: SQL | null,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (fits === null || !isGuardFailure(error)) throw error
    const [row] = await db.select({ fits: sql<number>`${fits}`.as('fits') }).from(sql`(SELECT 1)`)
    throw row?.fits ? error : tooLargeTogether()
  }
}

const tooLargeTogether = () =>
  invalid(
    'filters',
    `The flags of this project are too large together: their filters, names and evaluation contexts may have at most ${MAX_DEFINITION_BYTES} bytes. ` +
      'Delete flags that are not used, or shorten payloads and lists of values.',
  )

/** A condition that fails the whole batch when the definitions of a project are too large to be read: text that is not JSON is an error. */
export const isReadable = (projectId: number): SQL =>
  sql`json(CASE WHEN (SELECT ${SIZE} FROM feature_flags WHERE project_id = ${projectId} AND deleted = 0) <= ${MAX_READ_BYTES}
    THEN '1' ELSE 'too large' END)`

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
    detail: `The flag definitions of this project are larger than ${MAX_READ_BYTES} bytes together.`,
    headers: { 'Retry-After': '60' },
  })

const isMalformedJson = (error: unknown): boolean =>
  error instanceof Error && (error.message.includes('malformed JSON') || isMalformedJson(error.cause))
