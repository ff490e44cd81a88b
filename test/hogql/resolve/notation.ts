// Resolved queries as one line, for tests: `s0` is source 0, `->` a path into a document, `>>` a shift.
import type { Cte, Expr, FrameBound, InChoices, Order, Query, Source, Window } from '../../../src/hogql/ir'
import type { Type } from '../../../src/hogql/types'

function writeType(type: Type): string {
  const mark = type.nullable ? '?' : ''
  switch (type.kind) {
    case 'array':
      return `[${writeType(type.of)}]${mark}`
    case 'tuple':
      return `(${type.of.map(writeType).join(', ')})${mark}`
    case 'integer':
    case 'float':
    case 'string':
    case 'boolean':
    case 'datetime':
    case 'date':
    case 'json':
    case 'null':
      return type.kind + mark
  }
}

const list = (exprs: readonly Expr[]): string => exprs.map(writeExpr).join(', ')

function writeExpr(expr: Expr): string {
  switch (expr.node) {
    case 'literal':
      return expr.type.kind === 'date' || expr.type.kind === 'datetime'
        ? `${expr.type.kind} ${String(expr.value)}`
        : JSON.stringify(expr.value)
    case 'variable':
      return `{${expr.name} ${writeType(expr.type)}}`
    case 'clock':
      return expr.which
    case 'column':
      return `s${expr.source}.${expr.column}`
    case 'property':
      return `${writeExpr(expr.document)}->${expr.path.join('.')}`
    case 'call':
      return `${expr.fn}(${list(expr.args)})`
    case 'aggregate': {
      const params = expr.params.length === 0 ? '' : `(${expr.params.join(', ')})`
      return `${expr.fn}${params}(${expr.distinct ? 'distinct ' : ''}${list(expr.args)})${filter(expr.filter)}`
    }
    case 'window':
      return `${expr.fn}(${list(expr.args)})${filter(expr.filter)} over (${writeWindow(expr.over)})`
    case 'compare':
    case 'like':
    case 'arithmetic':
      return `(${writeExpr(expr.left)} ${expr.op} ${writeExpr(expr.right)})`
    case 'isNull':
      return `(${writeExpr(expr.operand)} is${expr.negated ? ' not' : ''} null)`
    case 'in':
      return `(${writeExpr(expr.left)}${expr.negated ? ' not' : ''} in ${writeChoices(expr.choices)})`
    case 'and':
    case 'or':
      return `(${expr.operands.map(writeExpr).join(` ${expr.node} `)})`
    case 'not':
      return `not ${writeExpr(expr.operand)}`
    case 'negate':
      return `-${writeExpr(expr.operand)}`
    case 'shift':
      return `(${writeExpr(expr.moment)} >> ${writeExpr(expr.amount)} ${expr.unit})`
    case 'case': {
      const branches = expr.branches.map(({ when, then }) => `${writeExpr(when)} ? ${writeExpr(then)} : `)
      return `(${branches.join('')}${expr.otherwise ? writeExpr(expr.otherwise) : 'null'})`
    }
    case 'array':
      return `[${list(expr.items)}]`
    case 'tuple':
      return `<${list(expr.items)}>`
    case 'lambda':
      return `${expr.parameters.map((id) => `e${id}`).join(', ')} -> ${writeExpr(expr.body)}`
    case 'element':
      return `e${expr.parameter}`
    case 'subquery':
      return writeQuery(expr.query)
    case 'exists':
      return `exists ${writeQuery(expr.query)}`
    case 'lookup':
      return `t${expr.table}[${writeExpr(expr.operand)}]`
  }
}

const filter = (expr: Expr | null): string => (expr ? ` filter ${writeExpr(expr)}` : '')

function writeChoices(choices: InChoices): string {
  switch (choices.kind) {
    case 'list':
      return `(${list(choices.items)})`
    case 'array':
      return writeExpr(choices.array)
    case 'query':
      return writeQuery(choices.query)
  }
}

function writeWindow({ partitionBy, orderBy, frame }: Window): string {
  return [
    partitionBy.length > 0 && `by ${list(partitionBy)}`,
    orderBy.length > 0 && `order ${writeOrder(orderBy)}`,
    frame && `${frame.unit} ${writeBound(frame.start)} to ${writeBound(frame.end)}`,
  ]
    .filter(Boolean)
    .join(' ')
}

const writeBound = (bound: FrameBound): string =>
  'count' in bound ? `${bound.count} ${bound.kind}` : bound.kind

const writeOrder = (terms: readonly Order[]): string =>
  terms.map(({ expr, descending }) => writeExpr(expr) + (descending ? ' desc' : '')).join(', ')

const writeCtes = (ctes: readonly Cte[]): string =>
  ctes
    .map(({ id, query, steps = [] }) => `with cte${id} ${[query, ...steps].map(writeQuery).join(' then ')} `)
    .join('')

export function writeQuery(query: Query): string {
  const end = [
    query.kind === 'select' && query.orderBy.length > 0 && `order ${writeOrder(query.orderBy)}`,
    query.kind === 'select' &&
      query.limitBy &&
      `limit ${query.limitBy.count} offset ${query.limitBy.offset} by ${list(query.limitBy.by)}`,
    query.limit !== null && `limit ${query.limit}`,
    query.offset > 0 && `offset ${query.offset}`,
  ]
  return `{${[...beginning(query), ...end].filter(Boolean).join(' ')}}`
}

function beginning(query: Query): (string | false | null)[] {
  if (query.kind === 'set') {
    const legs = query.rest.map((leg) => `${leg.operator} ${writeQuery(leg.query)}`)
    return [writeCtes(query.ctes) + writeQuery(query.initial), ...legs]
  }
  const items = query.items.map(
    ({ name, expr, type }) => `${writeExpr(expr)} as '${name}' ${writeType(type)}`,
  )
  const joins = (query.from?.joins ?? []).map(
    ({ kind, source, on }) => `${kind} ${writeSource(source)}${on ? ` on ${writeExpr(on)}` : ''}`,
  )
  return [
    writeCtes(query.ctes) + (query.distinct ? 'distinct ' : '') + items.join(', '),
    query.from && `from ${[writeSource(query.from.source), ...joins].join(' ')}`,
    query.where && `where ${writeExpr(query.where)}`,
    query.groupBy.length > 0 && `group ${list(query.groupBy)}`,
    query.aggregated && query.groupBy.length === 0 && 'aggregated',
    query.having && `having ${writeExpr(query.having)}`,
  ]
}

function writeSource(source: Source): string {
  switch (source.kind) {
    case 'table':
      return `${source.table}(${[...source.columns].join(', ')}) s${source.id}`
    case 'query':
      return `${writeQuery(source.query)} s${source.id}`
    case 'cte':
      return `cte${source.cte} s${source.id}`
    case 'level':
      return `level of cte${source.cte} s${source.id}`
    case 'elements':
      return `elements of ${writeExpr(source.array)} s${source.id}`
    case 'stored':
      return `stored s${source.id}`
    case 'numbers':
      return `numbers(${writeExpr(source.start)}, ${writeExpr(source.count)}) s${source.id}`
  }
}
