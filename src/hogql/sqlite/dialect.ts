// Writes expressions, joins and set operations for SQLite.
import { HogqlError } from '../error'
import {
  atMost,
  MAX_NUMBERS,
  MAX_RECURSION_BYTES,
  MAX_RECURSION_LEVELS,
  MAX_RECURSION_ROWS,
  RECURSION_ERROR,
  SEVERAL_ROWS_ERROR,
} from '../functions/limits'
import { isCalendar } from '../functions/dates/units'
import { remainder } from '../functions/math'
import { asElement, mayBeNaN, momentOf, orDefault, rejectUnordered } from '../functions/sqlite-values'
import type { Expr, Join, Node, Query, Select, SetOperator, Source } from '../ir'
import type { Dialect, Recursive } from '../print/dialect'
import { orElse } from '../print/expression'
import { columnList, levelsName, printStep, sourceName } from '../print/query'
import { printAggregate, printCall, printWindowCall } from './calls'
import { CONDITIONS } from './conditions'
import { columnName, type SqliteContext } from './context'
import { isBinaryDocument, propertyBare, propertyText } from './property'
import { STORED_TABLE } from '../compiled'
import { hasBytes, type Type, type Unit } from '../types'
import { printTable } from './tables'

/**
 * The most characters of a statement. D1 accepts 100,000 bytes, and a run adds SQL around the query that counts the bytes of a result. All
 * printed text is ASCII, because texts are bound.
 */
const MAX_SQL_LENGTH = 95_000

/**
 * Returns whether SQLite may take SQL for the number of an item: a number that is written as such, or a conjunction with 0, which it replaces
 * by 0 while it parses.
 */
const mayBeNumber = (sql: string): boolean => /^[-+(]*[01]\)*$|\(0\)* AND | AND \(*0[ )]/.test(sql)

export const SQLITE: Dialect<SqliteContext> = {
  ...CONDITIONS,
  engine: 'the built-in database',
  maxText: MAX_SQL_LENGTH,
  shorter: 'use fewer series, steps, columns or conditions, or connect ClickHouse',
  writers: {
    literal: ({ value, type }, { parameters }) => {
      if (value === null) return 'NULL'
      return typeof value === 'boolean' ? String(Number(value)) : bound(parameters.bind(value), type)
    },
    variable: ({ name, type }, { parameters }) =>
      bound(parameters.add({ kind: 'variable', name, type }), type),
    clock: ({ which }, { parameters }) => parameters.add({ kind: 'clock', which }),
    column: (expr) => {
      const column = `${sourceName({ id: expr.source })}.${columnName(expr.column)}`
      return isBinaryDocument(expr) ? `json(${column})` : column
    },
    property: propertyText,
    call: printCall,
    aggregate: printAggregate,
    window: printWindowCall,
    arithmetic,
    shift,
    case: ({ branches, otherwise }, context) => {
      const whens = branches.map(
        ({ when, then }) => `WHEN ${context.condition(when, 'filter')} THEN ${context.expr(then)}`,
      )
      return `CASE ${whens.join(' ')}${otherwise ? ` ELSE ${context.expr(otherwise)}` : ''} END`
    },
    array: ({ items, type }, context) =>
      jsonArray(items, context, type.kind === 'array' && type.of.kind === 'float' ? type.of : undefined),
    tuple: ({ items }, context) => jsonArray(items, context),
    lambda: ({ body }, context) => context.expr(body),
    element: ({ parameter }) => `e${parameter}`,
    subquery: ({ query }, context) =>
      hasOneRow(query)
        ? `(${context.query(query)})`
        : `(SELECT CASE WHEN count(*) > 1 THEN ${failure(SEVERAL_ROWS_ERROR)} ELSE c0 END FROM (SELECT c0 FROM (${context.query(query)}) LIMIT 2))`,
    lookup,
  },
  presence(expr, context) {
    if (expr.node === 'property') return propertyBare(expr, context)
    return orElse(context.expr(expr), '0', mayBeNaN(expr.type))
  },
  asCondition: (sql) => sql,
  hasPosition: (item) => !mayBeNumber(item),
  key: (sql) => (mayBeNumber(sql) ? `ifnull(${sql}, NULL)` : sql),
  // NULLs come last in either direction, but SQLite puts them last only in descending order.
  orderTerm: (sql, expr, descending) => {
    // Lowering replaces tuples by their items.
    rejectUnordered('ORDER BY', [expr.type])
    if (descending) return `${sql} DESC`
    return CONDITIONS.mayBeNull(expr) ? `${sql} NULLS LAST` : sql
  },
  table: printTable,
  source,
  join,
  compound({ initial, rest }, context) {
    const term = (query: typeof initial) => `SELECT ${columnList(query)} FROM (${context.query(query)})`
    return [
      term(initial),
      ...rest.map(({ operator, query }) => `${SET_WORDS[operator]} ${term(query)}`),
    ].join(' ')
  },
  recursion,
  noLimit: '-1',
}

