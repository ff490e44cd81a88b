// Parses queries: SELECTs with what precedes them, and set operations.
import { HogqlError } from '../error'
import type {
  CTE,
  Expression,
  LimitByExpr,
  SelectQuery,
  Selection,
  SelectSetNode,
  SelectSetQuery,
} from './ast'
import { windowIn } from './function-calls'
import { joins } from './joins'
import { placeholder } from './operands'
import { rejectOtherClause } from './other-clauses'
import { orderBy } from './ordering'
import { PRECEDENCE } from './nodes'
import { notSupported, type Reader } from './reader'

/** Parses a query, which may be a set operation. */
export function selection(reader: Reader): Selection {
  const { start } = reader.token
  return setOf(reader, term(reader), start)
}

/** A query, or a placeholder for one, which the resolver rejects. */
type Term = Selection | Expression

/** Parses the set operations after a query, and the LIMIT of the whole. */
export function setOf(reader: Reader, first: Term, start: number): Selection {
  const others: SelectSetNode[] = []
  while (reader.isSetOperator()) {
    const from = reader.token.start
    const operator = setOperator(reader)
    const query = term(reader) as Selection
    others.push(reader.node('SelectSetNode', from, { select_query: query, set_operator: operator }))
  }
  if (reader.is('ORDER', 'BY')) {
    throw notSupported(
      'ORDER BY after a set operation is not supported: select from it in a subquery',
      reader.token,
    )
  }
  const limits = reader.is('LIMIT') || reader.is('OFFSET') ? limitsOf(reader) : {}
  if (others.length === 0) {
    if (isLimitedTwice(first, limits)) {
      throw notSupported(
        'The query has a LIMIT or OFFSET already: write SELECT * FROM (…) LIMIT ….',
        first as never,
      )
    }
    return Object.assign(first, limits) as Selection
  }
  return reader.node('SelectSetQuery', start, {
    initial_select_query: first as Selection,
    subsequent_select_queries: others,
    ...limits,
  }) as SelectSetQuery
}

/** Returns whether limits would replace those of a query, or would skip rows after its limit. */
function isLimitedTwice(query: Term, added: Limits): boolean {
  const own = query as Limits
  if (added.limit_by) return Boolean(own.limit_by || own.limit || own.offset)
  return Boolean((added.limit && own.limit) || (added.offset && (own.limit || own.offset)))
}

function setOperator(reader: Reader): string {
  const words = [reader.next().word]
  if (reader.take('ALL')) words.push('ALL')
  else if (reader.take('DISTINCT') || words[0] === 'UNION') words.push('DISTINCT')
  if (reader.take('BY', 'NAME')) words.push('BY NAME')
  return words.join(' ')
}

function term(reader: Reader): Term {
  if (reader.is('{')) return placeholder(reader)
  const { start } = reader.token
  const ctes = reader.is('WITH') ? withClause(reader) : null
  if (!reader.take('(')) return select(reader, start, ctes)
  const query = reader.selection()
  reader.expect(')')
  if (ctes) {
    const first = query.node === 'SelectSetQuery' ? query.initial_select_query : query
    ;(first as SelectQuery).ctes = [...ctes, ...((first as SelectQuery).ctes ?? [])]
  }
  return query
}

function withClause(reader: Reader): CTE[] {
  reader.expect('WITH')
  const recursive = reader.is('RECURSIVE') && reader.isName(reader.after()) && reader.take('RECURSIVE')
  const ctes: CTE[] = []
  do {
    if (reader.beginsQuery()) break
    ctes.push(cte(reader, recursive))
  } while (reader.take(','))
  return ctes
}

/** Parses `name AS (SELECT …)`, or `expression AS name`. */
function cte(reader: Reader, recursive: boolean): CTE {
  const { start } = reader.token
  if (!namesQuery(reader)) {
    const expr = reader.expression(PRECEDENCE.alias + 1)
    reader.expect('AS')
    return reader.node('CTE', start, { cte_type: 'column' as const, name: reader.name(), expr })
  }
  const name = reader.name()
  const columns = reader.is('(') ? reader.names() : null
  const keys = reader.take('USING', 'KEY') ? reader.names() : null
  reader.expect('AS')
  const isNegated = reader.take('NOT')
  const materialized = reader.take('MATERIALIZED') ? !isNegated : null
  reader.expect('(')
  const expr = reader.selection()
  reader.expect(')')
  return reader.node('CTE', start, {
    cte_type: 'subquery' as const,
    name,
    expr,
    columns,
    using_key: keys,
    materialized,
    ...(recursive ? { recursive } : {}),
  })
}

