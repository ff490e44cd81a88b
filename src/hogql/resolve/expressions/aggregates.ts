// Resolves aggregate functions with conditions, DISTINCT, FILTER, and combinators at the end of their names.
import { findFunction } from '../../functions/catalogue'
import { isByKey, OVER_MAP } from '../../functions/aggregates/gathered'
import type { AggregateFunction } from '../../functions/spec'
import type { Aggregate, Expr, Literal } from '../../ir'
import type { Call, Expression, Located } from '../../parser/ast'
import { BOOLEAN, DATE, DATETIME, FLOAT, INTEGER, nullable, isMap, type Type } from '../../types'
import { aggregateCall, branch, call, comparison, integer, literal, literalOf, text } from '../../ir-build'
import { tupleElement } from '../names/access'
import { mapOf } from '../names/maps'
import { typeName } from '../types/type-names'
import { resolveArguments, typeOfCall } from './arguments'
import { allOf, resolveCondition } from './conditions'
import type { Resolution } from '../context/resolution'
import { isDefinedText } from '../types/properties'
import { containsAggregate, containsWindow } from '../../ir-walk'
import { reject } from '../../error'
import { constantNumber } from './constant-number'
import type { Scope } from '../context/scope'

/** An aggregate function with its name's combinators. */
export interface NamedAggregate {
  spec: AggregateFunction
  /** Whether the last argument is a condition, as in `sumIf`. */
  conditional: boolean
  /** Whether the name ends with the combinator -Distinct. */
  distinct: boolean
  /** The result without rows, as in `sumOrNull` and `sumOrDefault`. */
  whenEmpty: 'null' | 'default' | null
}

/** Finds an aggregate. Names of the catalogue take precedence over combinators. */
export function findAggregate(name: string): NamedAggregate | undefined {
  const combined: Omit<NamedAggregate, 'spec'> = { conditional: false, distinct: false, whenEmpty: null }
  // The condition of `countIfMerge` belongs to the state.
  const [, base = '', suffix = ''] = /^(.+)If(State|Merge)$/i.exec(name) ?? []
  const ofState = findFunction(base + suffix)
  if (ofState?.kind === 'aggregate')
    return { ...combined, spec: ofState, conditional: suffix.toLowerCase() === 'state' }
  let rest = name
  for (let stripped = 0; stripped <= 3; stripped++) {
    const spec = findFunction(rest)
    if (spec?.kind === 'aggregate') return { ...combined, spec }
    const combinator = /^(.+?)(If|OrNull|OrDefault|Distinct)$/i.exec(rest)
    if (combinator === null) return undefined
    addCombinator(combined, String(combinator[2]).toLowerCase())
    rest = String(combinator[1])
  }
  return undefined
}

function addCombinator(combined: Omit<NamedAggregate, 'spec'>, combinator: string): void {
  if (combinator === 'if') combined.conditional = true
  if (combinator === 'distinct') combined.distinct = true
  if (combinator === 'ornull') combined.whenEmpty = 'null'
  if (combinator === 'ordefault') combined.whenEmpty = 'default'
}

/** @param params those of a function that another one expresses */
export function resolveAggregate(
  r: Resolution,
  node: Call,
  named: NamedAggregate,
  scope: Scope,
  params?: Literal[],
): Expr {
  if (node.order_by) reject(node, `ORDER BY inside '${node.name}' is not supported`)
  if (isByKey(named.spec.name) && node.args.length === (named.conditional ? 2 : 1))
    return resolveOverMap(r, node, named, scope)
  const parts = resolveParts(r, node, node.args, named, scope)
  const aggregate: Aggregate = {
    node: 'aggregate',
    fn: named.spec.name,
    args: parts.args,
    params: params ?? resolveParams(r, node, named.spec, node.params ?? [], scope),
    distinct: named.distinct || node.distinct === true,
    filter: parts.filter,
    type: typeOfCall(node, named.spec, parts.args),
  }
  if (aggregate.distinct) rejectDistinct(node, named.spec, parts.args)
  if (aggregate.type.kind === 'tuple' && aggregate.type.stateOf && named.whenEmpty !== null)
    reject(node, `'${node.name}' is not supported: -OrNull and -OrDefault have no state`)
  for (const part of [...aggregate.args, aggregate.filter]) {
    if (part !== null) rejectInside(part, node)
  }
  return applyWhenEmpty(r, aggregate, named, node)
}

/** Resolves `sumMap(map)` and the like by the map's keys and values. */
function resolveOverMap(r: Resolution, node: Call, named: NamedAggregate, scope: Scope): Expr {
  const [map, ...condition] = node.args
  const { type } = r.expr(map!, scope)
  if (!isMap(type))
    reject(node, `'${node.name}' takes a map, or two arrays, and got ${typeName(type)}`, 'type_mismatch')
  const parts = ['mapKeys', 'mapValues'].map((name): Call => ({
    ...node,
    name,
    args: [map!],
    params: null,
    filter_expr: null,
  }))
  const folded = resolveAggregate(r, { ...node, args: [...parts, ...condition] }, named, scope, [OVER_MAP])
  const [keys, values] = [1, 2].map((place) => tupleElement(r.reuse(folded, node), place, node))
  return mapOf(node, call('arrayZip', keys!, values!))
}

