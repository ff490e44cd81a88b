// What the steps of a deployment share, and their result.
import type { Credentials } from '../credentials'
import type { Account } from './account'
import type { ActualState } from './account-state'
import type { DesiredState } from './desired-state'
import type { Ids } from './pinned-config'
import type { Patience } from './ready'

export interface RunOptions {
  account: Account
  desired: DesiredState
  actual: ActualState
  /** Values of secrets that the operator gave. */
  env: Readonly<Record<string, string | undefined>>
  /** Where the service answers, when the operator says so. */
  url?: string
  patience?: Patience
  say(text: string): void
}

export interface Outcome {
  /** Where the service answers; null when it has no address. */
  url: string | null
  /** Made by this run: shown once. */
  credentials: Credentials | null
  /** The file that has them. */
  file: string
  /** What went wrong although every step was run. */
  warnings: string[]
}

export interface StepContext extends RunOptions {
  ids: Ids
  outcome: Outcome
}
