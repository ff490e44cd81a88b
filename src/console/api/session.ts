// What happens when the session ends while a page is open: requests wait until the person has signed in again.
import { useSyncExternalStore } from 'react'

let waiting: (() => void)[] = []
const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}

/** Resolves when the person has signed in again. */
export const signedInAgain = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    notify()
  })

/** Sends the requests that wait. */
export function continueSession(): void {
  const resumed = waiting
  waiting = []
  for (const resume of resumed) resume()
  notify()
}

/** Whether requests wait for a sign-in. */
export const useSessionEnded = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => waiting.length > 0,
  )
