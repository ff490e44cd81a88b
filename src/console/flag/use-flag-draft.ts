import type { Flag } from '../api/client'
import { useDraft } from '../edit/use-draft'
import { changedFields, type Draft, draftOf, issuesOf } from './draft'

/** The edit of a flag, and what is wrong with it. */
export function useFlagDraft(flag: Flag) {
  const edit = useDraft<Flag, Draft>(flag, {
    name: `flag ${flag.id}`,
    draftOf,
    changedFields,
    hasMoved: (loaded, base) => loaded.version !== base.version,
  })
  return { ...edit, issues: issuesOf(edit.draft) }
}
