// FROM: what a SELECT reads, and how it is joined.
import { HogqlError } from '../error'
import { within } from '../functions/ceiling'
import type { From, Join, Source } from '../ir'
import { type Context, sourceName } from './context'
import { printTable } from './tables'
import { STORED_TABLE } from './stored-table'

const JOINS = {
  inner: 'JOIN',
  left: 'LEFT JOIN',
  right: 'RIGHT JOIN',
  full: 'FULL JOIN',
  cross: 'JOIN',
} as const satisfies Record<Join['kind'], string>

/** What stands behind FROM; nothing for a SELECT of constants. */
export function printFrom(from: From | null, context: Context): string {
  if (from === null) return ''
  return from.joins.reduce(
    (before, join) => `${before} ${printJoin(join, context)}`,
    printSource(from.source, context),
  )
}

function printJoin({ kind, source, on }: Join, context: Context): string {
  // Elements belong to the rows before them, which have to be read first.
  const word = source.kind === 'elements' && kind !== 'left' ? 'CROSS JOIN' : JOINS[kind]
  const condition = on
    ? ` ON ${context.writers.condition(on, 'on', context)}`
    : kind === 'left'
      ? ' ON 1'
      : ''
  return `${word} ${printSource(source, context)}${condition}`
}

const printSource = (source: Source, context: Context): string =>
  `${rowsOf(source, context)} AS ${sourceName(source)}`

/** Numbers that `numbers()` gives at most. */
const MOST_NUMBERS = 1_000_000

function rowsOf(source: Source, context: Context): string {
  const { writers } = context
  switch (source.kind) {
    case 'table':
      return `(${printTable(source.table, source.columns, context)})`
    case 'query':
      return `(${writers.query(source.query, context)})`
    case 'cte':
      return `cte${source.cte}`
    case 'stored':
      return STORED_TABLE
    case 'elements':
      return `json_each(${writers.expr(source.array, context)})`
    case 'numbers': {
      const { count } = source
      if (count.node === 'literal' && Number(count.value) > MOST_NUMBERS) {
        throw new HogqlError(`'numbers' gives at most ${MOST_NUMBERS} rows in the built-in database.`)
      }
      const [start, most] = [source.start, count].map((each) => writers.expr(each, context))
      return (
        `(WITH RECURSIVE n(number, rest) AS (SELECT ${start}, ${within(String(most), MOST_NUMBERS)} WHERE ${most} > 0 ` +
        `UNION ALL SELECT number + 1, rest - 1 FROM n WHERE rest > 1) SELECT number FROM n)`
      )
    }
  }
}
