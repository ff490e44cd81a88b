import { say, sayProblem } from '../design/popups/toast'

export interface Action {
  /** Shows the outcome before the service confirms it; `revert` takes that back. */
  show?(): void
  revert?(): void
  change(): Promise<unknown>
  said: string
  undo?: Action
  /** Says what an error means. @returns false for any other error */
  sayError?(error: unknown): boolean
  /** Whether a failure offers another attempt. Default: true. */
  hasRetry?: boolean
}

/** Makes a change and says so, or what failed. @returns whether it is made. */
export async function doing(action: Action): Promise<boolean> {
  const { hasRetry = true } = action
  action.show?.()
  try {
    await action.change()
  } catch (error) {
    action.revert?.()
    if (!action.sayError?.(error)) sayProblem(error, hasRetry ? () => void doing(action) : undefined)
    return false
  }
  sayDone(action.said, action.undo)
  return true
}

/** Says that a change is made, with what undoes it. */
export const sayDone = (said: string, undo?: Action): void => void say(said, undo && (() => void doing(undo)))
