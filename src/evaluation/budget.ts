// Limits the work of one evaluation. The work is counted, because a Worker cannot measure time while it computes.

/**
 * Maximum steps of one request. A step takes 20 to 100 ns, so that a request for nothing but hostile filters takes half a second to a
 * second. 2,000 flags, each with a regular expression that the isolate has not compiled yet, take two thirds of the steps.
 */
export const MAX_EVALUATION_STEPS = 12_000_000

/**
 * The steps that an evaluation has left. Everything of which a definition can have many spends steps before it works: flags, dependencies,
 * conditions, filters, parts of cohorts, and hashes. Regular expressions and long texts spend more. What has not enough steps has no
 * result, and its flag fails.
 */
export class EvaluationBudget {
  #left: number
  #exceeded = 0
  #stopped = 0

  constructor(steps = MAX_EVALUATION_STEPS) {
    this.#left = steps
  }

  get left(): number {
    return this.#left
  }

  /** The number of times that steps were missing. A flag fails when this grows while it is evaluated. */
  get exceeded(): number {
    return this.#exceeded
  }

  /** Takes steps for the work that follows, or returns false and counts as exceeded. */
  spend(steps: number): boolean {
    if (steps > this.#left) {
      this.exceed()
      return false
    }
    this.#left -= steps
    return true
  }

  /** Corrects the steps taken, once the cost is known. A negative number takes more. */
  giveBack(steps: number): void {
    this.#left = Math.max(0, this.#left + steps)
  }

  /** The number of matches that stopped at their own limit. They have no result, and no flag fails because of them. */
  get stopped(): number {
    return this.#stopped
  }

  stop(): void {
    this.#stopped += 1
  }

  exceed(): void {
    this.#exceeded += 1
  }
}
