// Decisions read from a list of numbers. They shrink with the list, since without a number the first choice is taken.
export class Choices {
  private at = 0

  constructor(private readonly numbers: readonly number[]) {}

  /** A number below `count`. */
  below(count: number): number {
    const number = this.numbers[this.at] ?? 0
    this.at += 1
    return number % count
  }

  /** Put the plainest first. */
  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!
  }

  /** True once in `times`, and false when there is nothing left to choose. */
  rarely(times: number): boolean {
    return this.below(times) === times - 1 && times > 1
  }

  /** `least` to `most` of something. */
  many<T>(least: number, most: number, one: (at: number) => T): T[] {
    return Array.from({ length: least + this.below(most - least + 1) }, (_, at) => one(at))
  }

  /** Whether everything that follows will be the first choice. */
  get spent(): boolean {
    return this.at >= this.numbers.length
  }
}
