import { mayRepeat, messageOf } from '../api/problem'
import { say, sayProblem } from '../design/popups/toast'
import { Overtaken } from './overtaken'

export interface Action {
  /** The name of what is changed, which the message about a failure has. */
  item?: string
  /** Checks that what is replaced is as the user knows it. @throws Overtaken */
  check?: (() => Promise<void>) | null
  /** Shows the outcome before the service confirms it; `revert` takes that back. */
  show?(): void
  revert?(): void
  change(): Promise<unknown>
  said: string
  undo?: Undo
  /** Says what an error means. @returns false for any other error */
  sayError?(error: unknown): boolean
  /** Whether a failure offers another attempt. Default: true. */
  hasRetry?: boolean
}

/** Takes a change back, unless what the change wrote was changed since. The check is null where it replaces nothing but one of two states. */
export type Undo = Action & Required<Pick<Action, 'check'>>

/** Says which item a failure leaves as it is, and why. */
export const sayUnchanged = (item: string, error: unknown, retry?: () => void): void =>
  sayProblem(`${item} stays as it is: ${messageOf(error)}`, mayRepeat(error) ? retry : undefined)

/** Makes a change and says so, or what failed. @returns whether it is made. */
export async function doing(action: Action): Promise<boolean> {
  const { item, check, hasRetry = true } = action
  let isShown = false
  try {
    if (check) await check()
    action.show?.()
    isShown = true
    await action.change()
  } catch (error) {
    if (isShown) action.revert?.()
    if (action.sayError?.(error)) return false
    const retry = hasRetry && !(error instanceof Overtaken) ? () => void doing(action) : undefined
    if (item === undefined) sayProblem(error, retry)
    else sayUnchanged(item, error, retry)
    return false
  }
  sayDone(action.said, action.undo)
  return true
}

/** Says that a change is made, with what undoes it. */
export const sayDone = (said: string, undo?: Undo): void => void say(said, undo && (() => void doing(undo)))