/** Returns whether a name, perhaps with columns, and AS and parentheses come next. */
function namesQuery(reader: Reader): boolean {
  if (!reader.isName()) return false
  let ahead = 1
  if (reader.after(ahead).word === '(') {
    while (reader.isName(reader.after(ahead + 1))) {
      ahead += 2
      if (reader.after(ahead).word !== ',') break
    }
    if (reader.after(ahead).word !== ')') return false
    ahead += 1
  }
  if (reader.after(ahead).word === 'USING') return true
  return reader.after(ahead).word === 'AS' && /^(?:\(|NOT|MATERIALIZED)$/.test(reader.after(ahead + 1).word)
}

function select(reader: Reader, start: number, ctes: CTE[] | null): SelectQuery {
  if (!reader.is('SELECT')) reader.fail()
  reader.next()
  if (reader.is('DISTINCT', 'ON', '('))
    throw notSupported('DISTINCT ON is not supported: use LIMIT 1 BY … after ORDER BY', reader.token)
  const distinct = isDistinct(reader) && reader.take('DISTINCT')
  if (reader.is('TOP') && reader.after().kind === 'integer') {
    throw notSupported('TOP is not supported: use LIMIT at the end of the query', reader.token)
  }
  const query = {
    ctes,
    select: items(reader),
    distinct: distinct || null,
    select_from: reader.take('FROM') ? joins(reader) : null,
    ...arrayJoin(reader),
    prewhere: reader.take('PREWHERE') ? reader.expression() : null,
    where: reader.take('WHERE') ? reader.expression() : null,
    ...groupBy(reader),
    having: reader.take('HAVING') ? reader.expression() : null,
    qualify: reader.take('QUALIFY') ? reader.expression() : null,
    ...windows(reader),
    ...(reader.is('ORDER', 'BY') ? { order_by: orderBy(reader) } : {}),
    ...limitsOf(reader),
  }
  rejectOtherClause(reader)
  if (query.array_join_op && !query.select_from) {
    throw notSupported('ARRAY JOIN is not supported without FROM', { start, end: reader.end })
  }
  return reader.node('SelectQuery', start, query) as SelectQuery
}

/** Returns whether DISTINCT comes next: `distinct` may also be a column. */
const isDistinct = (reader: Reader) =>
  reader.is('DISTINCT') && (reader.beginsExpression(reader.after()) || reader.after().word === 'FROM')

/** Words of the grammar that can be the name of a column without AS. */
const ALIASES = new Set('ASC ASCENDING COHORT DATE DESCENDING FINAL ID RETURN TOP TOTALS'.split(' '))

function items(reader: Reader): Expression[] {
  const found: Expression[] = []
  if (reader.is('FROM') && !reader.beginsExpression() && reader.after().kind !== 'sign') {
    throw new HogqlError('Syntax error: SELECT needs columns before FROM.', reader.token, 'syntax_error')
  }
  do {
    found.push(item(reader))
  } while (reader.is(',') && !reader.endsList() && reader.take(','))
  reader.take(',')
  return found
}

function item(reader: Reader): Expression {
  const { start } = reader.token
  if (reader.isName() && reader.after().word === ':') {
    const alias = reader.name()
    reader.next()
    return reader.node('Alias', start, { alias, expr: reader.expression() })
  }
  const expr = reader.expression()
  rejectOtherClause(reader)
  if (!reader.isPlainName(ALIASES)) return expr
  return reader.node('Alias', start, { alias: reader.name(), expr })
}

function arrayJoin(reader: Reader): Pick<SelectQuery, 'array_join_op' | 'array_join_list'> {
  const kind = reader.is('LEFT', 'ARRAY') || reader.is('INNER', 'ARRAY') ? `${reader.next().word} ` : ''
  if (!reader.take('ARRAY', 'JOIN')) return {}
  const list = reader.list()
  for (const each of list) {
    if (each.node === 'Alias') continue
    throw new HogqlError('ARRAY JOIN arrays must have an alias', each as never, 'syntax_error')
  }
  return { array_join_op: `${kind}ARRAY JOIN`, array_join_list: list }
}

interface Grouping {
  group_by: unknown
  group_by_mode?: string
}

function groupBy(reader: Reader): object {
  if (!reader.take('GROUP', 'BY')) return { group_by: null }
  const by = groupKeys(reader)
  const modifier = reader.is('WITH', 'CUBE') || reader.is('WITH', 'ROLLUP')
  if (modifier && by.group_by_mode) throw groupedTwice(reader)
  if (modifier) reader.next()
  const mode = modifier ? { group_by_mode: reader.next().word.toLowerCase() } : {}
  const isSeveral = modifier || by.group_by_mode !== undefined
  if (isSeveral && reader.is('WITH', 'TOTALS')) throw groupedTwice(reader)
  return { ...by, ...mode, ...(reader.take('WITH', 'TOTALS') ? { with_totals: true } : {}) }
}

const groupedTwice = ({ token }: Reader) =>
  notSupported(
    'GROUP BY takes one of ALL, CUBE, ROLLUP, GROUPING SETS and WITH TOTALS: write the sets as GROUPING SETS (…)',
    token,
  )

function groupKeys(reader: Reader): Grouping {
  if (reader.is('ALL') && !/^[,.(]$/.test(reader.after().word)) {
    reader.next()
    return { group_by: null, group_by_mode: 'all' }
  }
  if (reader.is('CUBE', '(') || reader.is('ROLLUP', '(')) {
    const mode = reader.next().word.toLowerCase()
    reader.expect('(')
    const keys = reader.list()
    reader.expect(')')
    return { group_by: keys, group_by_mode: mode }
  }
  if (!reader.take('GROUPING', 'SETS', '(')) return { group_by: reader.list() }
  const sets: object[] = []
  do {
    const { start } = reader.token
    reader.expect('(')
    const exprs = reader.is(')') ? [] : reader.list()
    reader.expect(')')
    sets.push(reader.node('GroupingSet', start, { exprs }))
  } while (reader.take(','))
  reader.expect(')')
  return { group_by: sets, group_by_mode: 'grouping_sets' }
}

function windows(reader: Reader): Pick<SelectQuery, 'window_exprs'> {
  if (!reader.take('WINDOW')) return {}
  const found: NonNullable<SelectQuery['window_exprs']> = {}
  do {
    const name = reader.name()
    reader.expect('AS', '(')
    found[name] = windowIn(reader)
  } while (reader.take(','))
  return { window_exprs: found }
}

/** Parses LIMIT … BY, then LIMIT and OFFSET. */
function limitsOf(reader: Reader): Limits {
  const by = limitBy(reader)
  const { token } = reader
  const added = limit(reader)
  const isTwice = Object.keys(added).some((key) => key in by) || ('limit_by' in added && 'offset' in by)
  if (isTwice || (by.limit && added.limit_by)) {
    throw notSupported(
      'The query has a LIMIT or OFFSET already: a LIMIT … BY comes before the one LIMIT.',
      token,
    )
  }
  return { ...by, ...added }
}

interface Limits {
  limit_by?: LimitByExpr
  limit?: Expression
  limit_with_ties?: boolean
  offset?: Expression
}

function limitBy(reader: Reader): Limits {
  if (!reader.is('LIMIT')) return reader.take('OFFSET') ? { offset: reader.expression() } : {}
  const { start } = reader.next()
  const first = reader.expression()
  if (reader.take('%')) throw notSupported('LIMIT takes a number of rows, not a share of them.', reader.token)
  const isPair = reader.take(',')
  const second = isPair || reader.take('OFFSET') ? reader.expression() : null
  if (reader.take('BY')) {
    const [n, offset] = isPair ? [second!, first] : [first, second]
    return {
      limit_by: reader.node('LimitByExpr', start, { n, offset_value: offset, exprs: reader.list() }),
    }
  }
  const ties = reader.take('WITH', 'TIES') ? { limit_with_ties: true } : {}
  const offset = second ?? (reader.take('OFFSET') ? reader.expression() : null)
  return { limit: first, ...ties, ...(offset ? { offset } : {}) }
}

/** Parses the LIMIT after a LIMIT … BY. */
function limit(reader: Reader): Limits {
  return reader.is('LIMIT') ? limitBy(reader) : {}
}
