// SELECTs, set operations and what they read from, in ClickHouse's words.
import type { Cte, Expr, Item, Query, Select, SetOperation } from '../ir'
import type { Context } from './context'
import { convert } from './convert'
import { printOrder } from './expression'
import { fromClause } from './from'
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