/** Resolves the arguments of an aggregate, and its condition, which combines the one among them and that of FILTER. */
export function resolveParts(
  r: Resolution,
  node: Located & { name: string; filter_expr?: Expression | null; distinct?: boolean | null },
  given: readonly Expression[],
  { spec, conditional, distinct }: NamedAggregate,
  scope: Scope,
): { args: Expr[]; filter: Expr | null } {
  const last = given.at(-1)
  if (conditional && last === undefined) {
    reject(node, `Function '${node.name}' takes a condition as its last argument`, 'invalid_query')
  }
  const condition = conditional ? last : undefined
  const rest = conditional ? given.slice(0, -1) : given
  const args = isStar(rest) ? [] : rest
  if (spec.name === 'count' && args.length > 1 && !distinct && !node.distinct)
    reject(node, `Function '${node.name}' takes at most 1 argument, and got ${args.length}`, 'invalid_query')
  const resolved = resolveArguments(r, node, spec, args, scope)
  warnOfTexts(r, node, spec, resolved)
  return {
    args: resolved,
    filter: allOf(
      condition === undefined ? null : resolveCondition(r, condition, scope),
      node.filter_expr ? resolveCondition(r, node.filter_expr, scope) : null,
    ),
  }
}

/** Warns when a number is read from a property that is text by its definition: most are NULL. */
function warnOfTexts(
  r: Resolution,
  node: Located & { name: string },
  { takes }: AggregateFunction,
  args: readonly Expr[],
): void {
  for (const [index, arg] of args.entries()) {
    const isNumeric = takes[index] === 'number' || takes[index] === 'float' || takes[index] === 'integer'
    const [property] = isNumeric && arg.node === 'call' ? arg.args : []
    if (property?.node !== 'property' || !isDefinedText(property)) continue
    const name = property.path.join('.')
    r.warn(
      node,
      `'${node.name}' takes numbers, and the property '${name}' is text: what is not a number is left out`,
    )
  }
}

/** Returns whether the arguments are `*`: `count(*)` counts rows, as `count()` does. */
const isStar = (args: readonly Expression[]): boolean =>
  args.length === 1 && args[0]?.node === 'Field' && args[0].chain.at(-1) === '*'

/** Resolves the constants in the first parentheses, as in `quantile(0.9)(x)`. */
export function resolveParams(
  r: Resolution,
  node: Located & { name: string },
  { params: taken = { min: 0, max: 0 }, name }: AggregateFunction,
  given: readonly Expression[],
  scope: Scope,
): Literal[] {
  if (given.length < taken.min || given.length > taken.max) {
    const range = taken.min === taken.max ? `${taken.min}` : `${taken.min} to ${taken.max}`
    const extra = given[taken.max]
    const mode =
      extra?.node === 'Constant' && typeof extra.value === 'string'
        ? `: '${extra.value}' is not supported`
        : ''
    reject(
      node,
      `Function '${name}' takes ${range} parameters, and got ${given.length}${mode}`,
      'invalid_query',
    )
  }
  return given.map((param) => {
    const value = constantNumber(param) ?? literalOf(r.expr(param, scope))
    return value === undefined
      ? reject(param, `The parameters of '${name}' are constants`, 'invalid_query')
      : value
  })
}

/** Rejects DISTINCT for functions that it would silently change: it is for functions that count a value once. */
function rejectDistinct(node: Call, { name, ofDistinct }: AggregateFunction, args: readonly Expr[]): void {
  if (args.length === 0) {
    reject(
      node,
      `DISTINCT in '${node.name}' takes the values to tell apart, such as ${name}(DISTINCT person_id)`,
      'invalid_query',
    )
  }
  if (!ofDistinct) reject(node, `DISTINCT in '${node.name}' is not supported`)
}

function rejectInside(part: Expr, node: Located & { name: string }): void {
  if (containsAggregate(part)) {
    reject(node, `Aggregate function '${node.name}' cannot have another one inside`, 'invalid_query')
  }
  if (containsWindow(part)) {
    reject(node, `Aggregate function '${node.name}' cannot have a window function inside`, 'invalid_query')
  }
}

function applyWhenEmpty(
  r: Resolution,
  aggregate: Aggregate,
  { whenEmpty: given }: NamedAggregate,
  node: Call,
): Expr {
  switch (given) {
    case null:
      return aggregate
    case 'null':
      return unlessEmpty(aggregate)
    case 'default':
      return orDefault(r, aggregate, node)
  }
}

function unlessEmpty(aggregate: Aggregate): Expr {
  const [counted] = aggregate.args
  const rows = aggregateCall('count', counted === undefined ? [] : [counted], INTEGER)
  const hasRows = comparison('!=', { ...rows, filter: aggregate.filter }, integer(0))
  const branches = [branch(hasRows, aggregate)]
  return { node: 'case', branches, otherwise: null, type: nullable(aggregate.type) }
}

/** The default of a type that may be NULL is NULL. */
function orDefault(r: Resolution, aggregate: Aggregate, node: Call): Expr {
  const value = unlessEmpty(aggregate)
  if (aggregate.type.nullable) return value
  const nothing = defaultOf(aggregate.type)
  if (nothing === undefined) reject(node, `'${node.name}' is not supported`)
  const chosen = call('coalesce', value, nothing)
  return { ...r.reuse(chosen, node), type: aggregate.type }
}

/** Returns ClickHouse's default of a type, or undefined for a type without one. */
export function defaultOf({ kind }: Type): Expr | undefined {
  switch (kind) {
    case 'integer':
      return integer(0)
    case 'float':
      return literal(0, FLOAT)
    case 'boolean':
      return literal(false, BOOLEAN)
    case 'string':
    case 'json':
      return text('')
    case 'datetime':
      return literal('1970-01-01T00:00:00.000000Z', DATETIME)
    case 'date':
      return literal('1970-01-01', DATE)
    case 'null':
    case 'array':
    case 'tuple':
      return undefined
  }
}
