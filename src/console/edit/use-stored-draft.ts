import { useEffect, useState } from 'react'
import { readDraft, removeDraft, writeDraft } from './stored-draft'

/** Stores a draft as long as it is changed, until its page is left. */
export function useStoredDraft<T, D>(name: string, isChanged: boolean, base: T, draft: D): void {
  useEffect(() => {
    if (isChanged) writeDraft(name, { base, draft })
    else removeDraft(name)
  }, [name, isChanged, base, draft])
  useEffect(() => {
    const { pathname } = location
    return () => {
      // A page that fails is still at its address, so that its draft is kept.
      if (location.pathname !== pathname) removeDraft(name)
    }
  }, [name])
}

/**
 * Keeps the draft of something new, which outlives a reload.
 * @param name that no other form has
 */
export function useNewDraft<D extends object>(name: string, initial: D) {
  const [empty] = useState(initial)
  const [draft, setDraft] = useState(() => readDraft<null, D>(name, Object.keys(empty))?.draft ?? empty)
  const isChanged = JSON.stringify(draft) !== JSON.stringify(empty)
  useStoredDraft(name, isChanged, null, draft)
  return { draft, setDraft, isChanged }
}
