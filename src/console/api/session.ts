// Holds requests back when the session no longer allows them while a page is open. They wait until the user has signed in again.
import { createStore } from '../design/store'

/**
 * What the user has to do: sign in, because the session has ended or a sensitive change needs a recent sign-in, or set up the second factor
 * that an organization now requires.
 */
export type Interruption = 'sign-in' | 'recent-sign-in' | 'two-factor'

/** Why requests wait, or null when none do. */
export const interruption = createStore<Interruption | null>(null)
let waiting: (() => void)[] = []

/** Resolves when the user has done it. */
export const resumed = (step: Interruption): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    interruption.set(step)
  })

/** Sends the waiting requests. */
export function continueSession(): void {
  const ready = waiting
  waiting = []
  for (const resume of ready) resume()
  interruption.set(null)
}
