// Writing something that reads a value several times without writing the value several times.

/** What stands for a value until its name is known: what is written inside has holes of its own. */
let holes = 0

/** Names and placeholders cost nothing to repeat. */
const ATOM = /^[\w.?$"⟨⟩⟦⟧⟪⟫]+$/

/** What stands for an aggregate, and for a window function, in an expression that is still being written; see `aggregation.ts`. */
export const AGGREGATE = /⟦\d+⟧/
export const WINDOW = /⟪\d+⟫/

/** Longer ones would make a text that grows with every level. */
const SHORT = 120

/**
 * SQL that `write` makes of a value. The value is written once, in a subselect of its own, unless it is no more than a name. Aggregates and
 * window functions cannot be in there, as they would be about the subselect's one row: what has a window function is repeated, and what has
 * an aggregate where it is short.
 */
export function once(sql: string, write: (value: string) => string): string {
  if (ATOM.test(sql) || WINDOW.test(sql) || (sql.length <= SHORT && AGGREGATE.test(sql))) return write(sql)
  const hole = `⟨${holes++}⟩`
  const written = write(hole)
  const name = `v${1 + highest(sql + written)}`
  return `(SELECT ${written.replaceAll(hole, name)} FROM (SELECT ${sql} AS ${name}))`
}

/** Names must differ from those of the subselects around and within. */
function highest(sql: string): number {
  let found = 0
  for (const [, digits] of sql.matchAll(/\bv(\d+)\b/g)) found = Math.max(found, Number(digits))
  return found
}
