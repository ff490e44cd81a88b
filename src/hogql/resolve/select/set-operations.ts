// Resolves UNION, INTERSECT and EXCEPT: their legs, and a common type for each column.
import type { Query, SetOperation, SetOperator } from '../../ir'
import type { SelectSetNode, SelectSetQuery, Selection } from '../../parser/ast'
import { constantCount } from './clauses'
import type { Resolution } from '../context/resolution'
import { resolveCtes } from '../names/ctes'
import { reject } from '../../error'
import type { Environment, Scope } from '../context/scope'
import { checkWidth, type Leg, unifyLegs } from './unify-legs'

export function resolveSet(
  r: Resolution,
  node: SelectSetQuery,
  environment: Environment,
  outer: Scope | null,
): SetOperation {
  // A leading WITH applies to all legs, though the parser attaches it to the first.
  const first = node.initial_select_query
  const ctes = resolveCtes(r, first.node === 'SelectQuery' ? (first.ctes ?? []) : [], environment)
  const resolveLeg = (leg: Selection) => r.query(leg, ctes.environment, outer)
  const initial = resolveLeg(first.node === 'SelectQuery' ? { ...first, ctes: null } : first)
  const legs = node.subsequent_select_queries.map((leg) => {
    const query = resolveLeg(leg.select_query)
    return {
      operator: operatorOf(leg),
      query: BY_NAME.test(leg.set_operator) ? inOrderOf(initial, query, leg) : query,
    }
  })
  if (node.limit_by || node.limit_with_ties) {
    const clause = node.limit_by ? 'LIMIT … BY' : 'LIMIT … WITH TIES'
    reject(node, `${clause} after a set operation is not supported: select from it in a subquery`)
  }
  const grouped = bindIntersections(initial, legs, node)
  return {
    ...unifyLegs(r, grouped.initial, grouped.rest, node),
    ctes: ctes.used(),
    limit: constantCount(node.limit, 'LIMIT'),
    offset: constantCount(node.offset, 'OFFSET') ?? 0,
  }
}

const OPERATORS: readonly SetOperator[] = [
  'union all',
  'union distinct',
  'intersect',
  'intersect distinct',
  'except',
  'except distinct',
]

const BY_NAME = / BY NAME$/i

/** Orders the columns of a leg of `UNION … BY NAME` like those of the first leg. */
function inOrderOf(initial: Query, query: Query, leg: SelectSetNode): Query {
  const order = initial.items.map(({ name }) => query.items.findIndex((item) => item.name === name))
  if (query.kind !== 'select' || query.items.length !== order.length || order.includes(-1)) {
    const names = initial.items.map(({ name }) => name).join(', ')
    reject(leg.select_query, `BY NAME takes a SELECT of the same names: ${names}`, 'invalid_query')
  }
  return { ...query, items: order.map((place) => query.items[place]!) }
}

function operatorOf(leg: SelectSetNode): SetOperator {
  const written = leg.set_operator.replace(BY_NAME, '').toLowerCase()
  const operator = OPERATORS.find((known) => known === written)
  return operator ?? reject(leg.select_query, `${leg.set_operator} is not supported`)
}

/** Binds INTERSECT first, which has the higher precedence. */
function bindIntersections(
  initial: Query,
  legs: readonly Leg[],
  node: SelectSetQuery,
): { initial: Query; rest: Leg[] } {
  const isIntersection = ({ operator }: Leg) => operator.startsWith('intersect')
  if (legs.every(isIntersection) || !legs.some(isIntersection)) return { initial, rest: [...legs] }
  let first = initial
  const rest: Leg[] = []
  for (const leg of legs) {
    const last = rest.at(-1)
    if (!isIntersection(leg)) rest.push(leg)
    else if (last === undefined) first = intersection(first, leg, node)
    else rest[rest.length - 1] = { ...last, query: intersection(last.query, leg, node) }
  }
  return { initial: first, rest }
}

const intersection = (initial: Query, leg: Leg, node: SelectSetQuery): Query => {
  checkWidth(initial, leg.query, node)
  return {
    kind: 'set',
    ctes: [],
    initial,
    rest: [leg],
    items: initial.items.map(({ name, type }) => ({ name, type })),
    limit: null,
    offset: 0,
  }
}
