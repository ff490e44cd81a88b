// When the session no longer allows requests while a page is open: they wait until the user has signed in again.
import { useSyncExternalStore } from 'react'

/**
 * What the person has to do: sign in, because the session has ended or a sensitive change needs a recent sign-in, or set up the second factor
 * that an organization requires from now on.
 */
export type Interruption = 'sign-in' | 'recent-sign-in' | 'two-factor'

let reason: Interruption | null = null
let waiting: (() => void)[] = []
const listeners = new Set<() => void>()

function setReason(next: Interruption | null): void {
  reason = next
  for (const listener of listeners) listener()
}

/** Resolves when the person has done it. */
export const resumed = (interruption: Interruption): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    setReason(interruption)
  })

/** Sends the requests that wait. */
export function continueSession(): void {
  const ready = waiting
  waiting = []
  for (const resume of ready) resume()
  setReason(null)
}

/** Why requests wait; null when they do not. */
export const useInterruption = (): Interruption | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => reason,
  )
