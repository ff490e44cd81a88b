// Writes expressions, joins and set operations for ClickHouse.
import { HogqlError } from '../error'
import {
  MAX_RECURSION_BYTES,
  MAX_RECURSION_LEVELS,
  MAX_RECURSION_ROWS,
  RECURSION_ERROR,
} from '../functions/limits'
import type { Expr, Join, Node, Select, Source } from '../ir'
import type { Dialect, Recursive } from '../print/dialect'
import { list } from '../print/expression'
import { columnList, levelsName, printStep, sourceName } from '../print/query'
import { contains } from '../ir-walk'
import { hasBytes, isText, type Unit } from '../types'
import { lambdaOf, printAggregate, printCall, printWindowCall } from './calls'
import { columnText, CONDITIONS, isStoredMoment } from './conditions'
import {
  type ClickhouseContext,
  columnName,
  bareMoment,
  cast,
  convert,
  inZone,
  withTypes,
  withElements,
} from './convert'
import { boundTypeOf } from './parameters'
import { NO_COLUMN, printTable } from './tables'

/** Maximum length of the SQL. ClickHouse parses 262,144 bytes by default, including the settings and the format after the query. */
const MAX_SQL_LENGTH = 250_000

export const CLICKHOUSE: Dialect<ClickhouseContext> = {
  ...CONDITIONS,
  engine: 'ClickHouse',
  maxText: MAX_SQL_LENGTH,
  shorter: 'use fewer series, steps, columns or conditions',
  writers: {
    literal,
    variable: ({ name, type }, context) => placeholder({ kind: 'variable', name, type }, type, context),
    clock: ({ which, type }, context) => placeholder({ kind: 'clock', which }, type, context),
    column: (expr, context) => {
      const sql = columnText(expr, context)
      return isStoredMoment(expr, context) ? inZone(sql, context) : sql
    },
    property,
    call: printCall,
    aggregate: printAggregate,
    window: printWindowCall,
    arithmetic: ({ op, left, right }, context) => `(${context.expr(left)} ${op} ${context.expr(right)})`,
    shift({ moment, amount, unit, type }, context) {
      const from = convert(context.expr(moment), moment.type, type, context)
      const by = context.expr(amount)
      return `${ADD[unit]}(${from}, ${amount.type.kind === 'integer' ? by : `toInt64(${by})`})`
    },
    case({ branches, otherwise, type }, context) {
      const value = (expr: Expr) => convert(context.expr(expr), expr.type, type, context)
      const whens = branches.map(({ when, then }) => `${context.condition(when, 'filter')}, ${value(then)}`)
      return `multiIf(${whens.join(', ')}, ${otherwise ? value(otherwise) : 'NULL'})`
    },
    // An empty list has elements of the type Nothing, which fits any other.
    array({ items, type }, context) {
      const of = type.kind === 'array' ? type.of : type
      return `[${items.map((item) => convert(context.expr(item), item.type, of, context)).join(', ')}]`
    },
    tuple: ({ items }, context) => `tuple(${list(items, context)})`,
    lambda: (node, context) => lambdaOf(node, context, () => context.expr(node.body)),
    element: ({ parameter }, { elements }) => elements.get(parameter)!,
    lookup: ({ table }) => {
      throw new Error(`table ${table} of results is for D1`)
    },
    // ClickHouse fails where there are several rows.
    subquery: ({ query }, context) => `(${context.query(query)})`,
  },
  presence: (expr, context) => context.expr(expr),
  hasPosition: () => false,
  key: (sql) => sql,
  // ClickHouse puts NULLs last in either order.
  orderTerm: (sql, _, descending) => sql + (descending ? ' DESC' : ''),
  table(source, context) {
    context.tables.add(source.id)
    return printTable(source, context)
  },
  source(source, context) {
    switch (source.kind) {
      case 'stored':
        throw new HogqlError('Materialized rows are in the built-in database, whatever the engine.')
      case 'elements':
        return `(SELECT arrayJoin(${withElements(context.expr(source.array), source.array.type)}) AS value)`
      case 'numbers': {
        const [start, count] = [context.expr(source.start), context.expr(source.count)]
        return `(SELECT toInt64(number) + ${start} AS number FROM numbers(toUInt64(greatest(ifNull(toInt64(${count}), 0), 0))))`
      }
    }
  },
  join,
  /** Each term is in parentheses, because ClickHouse gives some operators a higher precedence than others. */
  compound({ items, initial, rest }, context) {
    // ClickHouse finds no common type for numbers of different kinds.
    const types = items.map(({ type }) => type)
    const term = (query: typeof initial) => withTypes(query, types, context)
    return rest.reduce(
      (before, { operator, query }, index) =>
        `${index > 0 ? `(${before})` : before} ${operator.toUpperCase()} ${term(query)}`,
      term(initial),
    )
  },
  recursion,
  // OFFSET alone is not valid after LIMIT … BY.
  noLimit: '9223372036854775807',
}

const recursionFails = (condition: string) => `throwIf(${condition}, '${RECURSION_ERROR}')`

/**
 * Writes a recursive CTE. All levels have columns of the same types, because ClickHouse finds no types that fit several levels. Each level
 * has its own limit too, so that a growing one ends early.
 */
