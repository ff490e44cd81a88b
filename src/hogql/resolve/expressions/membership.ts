// Resolves IN: lists, arrays, subqueries, CTEs, and static cohorts.
import type { Expr, InChoices, Query } from '../../ir'
import type { CompareOperation, Expression, Located } from '../../parser/ast'
import { INTEGER, STRING, tupleOf, type Type } from '../../types'
import { all, any, column, comparison, integer, selectOf } from '../../ir-build'
import type { CohortReference, Resolution } from '../context/resolution'
import { conversionHint, typeName } from '../types/type-names'
import { reconcile, reconcileAll, reconcileElements } from '../types/reconcile'
import { reject } from '../../error'
import { findInSources } from '../names/columns'
import { findCte, type CteEntry, type Scope } from '../context/scope'
import { warnOfEvents } from '../names/suggestions'

export function resolveIn(
  r: Resolution,
  node: Located,
  left: Expression,
  right: Expression,
  negated: boolean,
  scope: Scope,
): Expr {
  const value = r.expr(left, scope)
  if (right.node === 'SelectQuery' || right.node === 'SelectSetQuery') {
    return inQuery(r, node, value, r.query(right, scope.environment, scope), negated)
  }
  const cte = cteOf(r, right, scope)
  if (cte !== undefined) return inQuery(r, node, value, queryOfCte(r, cte, right), negated)
  const list = listOf(right)
  if (list !== undefined) {
    const items = list.map((item) => r.expr(item, scope))
    warnOfEvents(r, value, list)
    return inList(r, node, value, items, negated)
  }
  return inValue(r, node, value, r.expr(right, scope), negated)
}

const membership = (left: Expr, choices: InChoices, negated: boolean): Expr => ({
  node: 'in',
  negated,
  left,
  choices,
  type: INTEGER,
})

/** Returns the items of `(1, 2)`, `[1, 2]` or `tuple(1, 2)`. */
function listOf(right: Expression): readonly Expression[] | undefined {
  if (right.node === 'Tuple' || right.node === 'Array') return right.exprs
  if (right.node === 'Call' && /^(tuple|array)$/i.test(right.name)) return right.args
  return undefined
}

function inList(r: Resolution, node: Located, left: Expr, items: Expr[], negated: boolean): Expr {
  // Compared with a tuple, `(1, 2)` is one tuple, not two values.
  const whole = left.type.kind === 'tuple' && items.every(({ type }) => type.kind !== 'tuple')
  const choices: Expr[] = whole
    ? [{ node: 'tuple', items, type: tupleOf(...items.map(({ type }) => type)) }]
    : items
  const found = isOneOf(r, node, left, choices, negated)
  if (found === undefined) {
    const misfit = choices.find((item) => reconcile(left, item, r.context.timezone) === undefined)
    reject(node, cannotBeIn(left, misfit?.type ?? left.type), 'type_mismatch')
  }
  return found
}

/** Returns the condition that a value equals one of some others, or undefined when it is not comparable with one of them. */
export function isOneOf(
  r: Resolution,
  node: Located,
  left: Expr,
  choices: readonly Expr[],
  negated: boolean,
): Expr | undefined {
  const found = reconcileAll(left, choices, r.context.timezone)
  const [first, ...others] = (found ?? []).map(({ left: value, items }, index) =>
    membership(index === 0 ? value : r.reuse(value, node), { kind: 'list', items }, negated),
  )
  if (first === undefined) return undefined
  return negated ? all([first, ...others]) : any([first, ...others])
}

const cannotBeIn = (left: Expr, type: Type): string =>
  `${typeName(left.type).replace(/^a/, 'A')} cannot be IN a list that has ${typeName(type)}` +
  (type.kind === 'array' ? ': write IN and the array alone' : conversionHint([left.type, type]))

/** Resolves IN of an array, or of one value in parentheses. */
function inValue(r: Resolution, node: Located, left: Expr, right: Expr, negated: boolean): Expr {
  if (right.type.kind === 'tuple' && right.node === 'tuple')
    return inList(r, node, left, right.items, negated)
  if (right.type.kind !== 'array') return inList(r, node, left, [right], negated)
  const sides = reconcileElements(left, right, r.context.timezone)
  if (sides === undefined) reject(node, cannotBeIn(left, right.type.of), 'type_mismatch')
  return membership(sides[0], { kind: 'array', array: sides[1] }, negated)
}

