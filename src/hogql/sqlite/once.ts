// Writing something that reads a value several times without writing the value several times.

const HOLE = '⟨⟩'

/** Names and placeholders cost nothing to repeat. */
const ATOM = /^[\w.?$"]+$/

/** What stands for an aggregate in an expression that is still being written; see `aggregation.ts`. */
export const TOKEN = /⟦\d+⟧/

/** Longer ones would make a text that grows with every level. */
const SHORT = 120

/**
 * SQL that `write` makes of a value. The value is written once, in a subselect of its own, unless it is no more than a name. An aggregate
 * cannot be in there, as it would be one of the subselect's rows: short expressions of aggregates are repeated.
 */
export function once(sql: string, write: (value: string) => string): string {
  if (ATOM.test(sql) || (sql.length <= SHORT && TOKEN.test(sql))) return write(sql)
  const written = write(HOLE)
  const name = `v${1 + highest(sql + written)}`
  return `(SELECT ${written.replaceAll(HOLE, name)} FROM (SELECT ${sql} AS ${name}))`
}

/** Names must differ from those of the subselects around and within. */
function highest(sql: string): number {
  let found = 0
  for (const [, digits] of sql.matchAll(/\bv(\d+)\b/g)) found = Math.max(found, Number(digits))
  return found
}
