// What a test is given besides the value.

import type { EvaluationBudget } from '../budget'

/** When and where a date is read. */
export interface Moment {
  /** Epoch milliseconds. */
  readonly now: number
  /** IANA name of the project's time zone. */
  readonly timezone: string
}

/** The moment of an evaluation, and the work that it may still do. */
export interface MatchContext extends Moment {
  readonly budget: EvaluationBudget
}