function inQuery(r: Resolution, node: Located, left: Expr, query: Query, negated: boolean): Expr {
  const width = left.type.kind === 'tuple' ? left.type.of.length : 1
  if (query.items.length !== width) {
    reject(
      node,
      `The subquery has ${query.items.length} columns where ${width} are expected`,
      'type_mismatch',
    )
  }
  const lefts = left.type.kind === 'tuple' && left.node === 'tuple' ? left.items : [left]
  const converted = lefts.map((item, index) => beside(r, node, item, query.items[index]?.type ?? STRING))
  const value: Expr =
    left.node === 'tuple'
      ? { ...left, items: converted, type: { ...left.type, of: converted.map(({ type }) => type) } as Type }
      : (converted[0] ?? left)
  return membership(value, { kind: 'query', query }, negated)
}

/** Converts the left side to the type of the subquery's column. */
function beside(r: Resolution, node: Located, left: Expr, type: Type): Expr {
  const sides = reconcile(left, { node: 'element', parameter: -1, type }, r.context.timezone)
  if (sides === undefined || sides[1].node !== 'element')
    reject(node, cannotBeIn(left, type), 'type_mismatch')
  return sides[0]
}

/** Returns the CTE of a name that refers to nothing else. */
function cteOf(
  r: Resolution,
  right: Expression,
  scope: Scope,
): Extract<CteEntry, { kind: 'query' }> | undefined {
  if (right.node !== 'Field' || right.chain.length !== 1) return undefined
  const name = String(right.chain[0])
  if (scope.aliases.has(name) || scope.parameters.has(name)) return undefined
  const entry = findCte(scope.environment, name)
  if (entry?.kind !== 'query') return undefined
  return findInSources(r, scope, name, right) === undefined ? entry : undefined
}

function queryOfCte(
  r: Resolution,
  { id, columns, isLevel, use }: Extract<CteEntry, { kind: 'query' }>,
  node: Located,
): Query {
  use(node)
  const source = r.nextId()
  return selectOf({
    items: columns.map(({ name, key, type }) => ({ name, type, expr: column(source, key, type) })),
    from: { source: { kind: isLevel ? 'level' : 'cte', id: source, cte: id }, joins: [] },
  })
}

/** Resolves `person_id IN COHORT 12` and `IN COHORT 'name'`, which test for the members of a static cohort. */
export function resolveInCohort(r: Resolution, node: CompareOperation, negated: boolean, scope: Scope): Expr {
  const left = r.expr(node.left, scope)
  if (left.type.kind !== 'string') reject(node.left, 'IN COHORT takes the id of a person', 'type_mismatch')
  return inCohort(r, left, cohortIdOf(r, node.right), negated)
}

export const inCohort = (r: Resolution, person: Expr, cohort: number, negated: boolean): Expr =>
  membership(person, { kind: 'query', query: membersOf(r, cohort) }, negated)

function cohortIdOf(r: Resolution, node: Expression): number {
  const value = node.node === 'Constant' ? node.value : null
  return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value))
    ? findCohort(r, value, node)
    : reject(node, 'IN COHORT takes the id or the name of a cohort, as a constant', 'invalid_query')
}

/**
 * Returns the id of a static cohort.
 * @throws HogqlError for an unknown one
 */
export function findCohort(r: Resolution, reference: CohortReference, node: Located): number {
  const { findCohort: find } = r.context
  if (!find && typeof reference === 'number') return reference
  const wanted = typeof reference === 'number' ? `id ${reference}` : `name '${reference}'`
  return (
    find?.(reference) ??
    reject(
      node,
      `Could not find a static cohort with the ${wanted}. Queries read no dynamic ones: write their conditions in their place`,
      'invalid_query',
    )
  )
}

function membersOf(r: Resolution, cohort: number): Query {
  const id = r.nextId()
  return selectOf({
    items: [{ name: 'person_id', expr: column(id, 'person_id', STRING), type: STRING }],
    from: {
      source: {
        kind: 'table',
        id,
        table: 'cohort_people',
        columns: new Set(['person_id', 'cohort_id']),
        computed: new Map(),
      },
      joins: [],
    },
    where: comparison('=', column(id, 'cohort_id', INTEGER), integer(cohort)),
  })
}
