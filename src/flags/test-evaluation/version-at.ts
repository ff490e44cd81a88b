// Which version a flag was at a moment (reference/flags-api.md §11). Pure.
import type { ActivityVerb } from '../../activity/entry'
import type { Origin, VersionEntry } from '../versions'

export interface DatedEntry extends VersionEntry {
  activity: ActivityVerb
}

/**
 * The version that was current at `moment` (stored form), or null when the flag was not there: not made yet, or deleted.
 * @param entries newest first, those that can carry a version.
 */
export function versionAt(origin: Origin, entries: readonly DatedEntry[], moment: string): number | null {
  if (moment < origin.createdAt) return null
  const past = entries.filter(({ createdAt }) => createdAt <= moment)
  // A deleted flag can be updated, and is deleted still.
  if (past.find(({ activity }) => activity !== 'updated')?.activity === 'deleted') return null
  const step = past.flatMap(({ changes }) => changes).find(({ field }) => field === 'version')
  if (step) return Number(step.after)
  return moment >= origin.updatedAt ? origin.state.version : 1
}
