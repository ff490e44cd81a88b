// How much a function makes at most in the built-in database, whose values have a limit and whose queries have no other bound.
import { refuse } from './refuse'
import type { Constants } from './spec'

/** Characters of a text, and elements of an array. */
export const CEILING = 100_000

/** Rows of `numbers`. */
export const MAX_NUMBERS = 1_000_000

/**
 * SQL of a number, which fails where it is larger than `most`: a part of what was asked for would be a wrong answer. The failure is that of
 * a number that is too large, the only one that SQLite has for an expression.
 */
export const within = (number: string, most: number): string =>
  `min(${number}, abs(-9223372036854775807 - (${number} > ${most})))`

/** @throws HogqlError where the constant at `place` asks for more than `CEILING` */
export function requireWithin(name: string, what: string, constants: Constants, place: number): void {
  if (Number(constants[place] ?? 0) > CEILING) {
    refuse(`'${name}' gives at most ${CEILING} ${what} in the built-in database.`)
  }
}
