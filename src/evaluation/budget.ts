// How much work one evaluation may take. Counted, because a Worker cannot measure time while it computes.

/**
 * Steps of one request. A step takes 20 to 100 ns, so that a request for nothing but hostile filters takes half a second to a second. 2,000
 * flags, each with a regular expression that the isolate has not compiled yet, take two thirds of the steps.
 */
export const MAX_EVALUATION_STEPS = 12_000_000

/**
 * The steps that an evaluation has left. Filters whose cost depends on the caller or on the author of a flag (regular expressions, long
 * texts) spend steps before they work. A filter whose steps are refused has no answer, and its flag fails (reference/flags-evaluation.md
 * §2.5, §3.5).
 */
export class EvaluationBudget {
  #left: number
  #refusals = 0

  constructor(steps = MAX_EVALUATION_STEPS) {
    this.#left = steps
  }

  get left(): number {
    return this.#left
  }

  /** Number of refusals so far. A flag fails when this grows while it is evaluated. */
  get refusals(): number {
    return this.#refusals
  }

  /** Takes steps for the work that follows. Returns false, takes nothing and counts a refusal when fewer are left. */
  spend(steps: number): boolean {
    if (steps > this.#left) {
      this.refuse()
      return false
    }
    this.#left -= steps
    return true
  }

  /** Corrects the steps that were taken for work, once its cost is known. A negative number takes more. */
  giveBack(steps: number): void {
    this.#left = Math.max(0, this.#left + steps)
  }

  /** Counts a refusal: an answer is missing. */
  refuse(): void {
    this.#refusals += 1
  }
}
