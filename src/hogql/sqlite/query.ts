// SELECTs and their WITH, in SQLite's words.
import type { Cte, Query, Select } from '../ir'
import { sortByPlace, type Parts, type Printed, staged, withWindows } from './aggregation'
import { printOrder } from './calls'
import type { Context } from './context'
import { printFrom } from './from'
import { withKeys } from './keyed-joins'
import { groupsDocuments, projected } from './projected'
import { groupKey } from './group-keys'
import { oneRow } from './one-row'
import { printSet } from './set-operation'

/** The LIMIT and OFFSET of a query, written already. */
export interface Page {
  limit: string | null
  offset: string | null
}

/** A query inside another: with the LIMIT and OFFSET that it has itself. */
export const printQuery = (query: Query, context: Context): string =>
  printPaged(query, ownPage(query, context), context)

/** SQLite has no OFFSET without a LIMIT. */
function ownPage({ limit, offset }: Pick<Query, 'limit' | 'offset'>, { parameters }: Context): Page {
  if (limit === null && offset === 0) return { limit: null, offset: null }
  return {
    limit: limit === null ? '-1' : parameters.bind(limit),
    offset: offset === 0 ? null : parameters.bind(offset),
  }
}

/** A query with `page` in place of its own LIMIT and OFFSET. Nothing of the queries around it is known in there. */
export function printPaged(query: Query, page: Page, outer: Context): string {
  const context = { ...outer, known: null, aggregates: null }
  const ctes = withClause(query.ctes, context)
  return (
    ctes +
    (query.kind === 'set' ? printSet(query, pageClause(page), context) : printSelect(query, page, context))
  )
}

const withClause = (ctes: readonly Cte[], context: Context): string =>
  ctes.length === 0
    ? ''
    : `WITH ${ctes.map(({ id, query }) => `cte${id} AS (${printQuery(query, context)})`).join(', ')} `

const clause = (word: string, text: string | null | undefined | false) => (text ? ` ${word} ${text}` : '')

const pageClause = ({ limit, offset }: Page) => clause('LIMIT', limit) + clause('OFFSET', offset)

function printSelect(written: Select, page: Page, context: Context): string {
  const select = oneRow(written)
  const keyed = withKeys(select)
  const from = printFrom(keyed, context)
  const where = keyed.where && context.writers.condition(keyed.where, 'filter', context)
  const rows = clause('FROM', from) + clause('WHERE', where)
  if (!select.aggregated) return finish(select, { parts: partsOf(select, context), rows, after: '' }, page)
  const keys = select.groupBy.map((expr) => groupKey(expr, context))
  const grouped = { groupBy: select.groupBy, keys, rows, isApart: groupsDocuments(select) }
  const write = (inner: Context) => partsOf(select, inner)
  const having = (parts: Parts) => clause('HAVING', parts.having)
  const by = (parts: Parts) =>
    clause('GROUP BY', keys.map(({ sql }) => placeOf(sql, parts.items) ?? sql).join(', '))
  // What is found out once a group is a column of the groups.
  const isRestored = keys.some(({ restore }) => restore !== null)
  const printed =
    (isRestored
      ? null
      : grouped.isApart
        ? projected(grouped, context, write, having)
        : sortByPlace(context, write, (parts) => ({ parts, rows, after: by(parts) + having(parts) }))) ??
    staged(grouped, context, write)
  return finish(select, printed, page)
}

const partsOf = (select: Select, context: Context): Parts =>
  withWindows(context, (inner) => writeParts(select, inner))

function writeParts(select: Select, context: Context): Parts {
  const { expr, condition } = context.writers
  return {
    items: select.items.map((item) => expr(item.expr, context)),
    having: select.having && condition(select.having, 'filter', context),
    orderBy: select.orderBy.map((order) => ({ sql: expr(order.expr, context), order })),
    limitBy: (select.limitBy?.by ?? []).map((by) => expr(by, context)),
  }
}

