// The quota of a project's flag definitions. Readers at the edge hold all of them: what one project publishes must not fill the memory of
// an isolate that serves others.
import { Buffer } from 'node:buffer'
import { sql } from 'drizzle-orm'
import { cohorts } from '../../drizzle'
import { invalid } from '../errors'
import { jsonBytes } from '../json-bytes'
import type { Database } from '../storage/database'

/**
 * The most bytes of filters, names and evaluation contexts of a project's live flags. Compiled, they usually take some 30 MB of an
 * isolate's 128 MB, and at worst 64 MB (`HEAP_PER_VALUE` in snapshots/render.ts says how that was measured). Beside the caches and the
 * requests of other projects, there is no memory for more.
 */
export const MAX_DEFINITION_BYTES = 8 * 1024 * 1024

/** Flags of up to this size are also written past MAX_DEFINITION_BYTES, up to MAX_BYTES_WITH_SMALL: as many as a project may have by default. */
const SMALL_DEFINITION_BYTES = 2 * 1024
const MAX_BYTES_WITH_SMALL = 16 * 1024 * 1024

/** The most bytes of a project's cohorts. */
const MAX_COHORT_BYTES = 8 * 1024 * 1024

/** Bytes that a cohort counts besides its filters, because reading thousands of rows takes time, too. */
const COHORT_BYTES = 1024

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
 * Returns what a write adds to the bytes of a project's flags. A flag that does not become larger may always be written.
 * @param used bytes of the project's flags before the write
 * @param before the stored flag; null when it does not count, because it is new or deleted
 * @param after the flag to store; null when the write deletes it
 * @throws 400, attr `filters`, when the flags would be too large together
 */
export function addedBytes(used: number, before: Definition | null, after: Definition | null): number {
  if (before && after && isSame(before, after)) return 0
  const replaced = before ? bytesOf(before) : 0
  if (after === null) return -replaced
  const own = bytesOf(after)
  const isLarger = before === null || own > replaced
  const bytes = used + own - replaced
  const maxBytes = own > SMALL_DEFINITION_BYTES ? MAX_DEFINITION_BYTES : MAX_BYTES_WITH_SMALL
  if (isLarger && bytes > maxBytes)
    throw invalid(
      'filters',
      `The flags of this project would take ${bytes} bytes: their filters, names and evaluation contexts may have at most ${maxBytes} bytes together. ` +
        'Delete flags that are not used, or shorten payloads and lists of values.',
    )
  return own - replaced
}

const isSame = (before: Definition, after: Definition): boolean =>
  after.filters === before.filters && after.name === before.name && after.contexts === before.contexts

/** Selects the bytes of a project's cohorts, without the one that is about to be written. */
export const selectCohortBytes = (db: Database, projectId: number, self: number | null) =>
  db
    .select({
      bytes: sql<number>`total(coalesce(octet_length(filters), 0) + ${COHORT_BYTES})`.as('bytes'),
    })
    .from(cohorts)
    .where(sql`project_id = ${projectId} AND deleted = 0 AND id IS NOT ${self}`)

/**
 * Checks that a cohort with these filters fits the quota.
 * @param others bytes of the other cohorts of the project
 * @throws 400, attr `filters`
 */
export function requireRoomForCohort(others: number, filters: unknown): void {
  const bytes = others + COHORT_BYTES + (filters === null ? 0 : jsonBytes(filters))
  if (bytes > MAX_COHORT_BYTES)
    throw invalid(
      'filters',
      `The cohorts of this project would take ${bytes} bytes: their filters may have at most ${MAX_COHORT_BYTES} bytes together, ` +
        `and ${COHORT_BYTES} count for each cohort. Delete cohorts that are not used, or shorten lists of values.`,
    )
}
