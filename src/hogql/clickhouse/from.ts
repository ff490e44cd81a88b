// What a query reads from: tables, subqueries and CTEs, the elements of arrays, numbers; and how they are joined.
import { HogqlError } from '../error'
import type { Expr, From, Join, Source } from '../ir'
import { contains } from '../resolve/ir-walk'
import { NO_COLUMN } from './columns'
import { columnName, type Context, sourceName } from './context'
import { printTable } from './tables'

/** What FROM reads, with its joins. */
export function fromClause({ source, joins }: From, context: Context): string {
  const first = `${firstSource(source, context)}`
  return joins.reduce((before, join) => `${before} ${printJoin(join, source, context)}`, first)
}

/** The elements of an array that stand alone are rows like any others. */
const firstSource = (source: Source, context: Context): string =>
  source.kind === 'elements'
    ? `(SELECT arrayJoin(${context.expr(source.array)}) AS value) AS ${sourceName(source)}`
    : printSource(source, context)

const JOIN_WORDS = {
  inner: 'INNER JOIN',
  left: 'LEFT JOIN',
  right: 'RIGHT JOIN',
  full: 'FULL JOIN',
  cross: 'CROSS JOIN',
} as const

/** @param first what FROM begins with */
function printJoin({ kind, source, on }: Join, first: Source, context: Context): string {
  if (source.kind === 'elements') {
    context.bare.add(source.id)
    const word = kind === 'left' ? 'LEFT ARRAY JOIN' : 'ARRAY JOIN'
    return `${word} ${context.expr(source.array)} AS ${sourceName(source)}_value`
  }
  const right = printSource(source, context)
  if (kind === 'cross' || on === null) return `CROSS JOIN ${right}`
  const condition = context.condition(on, 'on')
  // An outer join has to have something to look rows up by. Where nothing is, nothing is the same on both sides.
  const key =
    kind === 'inner' || hasKey(on, source.id) ? '' : `${nothingOf(first)} = ${nothingOf(source)} AND `
  return `${JOIN_WORDS[kind]} ${right} ON ${key}${condition}`
}

/** Whether a condition, or a part that has to hold for it, says that something of one side is equal to something of the other. */
function hasKey(on: Expr, right: number): boolean {
  if (on.node === 'and') return on.operands.some((operand) => hasKey(operand, right))
  if (on.node !== 'compare' || on.op !== '=') return false
  const [one, other] = [on.left, on.right].map(
    (side) =>
      new Set([readsFrom(side, right) && 'right', readsElsewhere(side, right) && 'left'].filter(Boolean)),
  )
  return one?.size === 1 && other?.size === 1 && !other.isSubsetOf(one)
}

const readsFrom = (expr: Expr, id: number) =>
  contains(expr, (part) => part.node === 'column' && part.source === id)
const readsElsewhere = (expr: Expr, id: number) =>
  contains(expr, (part) => part.node === 'column' && part.source !== id)

/** 0, by way of a source's column. */
const nothingOf = (source: Source): string => `ignore(${sourceName(source)}.${someColumn(source)})`

function someColumn(source: Source): string {
  switch (source.kind) {
    case 'table': {
      const [key] = source.columns
      return key === undefined ? NO_COLUMN : columnName(key)
    }
    case 'query':
    case 'cte':
    case 'stored':
      return 'c0'
    case 'elements':
      return 'value'
    case 'numbers':
      return 'number'
  }
}

function printSource(source: Exclude<Source, { kind: 'elements' }>, context: Context): string {
  return `${rowsOf(source, context)} AS ${sourceName(source)}`
}

function rowsOf(source: Exclude<Source, { kind: 'elements' }>, context: Context): string {
  switch (source.kind) {
    case 'table':
      context.tables.add(source.id)
      return `(${printTable(source.table, source.columns, context)})`
    case 'query':
      return `(${context.query(source.query)})`
    case 'cte':
      return `cte${source.cte}`
    case 'stored':
      throw new HogqlError('Kept rows are in the built-in database, whatever the engine.')
    case 'numbers': {
      const [start, count] = [source.start, source.count].map((each) => context.expr(each))
      return `(SELECT toInt64(number) + ${start} AS number FROM numbers(toUInt64(greatest(ifNull(toInt64(${count}), 0), 0))))`
    }
  }
}
