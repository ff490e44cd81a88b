// What the forms share that create something.
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { useShortcuts } from '../design/use-shortcuts'

interface CreateForm {
  /** Whether something would be lost by leaving. */
  isChanged: boolean
  hasIssues: boolean
  create: { isPending: boolean; isSuccess: boolean; mutate(): void }
}

/** Asks before the page is left with changes, and creates once nothing is wrong: issues are shown from the first attempt on. */
export function useCreateForm({ isChanged, hasIssues, create }: CreateForm) {
  const [areIssuesShown, setAreIssuesShown] = useState(false)
  const isUnsaved = isChanged && !create.isSuccess
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isUnsaved && !create.isPending && current.pathname !== next.pathname,
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  })
  const submit = () => {
    setAreIssuesShown(true)
    if (!hasIssues) create.mutate()
    else requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  useShortcuts({ 'mod+s': submit })
  return { areIssuesShown, blocker, submit }
}
