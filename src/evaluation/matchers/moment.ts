// The context of a property test.

import type { EvaluationBudget } from '../budget'

/** When and where a date is read. */
export interface Moment {
  /** Epoch milliseconds. */
  readonly now: number
  /** IANA name of the project's time zone. */
  readonly timezone: string
}

/** The moment and the budget of an evaluation. */
export interface MatchContext extends Moment {
  readonly budget: EvaluationBudget
}
