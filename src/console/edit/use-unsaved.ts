import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'

export type LeaveBlocker = ReturnType<typeof useUnsaved>

/** Returns what asks before the page is left, while something on it is not saved. */
export function useUnsaved(isUnsaved: boolean) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  })
  const { status, proceed } = blocker
  // What a save ends while the question is open is answered: the user wants to leave.
  useEffect(() => {
    if (status === 'blocked' && !isUnsaved) proceed()
  }, [status, isUnsaved])
  return blocker
}
