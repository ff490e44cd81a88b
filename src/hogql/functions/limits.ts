// What a function generates at most in the built-in database, which has no other bound for it.
import { reject } from '../error'
import type { Constants } from './spec'

/** Characters of a text, and elements of an array. */
export const MAX_LENGTH = 100_000

/** Rows of `numbers`. */
export const MAX_NUMBERS = 1_000_000

/** SQL of a number that fails with an integer overflow, the only failure SQLite has for an expression, above `max`. */
export const atMost = (number: string, max: number): string =>
  `min(${number}, abs(-9223372036854775807 - (${number} > ${max})))`

/** @throws HogqlError where a constant argument exceeds `MAX_LENGTH` */
export function requireAtMost(name: string, unit: string, constants: Constants, index: number): void {
  if (Number(constants[index] ?? 0) > MAX_LENGTH) {
    reject(null, `'${name}' gives at most ${MAX_LENGTH} ${unit} in the built-in database.`)
  }
}
