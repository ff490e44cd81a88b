// Holds requests back when the session no longer allows them while a page is open. They wait until the user has signed in again.
import { useSyncExternalStore } from 'react'

/**
 * What the user has to do: sign in, because the session has ended or a sensitive change needs a recent sign-in, or set up the second factor
 * that an organization now requires.
 */
export type Interruption = 'sign-in' | 'recent-sign-in' | 'two-factor'

let reason: Interruption | null = null
let waiting: (() => void)[] = []
const listeners = new Set<() => void>()

function setReason(next: Interruption | null): void {
  reason = next
  for (const listener of listeners) listener()
}

/** Resolves when the user has done it. */
export const resumed = (interruption: Interruption): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    setReason(interruption)
  })

/** Sends the waiting requests. */
export function continueSession(): void {
  const ready = waiting
  waiting = []
  for (const resume of ready) resume()
  setReason(null)
}

/** Returns why requests wait, or null when none do. */
export const useInterruption = (): Interruption | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => reason,
  )
