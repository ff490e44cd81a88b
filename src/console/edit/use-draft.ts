// The state of an edit: what was loaded, and what it became.
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

interface DraftRules<T, D> {
  draftOf(loaded: T): D
  changedFields(before: D, after: D): (keyof D)[]
  /** Whether `loaded` is another state than `base`. */
  hasMoved(loaded: T, base: T): boolean
}

export type LeaveBlocker = ReturnType<typeof useDraft>['blocker']

/** Some fields of a draft. */
export const pick = <D extends object>(draft: D, fields: readonly (keyof D)[]): Partial<D> =>
  Object.fromEntries(fields.map((field) => [field, draft[field]])) as Partial<D>

/**
 * Keeps an edit of `loaded` while others may change it: the edit stays based on what was loaded when it began.
 * Asks before the page is left with changes.
 */
export function useDraft<T, D>(loaded: T, { draftOf, changedFields, hasMoved }: DraftRules<T, D>) {
  const [base, setBase] = useState(loaded)
  const [draft, setDraft] = useState(() => draftOf(loaded))
  const changed = changedFields(draftOf(base), draft)
  const isChanged = changed.length > 0
  const follows = !isChanged && hasMoved(loaded, base)

  useEffect(() => {
    if (!follows) return
    setBase(loaded)
    setDraft(draftOf(loaded))
  }, [loaded, follows, draftOf])

  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: isChanged,
    withResolver: true,
  })
  return {
    base,
    draft,
    setDraft,
    changed,
    isChanged,
    blocker,
    /** Starts again from another state, with a draft of it. */
    reset(to: T, next: D = draftOf(to)) {
      setBase(to)
      setDraft(next)
    },
  }
}
