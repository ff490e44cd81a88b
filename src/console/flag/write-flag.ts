// Saves an edit of a flag.
import type { Flag } from '../api/client'
import { Problem } from '../api/problem'
import { flagQuery, queryClient } from '../api/queries'
import { say } from '../design/popups/toast'
import { Overtaken } from '../edit/overtaken'
import { sayHeld, showFlag, updateFlag } from '../flags/change-flags'
import { bodyOf, type Draft, draftOf } from './draft'

/**
 * Saves a draft of `base`, or requests approval for it.
 * @returns the saved flag, or `base` when the changes wait for approval
 * @throws Overtaken when another user saved since
 */
export async function writeFlag(projectId: number, base: Flag, draft: Draft): Promise<Flag> {
  try {
    const flag = await updateFlag(projectId, base.id, {
      ...bodyOf(draftOf(base), draft),
      version: base.version,
      original_flag: base as unknown as Record<string, never>,
    })
    showFlag(projectId, flag)
    say(
      flag.deleted && !base.deleted
        ? `${flag.key} saved, but it was deleted: it is off for everyone.`
        : `${flag.key} saved.`,
    )
    return flag
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'approval_required') {
      sayHeld(projectId, error)
      return base
    }
    const current = error.changeRequestId === null ? await overtaking(projectId, base, error) : null
    throw current ? new Overtaken(current) : error
  }
}

/** Returns the flag as another user saved it, where an error means that; null if it cannot be read. */
async function overtaking(projectId: number, base: Flag, error: unknown): Promise<Flag | null> {
  if (!(error instanceof Problem) || error.status !== 409) return null
  const current = await queryClient
    .fetchQuery({ ...flagQuery(projectId, base.id), staleTime: 0 })
    .catch(() => null)
  return current?.version === base.version ? null : current
}
