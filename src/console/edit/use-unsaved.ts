import { useBlocker } from '@tanstack/react-router'

export type LeaveBlocker = ReturnType<typeof useUnsaved>

/** Returns what asks before the page is left, while something on it is not saved. */
export const useUnsaved = (isUnsaved: boolean) =>
  useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  })