/** Writes the lookup of a result by its text. SQLite builds an index on a column only if it is cast. */
function lookup({ table, operand, isCondition, type }: Node<'lookup'>, context: SqliteContext): string {
  const results = context.parameters.add({ kind: 'lookup', table })
  const text = context.expr(operand)
  if (isCondition) return `(${text} IN (SELECT value FROM json_each(${results})))`
  const found = `(SELECT m.v FROM (SELECT CAST(value ->> 0 AS TEXT) AS k, value ->> 1 AS v FROM json_each(${results}) LIMIT -1) AS m WHERE m.k = ${text})`
  return type.kind === 'array' ? orDefault(found, type) : found
}

/** Returns SQL that fails. It is SQLite's only failure of an expression whose message can be chosen. */
const failure = (message: string) => `json_extract('{}', '${message}')`
const RECURSION_FAILS = failure(RECURSION_ERROR)

/** Returns whether a query has at most one row, whatever the data. */
const hasOneRow = (query: Query): boolean =>
  (query.limit !== null && query.limit <= 1) ||
  (query.kind === 'select' &&
    (query.from === null || (query.aggregated && query.groupBy.length === 0 && !query.groupingSets)))

/** Writes a recursive CTE. Rows are read one by one, up to the first that is too many. */
function recursion({ id, query, steps }: Recursive, context: SqliteContext): string {
  const [levels, columns] = [levelsName(id), columnList(query)]
  const step = (select: Select) =>
    printStep(
      select,
      {
        item: (sql, { type }) =>
          hasBytes(type)
            ? context.once(
                sql,
                (value) =>
                  `CASE WHEN octet_length(${value}) > ${MAX_RECURSION_BYTES} THEN ${RECURSION_FAILS} ELSE ${value} END`,
              )
            : sql,
        level: (name) =>
          `CASE WHEN ${name} >= ${MAX_RECURSION_LEVELS} THEN ${RECURSION_FAILS} ELSE ${name} + 1 END`,
      },
      SQLITE,
      context,
    )
  const first = `SELECT ${columns}, 1 AS level FROM (${context.query(query)})`
  const all = [first, ...steps.map(step)].join(' UNION ALL ')
  return (
    `${levels}(${columns}, level) AS (${all} LIMIT ${MAX_RECURSION_ROWS + 1}), ` +
    `cte${id} AS (SELECT ${columns} FROM ${levels} WHERE CASE WHEN (SELECT count(*) FROM ${levels}) > ${MAX_RECURSION_ROWS} THEN ${RECURSION_FAILS} ELSE 1 END)`
  )
}

/** Set operations of SQLite. Lowering replaces the others. */
const SET_WORDS: Partial<Record<SetOperator, string>> = {
  'union all': 'UNION ALL',
  'union distinct': 'UNION',
  'intersect distinct': 'INTERSECT',
  'except distinct': 'EXCEPT',
}

/** Writes a bound value. D1 binds every number as a float, so that an integer needs a cast, or 7 would become the text 7.0. */
const bound = (placeholder: string, { kind }: Expr['type']): string =>
  kind === 'integer' || kind === 'boolean' ? `CAST(${placeholder} AS INTEGER)` : placeholder

function arithmetic({ op, left, right }: Node<'arithmetic'>, context: SqliteContext): string {
  const [a, b] = [context.expr(left), context.expr(right)]
  switch (op) {
    case '+':
    case '-':
    case '*':
      return `(${a} ${op} ${b})`
    case '/': {
      if (isNeverZero(right)) return `(${a} * 1.0 / ${b})`
      // A division by zero is infinite or not a number. SQLite has NULL for both.
      const { once } = context
      return once(a, (x) => once(b, (y) => `CASE WHEN ${y} = 0 THEN ${x} * 9e999 ELSE ${x} * 1.0 / ${y} END`))
    }
    case '%':
      return remainder(a, b, { types: [left.type, right.type], once: context.once })
  }
}

function isNeverZero(expr: Expr): boolean {
  if (expr.node === 'literal') return expr.value !== 0
  if (expr.node !== 'call' || expr.fn !== 'nullIf') return false
  const [, other] = expr.args
  return other?.node === 'literal' && other.value === 0
}

