// Keeps the state of an edit: the loaded state, and the draft.
import { useEffect, useState } from 'react'
import { pick } from './changed-fields'
import { readDraft } from './stored-draft'
import { useStoredDraft } from './use-stored-draft'
import { useUnsaved } from './use-unsaved'

export interface DraftRules<T, D> {
  /** The unique name of the edited item, such as `flag 12`. */
  name: string
  draftOf(loaded: T): D
  changedFields(before: D, after: D): (keyof D)[]
  /** Whether `loaded` is another state than `base`. */
  hasMoved(loaded: T, base: T): boolean
}

/**
 * Keeps an edit of `loaded` while others may change it: the edit stays based on the state that was loaded when it began. It asks before the
 * page is left with changes, which outlive a reload.
 */
export function useDraft<T, D extends object>(
  loaded: T,
  { name, draftOf, changedFields, hasMoved }: DraftRules<T, D>,
) {
  const [stored] = useState(() => readDraft<T, D>(name, Object.keys(draftOf(loaded))))
  const [base, setBase] = useState(stored?.base ?? loaded)
  const [draft, setDraft] = useState(stored?.draft ?? draftOf(loaded))
  const changed = changedFields(draftOf(base), draft)
  const isChanged = changed.length > 0
  const follows = !isChanged && hasMoved(loaded, base)

  useEffect(() => {
    if (!follows) return
    setBase(loaded)
    setDraft(draftOf(loaded))
  }, [loaded, follows, draftOf])

  useStoredDraft(name, isChanged, base, draft)

  const blocker = useUnsaved(isChanged)
  return {
    base,
    draft,
    setDraft,
    changed,
    isChanged,
    blocker,
    /** Bases the edit on what was saved. What has changed since `sent` stays. */
    saved(to: T, sent: D) {
      setBase(to)
      setDraft((now) => ({ ...draftOf(to), ...pick(now, changedFields(sent, now)) }))
    },
    /** Restarts the edit from another state, with a draft of it. */
    reset(to: T, next: D = draftOf(to)) {
      setBase(to)
      setDraft(next)
    },
  }
}
