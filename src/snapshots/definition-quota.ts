// The quota of a project's definitions, by the memory that they take compiled. Readers at the edge hold all of them: what one project
// publishes must not fill the memory of an isolate that serves others.
import { Buffer } from 'node:buffer'
import { eq } from 'drizzle-orm'
import { projects } from '../../drizzle'
import { invalid } from '../errors'
import { measureJson } from '../http/body/json-size'
import type { Database } from '../storage/database'

/**
 * The most bytes that the live flags and cohorts of a project may count for together. It is the heap of their compiled form by the estimate
 * below, so that the snapshot of each project fits into MAX_SNAPSHOT_CACHE_BYTES. A byte of text counts for three or more, because a value of
 * KV has at most 25 MiB.
 */
export const MAX_DEFINITION_BYTES = 50_000_000

/**
 * The heap of a compiled definition: per JSON value of its filters, besides one byte per byte of text. Measured for 8 MiB of filters on V8
 * without pointer compression, which Workers use and which halves everything but text: 55 MiB for conditions of 5 filters each (82 bytes
 * per value), 127 MiB for the shortest filters (107 per value), 83 MiB for lists of numbers of 5 digits, 31 MiB for lists of texts, 11 MiB
 * for payloads.
 */
const BYTES_PER_VALUE = 50
/** The least that counts for a byte of text. */
const BYTES_PER_BYTE = 3
/** The heap of a flag's key and other fields, of its cached results, and of their text in responses. */
const BYTES_PER_FLAG = 4_000
/** More than the heap of a cohort without filters, because reading thousands of rows takes time, too. */
const BYTES_PER_COHORT = 1_000

interface FlagContent {
  filters: unknown
  name: string
  contexts: readonly string[]
}

/** Returns the bytes that a flag counts for. Triggers of the main database compute the same, for `projects.definition_bytes`. */
export const flagBytes = ({ filters, name, contexts }: FlagContent): number =>
  contexts.reduce(
    (sum, context) => sum + BYTES_PER_VALUE + textBytes(context),
    BYTES_PER_FLAG + textBytes(name) + filterBytes(filters),
  )

const textBytes = (text: string): number => BYTES_PER_BYTE * Buffer.byteLength(text)

/** Returns the bytes that a cohort counts for, as triggers do. */
export const cohortBytes = (filters: unknown): number =>
  BYTES_PER_COHORT + (filters === null ? 0 : filterBytes(filters))

function filterBytes(filters: unknown): number {
  const text = JSON.stringify(filters)
  const { values } = measureJson(text, { maxDepth: Infinity, maxValues: Infinity })
  return Math.max(textBytes(text), Buffer.byteLength(text) + BYTES_PER_VALUE * values)
}

/**
 * Returns what a write of a flag adds to the bytes of the project's definitions. A flag that does not become larger may always be written.
 * @param used bytes of the project before the write
 * @param before the stored flag; null when it does not count, because it is new or deleted
 * @param after the flag to store; null when the write deletes it
 * @throws 400, attr `filters`, when the definitions would be too large together
 */
export function addedBytes(used: number, before: FlagContent | null, after: FlagContent | null): number {
  if (before && after && isSame(before, after)) return 0
  const added = (after ? flagBytes(after) : 0) - (before ? flagBytes(before) : 0)
  requireRoom(used, added)
  return added
}

const isSame = (before: FlagContent, after: FlagContent): boolean =>
  after.filters === before.filters && after.name === before.name && after.contexts === before.contexts

/** Selects the bytes of a project's definitions. */
export const selectDefinitionBytes = (db: Database, projectId: number) =>
  db.select({ bytes: projects.definitionBytes }).from(projects).where(eq(projects.id, projectId))

/**
 * Checks that a project's definitions fit the quota after a write, or do not grow by it.
 * @param used their bytes before the write
 * @throws 400, attr `filters`
 */
export function requireRoom(used: number, added: number): void {
  if (added > 0 && used + added > MAX_DEFINITION_BYTES)
    throw invalid(
      'filters',
      `The flags and cohorts of this project would count for ${used + added} bytes, and may count for ${MAX_DEFINITION_BYTES} at most: ` +
        `a flag for ${BYTES_PER_FLAG}, a cohort for ${BYTES_PER_COHORT}, and their text for ${BYTES_PER_BYTE} a byte, or, where it is more, for 1 a byte and ` +
        `${BYTES_PER_VALUE} for each JSON value of filters. ` +
        'Delete flags and cohorts that are not used, or shorten payloads and lists of values.',
    )
}
