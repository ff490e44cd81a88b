// Whether work grows in proportion to its input, measured within one process: a slow machine is as slow for the small input.
import { expect } from 'vitest'

const RUNS = 3
const ATTEMPTS = 4
/** Eight times the input takes 8 times as long when work is linear, and 64 times when it is quadratic. */
const FACTOR = 8
const MAX_RATIO = 24
/** Shorter times depend on the clock and on other processes more than on the work. */
const MIN_MS = 5

function milliseconds(work: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const start = performance.now()
    work()
    return performance.now() - start
  })
  return Math.max(MIN_MS, Math.min(...times))
}

/**
 * Expects work to take at most in proportion longer for eight times the input. Another process may slow one measurement down: it is repeated.
 * @param size of the small input
 */
export function expectLinear<Input>(
  inputOf: (size: number) => Input,
  work: (input: Input) => unknown,
  size: number,
): void {
  const ratios: number[] = []
  while (ratios.length < ATTEMPTS) {
    const [small, large] = [inputOf(size), inputOf(size * FACTOR)]
    const ratio = milliseconds(() => work(large)) / milliseconds(() => work(small))
    if (ratio <= MAX_RATIO) return
    ratios.push(ratio)
  }
  expect(Math.min(...ratios), `ratios of ${ratios.join(', ')}`).toBeLessThanOrEqual(MAX_RATIO)
}
