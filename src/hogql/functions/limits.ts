// Limits of what a function may generate in the built-in database, which does not limit it itself.
import { reject } from '../error'
import type { Constants } from './spec'

/** The most characters of a text, and elements of an array. */
export const MAX_LENGTH = 100_000

/** The most rows of `numbers`. */
export const MAX_NUMBERS = 1_000_000

/** The most rows of a recursive CTE, on either engine. ClickHouse itself allows 1,000 steps. */
export const MAX_RECURSION_ROWS = 10_000
export const MAX_RECURSION_LEVELS = 1_000
/** The most bytes of a text or an array in a row of a recursive CTE. */
export const MAX_RECURSION_BYTES = 1_000

/** The message of the database when a recursive CTE exceeds a limit. */
export const RECURSION_ERROR = 'recursion limit'

/** The message of the database when a subquery that is a value has several rows. */
export const SEVERAL_ROWS_ERROR = 'rows of a value'

/** The message of the database when arrays that are joined row by row have different sizes. */
export const SIZES_ERROR = 'sizes of arrays'

/**
 * Returns SQL of the rows of parallel arrays: the position as `key`, and the element of each array under the name of that array. The
 * statement fails unless all have the same number of elements. Each array is written once, because arrays in arrays would otherwise double
 * the text at each level, and is read once, because a join of arrays would read the second again for each element of the first.
 * @param names the first is also the name of the rows
 */
export function sideBySide(arrays: readonly string[], names: readonly string[]): string {
  const [first] = names
  if (arrays.length === 1)
    return `(SELECT each.key, each.value AS ${first} FROM json_each(${arrays[0]}) AS each) AS ${first}`
  const elements = names.map((name, index) => `max(iif(side.key = ${index}, each.value, NULL)) AS ${name}`)
  const all = arrays.map((array) => `ifnull(${array}, '[]')`).join(" || ',' || ")
  const isUneven =
    '(SELECT min(json_array_length(side.value)) <> max(json_array_length(side.value)) FROM json_each(sides.list) AS side)'
  return (
    `(SELECT each.key, ${elements.join(', ')} FROM (SELECT '[' || ${all} || ']' AS list) AS sides, ` +
    `json_each(CASE WHEN ${isUneven} THEN json_extract('{}', '${SIZES_ERROR}') ELSE sides.list END) AS side, ` +
    `json_each(side.value) AS each GROUP BY each.key) AS ${first}`
  )
}

/** Returns SQL of a number that fails above `max` with an integer overflow, which is the only failure of an expression in SQLite. */
export const atMost = (number: string, max: number): string =>
  `min(${number}, abs(-9223372036854775807 - (${number} > ${max})))`

/** Returns SQL of a number that fails in the same way below `min`. */
export const atLeast = (number: string, min: number): string =>
  `max(${number}, abs(-9223372036854775807 - (${number} < ${min})))`

/** @throws HogqlError when a constant argument exceeds `MAX_LENGTH` */
export function requireAtMost(name: string, unit: string, constants: Constants, index: number): void {
  if (Number(constants[index] ?? 0) > MAX_LENGTH) {
    reject(null, `'${name}' gives at most ${MAX_LENGTH} ${unit} in the built-in database.`)
  }
}
