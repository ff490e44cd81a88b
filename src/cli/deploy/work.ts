// What the steps of a deployment work on, and what comes of them.
import type { Credentials } from '../credentials'
import type { Account } from './account'
import type { Present } from './account-state'
import type { Ids } from './pinned-config'
import type { Patience } from './ready'
import type { Wanted } from './wanted'

export interface Scene {
  account: Account
  wanted: Wanted
  present: Present
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
  /** Where they are kept. */
  file: string
  /** What did not go as it should, although everything was done. */
  warnings: string[]
}

/** What steps work on. */
export interface Work extends Scene {
  ids: Ids
  outcome: Outcome
}
