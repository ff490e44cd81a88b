// What a function generates at most in the built-in database, which has no other bound for it.
import { reject } from '../error'
import type { Constants, SqliteSite } from './spec'

/** Characters of a text, and elements of an array. */
export const MAX_LENGTH = 100_000

/** Rows of `numbers`. */
export const MAX_NUMBERS = 1_000_000

/** Steps of a recursive CTE, on either engine. ClickHouse's own limit is 1,000 steps. */
export const MAX_RECURSION_ROWS = 10_000
export const MAX_RECURSION_LEVELS = 1_000
/** Bytes of a text or an array in one of its rows. */
export const MAX_RECURSION_BYTES = 1_000

/** What the database's error says where a recursive CTE exceeds a limit. */
export const RECURSION_ERROR = 'recursion limit'

/** What the database's error says where arrays that are read side by side have different sizes. */
export const SIZES_ERROR = 'sizes of arrays'

/** SQL of the first array, which fails unless the others have as many elements. */
export const asLongAs = (
  array: string,
  others: readonly string[],
  { once }: Pick<SqliteSite, 'once'>,
): string =>
  others.length === 0
    ? array
    : once(array, (first) => {
        const size = (each: string) => `ifnull(json_array_length(${each}), 0)`
        const isOther = others.map((other) => `${size(other)} <> ${size(first)}`).join(' OR ')
        return `CASE WHEN ${isOther} THEN json_extract('{}', '${SIZES_ERROR}') ELSE ${first} END`
      })

/** SQL of a number that fails with an integer overflow, the only failure SQLite has for an expression, above `max`. */
export const atMost = (number: string, max: number): string =>
  `min(${number}, abs(-9223372036854775807 - (${number} > ${max})))`

/** @throws HogqlError where a constant argument exceeds `MAX_LENGTH` */
export function requireAtMost(name: string, unit: string, constants: Constants, index: number): void {
  if (Number(constants[index] ?? 0) > MAX_LENGTH) {
    reject(null, `'${name}' gives at most ${MAX_LENGTH} ${unit} in the built-in database.`)
  }
}
