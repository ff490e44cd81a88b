// Chooses which waiting writes one batch commits: those whose rules do not depend on each other. The functions are pure.
import { referencesIn } from '../filters/analysis'
import type { FlagWrite } from './write-types'

/** The most writes of one batch, so that a slow write delays only these. */
const MAX_BATCH_WRITES = 20

/**
 * Writes of a longer body are committed alone: until its batch ends, each takes ten times as much memory, for the flag before and after,
 * its version and its activity entry.
 */
const MAX_SHARED_LENGTH = 50_000

/** What a write means for others of its batch. */
type Kind = 'alone' | 'create' | 'enable' | 'disable' | 'plain'

/** Creates share a batch with creates, and updates with updates unless one enables and another disables. */
const isTogether = (kinds: ReadonlySet<Kind>): boolean =>
  !kinds.has('alone') &&
  !(kinds.has('create') && kinds.size > 1) &&
  !(kinds.has('enable') && kinds.has('disable'))

/** A write, and the UTF-16 units of its body. */
export interface SizedWrite {
  write: FlagWrite
  length: number
}

/** @returns how many of the writes, from the first, are committed together; at least one */
export function batchLength(writes: readonly SizedWrite[]): number {
  const kinds = new Set<Kind>()
  const alone = writes.slice(0, MAX_BATCH_WRITES).findIndex((write) => !isTogether(kinds.add(kindOf(write))))
  return alone < 0 ? Math.min(writes.length, MAX_BATCH_WRITES) : Math.max(alone, 1)
}

function kindOf({ write, length }: SizedWrite): Kind {
  const { body, run, approval } = write
  const { flagIds, cohortIds } = referencesIn(body.filters)
  if (length > MAX_SHARED_LENGTH) return 'alone'
  // Cohorts may have megabytes of filters, which each write reads for itself.
  if (run || approval || flagIds.length > 0 || cohortIds.length > 0) return 'alone'
  if (write.kind === 'create') return 'create'
  const { key, active, deleted, filters } = write.body
  const enables = active === true || deleted === false
  // New filters may remove a variant that an enabled flag expects.
  const disables = active === false || deleted === true || filters !== undefined
  if (key !== undefined || (enables && disables)) return 'alone'
  if (enables) return 'enable'
  return disables ? 'disable' : 'plain'
}
