// The state of an edit: what was loaded, what it became, what is wrong with it.
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Flag } from '../api/client'
import { changedFields, type Draft, draftOf, issuesOf } from './draft'

/**
 * Keeps an edit of `flag` while others may change it: the edit stays based on what was loaded when it began.
 * Asks before the page is left with changes.
 */
export function useDraft(flag: Flag) {
  const [base, setBase] = useState(flag)
  const [draft, setDraft] = useState(() => draftOf(flag))
  const changed = changedFields(draftOf(base), draft)
  const isChanged = changed.length > 0

  // Without changes, the form follows the flag.
  useEffect(() => {
    if (isChanged || flag.version === base.version) return
    setBase(flag)
    setDraft(draftOf(flag))
  }, [flag, isChanged, base.version])

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
    issues: issuesOf(draft),
    blocker,
    /** Starts again from a flag, with a draft of it. */
    reset(to: Flag, next: Draft = draftOf(to)) {
      setBase(to)
      setDraft(next)
    },
  }
}
