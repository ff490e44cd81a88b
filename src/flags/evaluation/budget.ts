// How much work one evaluation may take. Counted, because a Worker cannot measure time while it computes.

/**
 * Steps of one request, each some 50 ns at worst: what is left of half a second of CPU time when every filter is hostile. A project of
 * 2,000 flags with a regular expression each, none of which the isolate has seen, takes two thirds of it.
 */
export const MAX_EVALUATION_STEPS = 12_000_000

/**
 * The steps that an evaluation has left. Filters whose cost the caller or the author of a flag chooses (regular expressions, long texts)
 * ask before they work. What is refused has no answer, and the flag that needed it fails (reference/flags-evaluation.md §2.5, §3.5).
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

  /** How often work was refused. A flag during whose evaluation this grows has no answer. */
  get refusals(): number {
    return this.#refusals
  }

  /** Takes steps for work that is about to be done. False, and nothing is taken, when there are not as many left. */
  spend(steps: number): boolean {
    if (steps > this.#left) {
      this.refuse()
      return false
    }
    this.#left -= steps
    return true
  }

  /** Settles work that cost something else than was taken for it: `steps` of it are given back, or taken when negative. */
  giveBack(steps: number): void {
    this.#left = Math.max(0, this.#left + steps)
  }

  /** Notes that an answer could not be worked out. */
  refuse(): void {
    this.#refusals += 1
  }
}
