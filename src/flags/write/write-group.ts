// Which waiting writes one batch commits: those whose rules do not depend on each other. Pure.
import { referencesIn } from '../filters/analysis'
import type { FlagWrite } from './write-types'

/** Writes that one batch commits: a slow one delays no more than these. */
const MAX_GROUP = 20

/** Larger ones are committed alone: each takes ten times as much memory until its batch ends, before and after, with its version and its log. */
const MAX_SHARED_LENGTH = 50_000

/** UTF-16 units of what a write carries. */
export const lengthOf = ({ body }: Pick<FlagWrite, 'body'>): number => JSON.stringify(body).length

/** What others of the batch may depend on. */
type Kind = 'alone' | 'create' | 'enable' | 'disable' | 'plain'

/** Creates share a batch with creates, and updates with updates that do not enable what others disable. */
const isTogether = (kinds: ReadonlySet<Kind>): boolean =>
  !kinds.has('alone') &&
  !(kinds.has('create') && kinds.size > 1) &&
  !(kinds.has('enable') && kinds.has('disable'))

/** @returns how many of the writes, from the first, are committed together. At least one. */
export function groupLength(writes: readonly FlagWrite[]): number {
  const kinds = new Set<Kind>()
  const alone = writes.slice(0, MAX_GROUP).findIndex((write) => !isTogether(kinds.add(kindOf(write))))
  return alone < 0 ? Math.min(writes.length, MAX_GROUP) : Math.max(alone, 1)
}

function kindOf(write: FlagWrite): Kind {
  const { body, run, approval } = write
  const { flagIds, cohortIds } = referencesIn(body.filters)
  if (lengthOf(write) > MAX_SHARED_LENGTH) return 'alone'
  // Cohorts may have megabytes of filters, which each write reads for itself.
  if (run || approval || flagIds.length > 0 || cohortIds.length > 0) return 'alone'
  if (write.kind === 'create') return 'create'
  const { key, active, deleted, filters } = write.body
  const enables = active === true || deleted === false
  // Other filters may leave out the variant that a flag which is enabled expects.
  const disables = active === false || deleted === true || filters !== undefined
  if (key !== undefined || (enables && disables)) return 'alone'
  if (enables) return 'enable'
  return disables ? 'disable' : 'plain'
}
