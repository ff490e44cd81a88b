// FROM: what a SELECT reads, and how it is joined.
import { HogqlError } from '../error'
import { atMost, MAX_NUMBERS } from '../functions/limits'
import type { Join, Source } from '../ir'
import { APART } from './aggregation'
import { type Context, sourceName } from './context'
import type { Keyed, KeyedSelect } from './keyed-joins'
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
export function printFrom({ from, keyed }: Pick<KeyedSelect, 'from' | 'keyed'>, context: Context): string {
  if (from === null) return ''
  return from.joins.reduce(
    (before, join) => `${before} ${printJoin(join, keyed.get(join.source.id), context)}`,
    printSource(from.source, context),
  )
}

function printJoin({ kind, source, on }: Join, keyed: Keyed | undefined, context: Context): string {
  // Elements belong to the rows before them, which have to be read first; rows with keys are looked up.
  const isInOrder = (source.kind === 'elements' || keyed !== undefined) && kind !== 'left'
  const word = isInOrder ? 'CROSS JOIN' : JOINS[kind]
  const condition = on
    ? ` ON ${context.writers.condition(on, 'on', context)}`
    : kind === 'left'
      ? ' ON 1'
      : ''
  return `${word} ${keyed ? printKeyed(source, keyed, context) : printSource(source, context)}${condition}`
}

/** The rows of a source with their keys. They are kept apart, so that they are read once. */
function printKeyed(source: Source, { keys, where }: Keyed, context: Context): string {
  const { writers } = context
  const columns = keys.map((key, index) => `, ${writers.expr(key, context)} AS k${index}`)
  const conditions = where.map((condition) => writers.condition(condition, 'filter', context))
  const filter = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''
  const name = sourceName(source)
  return `(SELECT ${name}.*${columns.join('')} FROM ${printSource(source, context)}${filter}${APART}) AS ${name}`
}

const printSource = (source: Source, context: Context): string =>
  `${rowsOf(source, context)} AS ${sourceName(source)}`

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
      if (count.node === 'literal' && Number(count.value) > MAX_NUMBERS) {
        throw new HogqlError(`'numbers' gives at most ${MAX_NUMBERS} rows in the built-in database.`)
      }
      const [start, most] = [source.start, count].map((each) => writers.expr(each, context))
      return (
        `(WITH RECURSIVE n(number, rest) AS (SELECT ${start}, ${atMost(String(most), MAX_NUMBERS)} WHERE ${most} > 0 ` +
        `UNION ALL SELECT number + 1, rest - 1 FROM n WHERE rest > 1) SELECT number FROM n)`
      )
    }
  }
}