/** The number of the item that is written like this: shorter than to write it again. */
function placeOf(sql: string, items: readonly string[]): string | null {
  const index = items.indexOf(sql)
  return index < 0 ? null : String(index + 1)
}

/** Puts a SELECT together. */
function finish(select: Select, { parts, rows, after }: Printed, page: Page): string {
  if (select.limitBy) return limitedBy(select, select.limitBy, { parts, rows, after }, page)
  const order = parts.orderBy.map(({ sql, order: each }) =>
    printOrder(each, placeOf(sql, parts.items) ?? sql),
  )
  return (
    `SELECT ${select.distinct ? 'DISTINCT ' : ''}${columns(parts.items)}${rows}${after}` +
    clause('ORDER BY', order.join(', ')) +
    pageClause(page)
  )
}

const columns = (items: readonly string[]) => items.map((item, index) => `${item} AS c${index}`).join(', ')
const names = (items: readonly unknown[], letter = 'c') => items.map((_, index) => `${letter}${index}`)

/** LIMIT BY: rows are numbered within their combination, in the order of the whole. */
function limitedBy(
  select: Select,
  { count, offset }: { count: number; offset: number },
  { parts, rows, after }: Printed,
  page: Page,
): string {
  const orders = parts.orderBy.map(({ sql, order }) => printOrder(order, sql))
  const places = parts.orderBy.map(({ sql }, index) => `${sql} AS o${index}`)
  const over = clause('PARTITION BY', parts.limitBy.join(', ')) + clause('ORDER BY', orders.join(', '))
  const listed = [columns(parts.items), ...places, `row_number() OVER (${over.trim()}) AS place`].join(', ')
  // DISTINCT comes first: rows that are alike are numbered as one.
  const source = select.distinct
    ? distinctRows({ parts, rows, after })
    : [...orders, ...parts.limitBy].some((sql) => sql.includes(' OVER ('))
      ? windowedRows({ parts, rows, after })
      : null
  const inner = source ?? `SELECT ${listed}${rows}${after}`
  const order = parts.orderBy.map(({ order: each }, index) => printOrder(each, `o${index}`))
  return (
    `SELECT ${names(parts.items).join(', ')} FROM (${inner}) AS q WHERE place > ${Math.trunc(offset)} ` +
    `AND place <= ${Math.trunc(offset) + Math.trunc(count)}${clause('ORDER BY', order.join(', '))}${pageClause(page)}`
  )
}

/** A window function cannot stand in the window that numbers the rows: it is a column of the rows that are numbered. */
function windowedRows({ parts, rows, after }: Printed): string {
  const order = parts.orderBy.map(({ order: each }, index) => printOrder(each, `o${index}`))
  const over =
    clause('PARTITION BY', names(parts.limitBy, 'b').join(', ')) + clause('ORDER BY', order.join(', '))
  const listed = [
    columns(parts.items),
    ...parts.orderBy.map(({ sql }, index) => `${sql} AS o${index}`),
    ...parts.limitBy.map((sql, index) => `${sql} AS b${index}`),
  ]
  return `SELECT d.*, row_number() OVER (${over.trim()}) AS place FROM (SELECT ${listed.join(', ')}${rows}${after}) AS d`
}

function distinctRows({ parts, rows, after }: Printed): string {
  const own = (sql: string) => {
    const place = placeOf(sql, parts.items)
    return place === null ? sql : `c${Number(place) - 1}`
  }
  const order = parts.orderBy.map(({ sql, order: each }) => printOrder(each, own(sql)))
  const over =
    clause('PARTITION BY', parts.limitBy.map(own).join(', ')) + clause('ORDER BY', order.join(', '))
  const listed = [
    ...names(parts.items),
    ...parts.orderBy.map(({ sql }, index) => `${own(sql)} AS o${index}`),
    `row_number() OVER (${over.trim()}) AS place`,
  ]
  return `SELECT ${listed.join(', ')} FROM (SELECT DISTINCT ${columns(parts.items)}${rows}${after}) AS d`
}
