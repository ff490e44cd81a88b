// SELECTs, set operations and what they read from, in ClickHouse's words.
import type { Cte, Expr, From, Item, Join, Query, Select, SetOperation, Source } from '../ir'
import { type Context, sourceName } from './context'
import { convert } from './convert'
import { printOrder } from './expression'
import { printTable } from './tables'
import type { Type } from '../types'

/** The LIMIT and OFFSET of a query, written already. */
export interface Page {
  limit: string | null
  offset: string | null
}

/** A query inside another: with the LIMIT and OFFSET that it has itself. */
export const printQuery = (query: Query, context: Context): string =>
  printPaged(query, ownPage(query), context)

const ownPage = ({ limit, offset }: Pick<Query, 'limit' | 'offset'>): Page => ({
  limit: limit === null ? null : String(Math.trunc(limit)),
  offset: offset === 0 ? null : String(Math.trunc(offset)),
})

/** A query with `page` in place of its own LIMIT and OFFSET. */
export function printPaged(query: Query, page: Page, context: Context): string {
  const ctes = withClause(query.ctes, context)
  return ctes + (query.kind === 'set' ? printSet(query, page, context) : printSelect(query, page, context))
}

const withClause = (ctes: readonly Cte[], context: Context): string =>
  ctes.length === 0
    ? ''
    : `WITH ${ctes.map(({ id, query }) => `cte${id} AS (${context.query(query)})`).join(', ')} `

const clause = (word: string, text: string | null | undefined | false) => (text ? ` ${word} ${text}` : '')

const pageClause = ({ limit, offset }: Page) => clause('LIMIT', limit) + clause('OFFSET', offset)

/** @param types what the columns have to be, where another query's are put under them. */
function printSelect(select: Select, page: Page, context: Context, types?: readonly Type[]): string {
  // The sources come first: how a column of theirs is written depends on what they are.
  const from = select.from ? fromClause(select.from, context) : ''
  const items = select.items.map((item, index) => `${itemOf(item, types?.[index], context)} AS c${index}`)
  const list = (exprs: readonly Expr[]) => exprs.map((each) => context.expr(each)).join(', ')
  return [
    `SELECT ${select.distinct ? 'DISTINCT ' : ''}${items.join(', ')}`,
    clause('FROM', from),
    clause('WHERE', select.where && context.condition(select.where, 'filter')),
    clause('GROUP BY', list(select.groupBy)),
    clause('HAVING', select.having && context.condition(select.having, 'filter')),
    clause('ORDER BY', printOrder(select.orderBy, context)),
    select.limitBy &&
      ` LIMIT ${Math.trunc(select.limitBy.count)} OFFSET ${Math.trunc(select.limitBy.offset)} BY ${list(select.limitBy.by)}`,
    pageClause(page),
  ]
    .filter(Boolean)
    .join('')
}

function itemOf({ expr, type }: Item, wanted: Type | undefined, context: Context): string {
  const sql = context.expr(expr)
  return wanted ? convert(sql, type, wanted, context) : sql
}

const SET_WORDS = {
  'union all': 'UNION ALL',
  'union distinct': 'UNION DISTINCT',
  intersect: 'INTERSECT',
  'intersect distinct': 'INTERSECT DISTINCT',
  except: 'EXCEPT',
  'except distinct': 'EXCEPT DISTINCT',
} as const

/** Left to right, whatever ClickHouse would bind more tightly: each step is in parentheses. */
function printSet(set: SetOperation, page: Page, context: Context): string {
  const types = set.items.map(({ type }) => type)
  const leg = (query: Query) => `(${printLeg(query, types, context)})`
  const whole = set.rest.reduce(
    (before, { operator, query }, index) =>
      `${index > 0 ? `(${before})` : before} ${SET_WORDS[operator]} ${leg(query)}`,
    leg(set.initial),
  )
  if (set.orderBy.length === 0 && page.limit === null && page.offset === null) return whole
  const columns = set.items.map((_, index) => `c${index}`).join(', ')
  return `SELECT ${columns} FROM (${whole})${clause('ORDER BY', printOrder(set.orderBy, context))}${pageClause(page)}`
}

/** One query of a set operation. Its columns are made those of the whole, which ClickHouse does not do for numbers of different kinds. */
function printLeg(query: Query, types: readonly Type[], context: Context): string {
  if (query.items.every(({ type }, index) => type.kind === types[index]?.kind)) return context.query(query)
  const columns = query.items.map(({ type }, index) => {
    const wanted = types[index]
    return `${wanted ? convert(`c${index}`, type, wanted, context) : `c${index}`} AS c${index}`
  })
  return `SELECT ${columns.join(', ')} FROM (${context.query(query)})`
}

function fromClause({ source, joins }: From, context: Context): string {
  const first = `${firstSource(source, context)}`
  return joins.reduce((before, join) => `${before} ${printJoin(join, context)}`, first)
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

function printJoin({ kind, source, on }: Join, context: Context): string {
  if (source.kind === 'elements') {
    context.bare.add(source.id)
    const word = kind === 'left' ? 'LEFT ARRAY JOIN' : 'ARRAY JOIN'
    return `${word} ${context.expr(source.array)} AS ${sourceName(source)}_value`
  }
  const right = printSource(source, context)
  if (kind === 'cross' || on === null) return `CROSS JOIN ${right}`
  return `${JOIN_WORDS[kind]} ${right} ON ${context.condition(on, 'on')}`
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
    case 'numbers': {
      const [start, count] = [source.start, source.count].map((each) => context.expr(each))
      return `(SELECT toInt64(number) + ${start} AS number FROM numbers(toUInt64(greatest(${count}, 0))))`
    }
  }
}