function recursion({ id, query, steps }: Recursive, context: ClickhouseContext): string {
  const [levels, columns] = [levelsName(id), columnList(query)]
  const typed = query.items
    .map(({ type }, index) => `${cast(`c${index}`, type, context)} AS c${index}`)
    .join(', ')
  const large = query.items.flatMap(({ type }, index) => {
    if (!hasBytes(type)) return []
    const text = isText(type) ? `c${index}` : `toJSONString(c${index})`
    return [`ifNull(length(${text}), 0) > ${MAX_RECURSION_BYTES}`]
  })
  const where = large.length === 0 ? '' : ` WHERE ${recursionFails(large.join(' OR '))} = 0`
  const level = (name: string) => `${name} + 1 + ${recursionFails(`${name} >= ${MAX_RECURSION_LEVELS}`)}`
  const step = (select: Select) => {
    const rows = printStep(select, { item: (sql) => sql, level }, CLICKHOUSE, context)
    return `SELECT ${typed}, toUInt16(level) AS level FROM (${rows})${where} LIMIT ${MAX_RECURSION_ROWS + 1}`
  }
  const first = `SELECT ${typed}, toUInt16(1) AS level FROM (${context.query(query)})`
  const all = [first, ...steps.map(step)].map((term) => `(${term})`).join(' UNION ALL ')
  const excess = `(SELECT count() FROM ${levels}) > ${MAX_RECURSION_ROWS}`
  return `${levels} AS (${all}), cte${id} AS (SELECT ${columns} FROM ${levels} WHERE ${recursionFails(excess)} = 0)`
}

const ADD = {
  second: 'addSeconds',
  minute: 'addMinutes',
  hour: 'addHours',
  day: 'addDays',
  week: 'addWeeks',
  month: 'addMonths',
  quarter: 'addQuarters',
  year: 'addYears',
} satisfies Record<Unit, string>

/** The most steps of a path. ClickHouse takes minutes to parse a thousand, whatever its deadlines. */
const MAX_PATH_STEPS = 32

function property({ document, path }: Node<'property'>, context: ClickhouseContext): string {
  if (path.length > MAX_PATH_STEPS) {
    throw new HogqlError(
      `A property may be nested at most ${MAX_PATH_STEPS} deep, and this is ${path.length}.`,
    )
  }
  const keys = path.map((key) => context.parameters.bind(key))
  return `JSONExtract(${context.expr(document)}, ${keys.join(', ')}, 'Nullable(String)')`
}

function literal({ value, type }: Node<'literal'>, context: ClickhouseContext): string {
  const { parameters } = context
  if (typeof value === 'string' && type.kind === 'datetime') {
    return inZone(parameters.add({ kind: 'literal', value: bareMoment(value) }, boundTypeOf(type)), context)
  }
  const isTyped =
    (typeof value === 'string' && type.kind === 'date') ||
    (typeof value === 'number' && type.kind === 'float')
  return isTyped ? parameters.add({ kind: 'literal', value }, boundTypeOf(type)) : parameters.bind(value)
}

function placeholder(
  parameter: Parameters<ClickhouseContext['parameters']['add']>[0],
  type: Expr['type'],
  context: ClickhouseContext,
): string {
  const value = context.parameters.add(parameter, boundTypeOf(type))
  return type.kind === 'datetime' ? inZone(value, context) : value
}

const JOINS = {
  inner: 'INNER JOIN',
  left: 'LEFT JOIN',
  right: 'RIGHT JOIN',
  full: 'FULL JOIN',
  cross: 'CROSS JOIN',
} as const satisfies Record<Join['kind'], string>

/** @param first the first source of FROM */
function join({ kind, source, on }: Join, first: Source, context: ClickhouseContext): string {
  if (source.kind === 'elements') {
    context.bare.add(source.id)
    const word = kind === 'left' ? 'LEFT ARRAY JOIN' : 'ARRAY JOIN'
    return `${word} ${withElements(context.expr(source.array), source.array.type)} AS ${sourceName(source)}_value`
  }
  const right = context.source(source)
  if (kind === 'cross' || on === null) return `CROSS JOIN ${right}`
  // An outer join needs a key. Without one, the key is the same constant on both sides.
  const key =
    kind === 'inner' || hasKey(on, source.id) ? '' : `${nothingOf(first)} = ${nothingOf(source)} AND `
  return `${JOINS[kind]} ${right} ON ${key}${context.condition(on, 'on')}`
}

/** Returns whether a condition, or one of its operands of AND, equates an expression of one side with one of the other. */
function hasKey(on: Expr, right: number): boolean {
  if (on.node === 'and') return on.operands.some((operand) => hasKey(operand, right))
  if (on.node !== 'compare' || on.op !== '=') return false
  const reads = (side: Expr, isRight: boolean) =>
    contains(side, (part) => part.node === 'column' && (part.source === right) === isRight)
  const isOf = (side: Expr, isRight: boolean) => reads(side, isRight) && !reads(side, !isRight)
  return (isOf(on.left, true) && isOf(on.right, false)) || (isOf(on.left, false) && isOf(on.right, true))
}

/** Returns SQL of 0 that reads a column of the source. */
const nothingOf = (source: Source): string => `ignore(${sourceName(source)}.${someColumn(source)})`

function someColumn(source: Source): string {
  switch (source.kind) {
    case 'table': {
      const [key] = source.columns
      return key === undefined ? NO_COLUMN : columnName(key)
    }
    case 'query':
    case 'cte':
    case 'level':
    case 'stored':
      return 'c0'
    case 'elements':
      return 'value'
    case 'numbers':
      return 'number'
  }
}
