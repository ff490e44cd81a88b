// Functions that the Worker computes for queries on D1, each with hostile texts and constants: what is executed grows with the steps that the
// budget of the query counts, so that the budget bounds it.
import { beforeAll, describe, expect, it } from 'vitest'
import { compute, COMPUTATIONS, type Constant } from '../../../src/hogql/computed/compute'
import { ComputationBudget, MAX_CONSTANT } from '../../../src/hogql/computed/limits'
import { HogqlError } from '../../../src/hogql/error'
import { executedWork, startCounting } from './executed-work'
import { drawn, SEED } from './processor-growth'

const SIZE = 60

/** Work that no step counts, and that is quadratic, grows four times faster from n to 4n. */
const MAX_RATIO = 2.5
/** What is executed for a step, below which its growth does not matter, and at most. */
const FEW_PER_STEP = 1
const MAX_PER_STEP = 15
/** Compiling takes no steps. */
const STEPS_OF_CONSTANTS = 20_000

/** Texts by size. */
const TEXTS: readonly ((size: number) => string[])[] = [
  (size) => ['a'.repeat(size)],
  (size) => [`${'a'.repeat(size)}b`],
  (size) => ['?'.repeat(size)],
  (size) => ['a '.repeat(size)],
  (size) => [`https://a.b/${'a/'.repeat(size)}`],
  (size) => [`https://a.b/?${'a=b&'.repeat(size)}`],
  (size) => ['%41'.repeat(size)],
  (size) => ['1'.repeat(size)],
  (size) => [`1.0.0-${'a.'.repeat(size)}`],
  (size) => ['😀é'.repeat(size)],
  (size) => Array.from({ length: size }, (_, index) => String(index)),
]

const long = (text: string, size: number) => text.repeat(Math.min(size, MAX_CONSTANT) / text.length)

/** Constants by size. */
const CONSTANTS: readonly ((size: number) => Constant[])[] = [
  () => [],
  () => ['a(a*b)?', 'x'],
  () => ['(a*b)?', String.raw`\1`],
  () => ['(a)(a*b)?', 2],
  () => ['a|b.*c', 0],
  () => ['', ''],
  (size) => ['()a', long(String.raw`\1`, size)],
  (size) => [long('?', size), long('é', size)],
  (size) => [long('aA', size), long('bc', size)],
  (size) => [[long('a', size / 4), `${long('a', size / 4)}b`, `b${long('a', size / 4)}`]],
]

/** Returns what is executed for each step that the budget counts. */
async function workOfAStep(fn: string, constants: readonly Constant[], size: number): Promise<number> {
  let steps = STEPS_OF_CONSTANTS
  const executed = await executedWork(() => {
    for (const textsOf of TEXTS) {
      const budget = new ComputationBudget()
      try {
        compute(fn, constants, textsOf(size), budget)
      } catch (error) {
        if (!(error instanceof HogqlError)) throw error
      }
      steps += budget.spentSteps
    }
  })
  return executed / steps
}

beforeAll(startCounting)

beforeAll(startCounting)

describe(`the work of a computed function is within its steps (GROWTH_SEED=${SEED})`, () => {
  it.for(drawn(Object.entries(COMPUTATIONS), 6))('%s', { timeout: 120_000 }, async ([fn, { length }]) => {
    for (const constantsOf of length === 0 ? [() => []] : CONSTANTS) {
      const works: number[] = []
      for (const size of [SIZE, 2 * SIZE, 4 * SIZE])
        works.push(await workOfAStep(fn, constantsOf(size), size))
      const max = Math.min(MAX_PER_STEP, MAX_RATIO * Math.max(FEW_PER_STEP, works[0]!))
      expect(
        Math.max(...works),
        `${JSON.stringify(constantsOf(4))}: ${works.join(', ')}`,
      ).toBeLessThanOrEqual(max)
    }
  })
})