/** The date modifier of each unit in SQLite, and its factor. */
const MODIFIERS: Record<Unit, [string, number]> = {
  second: ['seconds', 1],
  minute: ['minutes', 1],
  hour: ['hours', 1],
  day: ['days', 1],
  week: ['days', 7],
  month: ['months', 1],
  quarter: ['months', 3],
  year: ['years', 1],
}

/** Units for which SQLite needs a correction: when a month has no such day, the result is its last day. */
const MONTHS: ReadonlySet<Unit> = new Set(['month', 'quarter', 'year'])

/** Writes a shifted date. Days and longer units keep the local time. */
export function shift(
  { moment, amount, unit }: Node<'shift'>,
  context: Pick<SqliteContext, 'expr' | 'parameters' | 'once' | 'zoneFor'>,
): string {
  const zone = context.zoneFor([moment, amount])
  const [word, factor] = MODIFIERS[unit]
  const from = context.expr(moment)
  const by =
    amount.node === 'literal' && typeof amount.value === 'number'
      ? context.parameters.bind(`${Math.trunc(amount.value) * factor} ${word}`)
      : `(CAST(${context.expr(amount)} AS INTEGER) * ${factor}) || ' ${word}'`
  const modifiers = MONTHS.has(unit) ? `${by}, 'floor'` : by
  if (moment.type.kind === 'date' && isCalendar(unit)) return `date(${from}, ${modifiers})`
  const move = (sql: string) =>
    context.once(
      sql,
      (at) => `(strftime('%Y-%m-%dT%H:%M:%S', substr(${at}, 1, 19), ${modifiers}) || substr(${at}, 20))`,
    )
  const utc = momentOf(from, moment.type, { zone })
  return isCalendar(unit) ? zone.toUtc(move(zone.toLocal(utc))) : move(utc)
}

/** @param of the type of all items; by default, each has its own */
const jsonArray = (items: readonly Expr[], context: SqliteContext, of?: Type): string =>
  `json_array(${items.map((item) => asElement(context.expr(item), of ?? item.type)).join(', ')})`

const JOINS = {
  inner: 'JOIN',
  left: 'LEFT JOIN',
  right: 'RIGHT JOIN',
  full: 'FULL JOIN',
  cross: 'JOIN',
} as const satisfies Record<Join['kind'], string>

function join({ kind, source: joined, on, keyed }: Join, _: Source, context: SqliteContext): string {
  // Elements belong to the rows before them, which must be read first; rows with keys are looked up.
  const isInOrder = (joined.kind === 'elements' || keyed !== undefined) && kind !== 'left'
  const condition = on ? context.condition(on, 'on') : kind === 'left' ? '1' : null
  const rows = keyed ? withKeys(joined, keyed, context) : context.source(joined)
  return `${isInOrder ? 'CROSS JOIN' : JOINS[kind]} ${rows}${condition === null ? '' : ` ON ${condition}`}`
}

/** Writes the rows of a source with their keys. The subselect is not merged, so that it is read once. */
function withKeys(
  joined: Source,
  { keys, where }: NonNullable<Join['keyed']>,
  context: SqliteContext,
): string {
  const name = sourceName(joined)
  const columns = keys.map((key, index) => `, ${context.expr(key)} AS k${index}`).join('')
  const conditions = where.map((condition) => context.condition(condition, 'filter'))
  const filter = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''
  return `(SELECT ${name}.*${columns} FROM ${context.source(joined)}${filter} LIMIT -1) AS ${name}`
}

function source(
  from: Extract<Source, { kind: 'stored' | 'elements' | 'numbers' }>,
  context: SqliteContext,
): string {
  switch (from.kind) {
    case 'stored':
      return STORED_TABLE
    case 'elements':
      return `json_each(${context.expr(from.array)})`
    case 'numbers': {
      if (from.count.node === 'literal' && Number(from.count.value) > MAX_NUMBERS) {
        throw new HogqlError(`'numbers' gives at most ${MAX_NUMBERS} rows in the built-in database.`)
      }
      const [start, count] = [context.expr(from.start), context.expr(from.count)]
      return (
        `(WITH RECURSIVE n(number, rest) AS (SELECT ${start}, ${atMost(count, MAX_NUMBERS)} WHERE ${count} > 0 ` +
        `UNION ALL SELECT number + 1, rest - 1 FROM n WHERE rest > 1) SELECT number FROM n)`
      )
    }
  }
}
