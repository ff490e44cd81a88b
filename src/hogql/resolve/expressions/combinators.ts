// Combinators that change what an aggregate function reads or gives: -Array, -ForEach, -State and -Merge. They are written with other
// aggregates, and with functions of arrays. A state is a value of HogQL: a number, or the array of what it has read.
import { reject } from '../../error'
import type { Expr } from '../../ir'
import { aggregateCall, call, integer, isNull } from '../../ir-build'
import type { Call } from '../../parser/ast'
import { arrayOf, FLOAT, INTEGER, required, tupleOf, type Type } from '../../types'
import { tupleElement } from '../names/access'
import { convertOrReject } from '../types/convert'
import { typeName } from '../types/type-names'
import type { Resolution } from '../context/resolution'
import type { Scope } from '../context/scope'
import { findAggregate, type NamedAggregate, resolveParts } from './aggregates'
import { calculate } from './arithmetic'
import { calculated, lambdaOf, mapped } from './macros/form'

type Combinator = 'array' | 'foreach' | 'state' | 'merge'

export interface Combined {
  combinator: Combinator
  named: NamedAggregate
}

/** `sumArray`, `uniqState`, `countIfMerge`, `sumArrayIf`. Names of the catalogue take precedence. */
export function findCombined(name: string): Combined | undefined {
  if (findAggregate(name) !== undefined) return undefined
  const [, base = '', combinator = '', condition = ''] =
    /^(.+?)(Array|ForEach|State|Merge)(If)?$/i.exec(name) ?? []
  const found = findAggregate(base + condition)
  // The condition of `countIfMerge` was that of the state.
  const named = found && /^merge$/i.test(combinator) ? { ...found, conditional: condition !== '' } : found
  return named && { combinator: combinator.toLowerCase() as Combinator, named }
}

/** What an aggregate gives of an array of its values. */
const FOLDS: Readonly<Record<string, (array: Expr) => Expr>> = {
  sum: (array) => call('arraySum', array),
  avg: (array) => call('arrayAvg', array),
  min: (array) => call('arrayMin', array),
  max: (array) => call('arrayMax', array),
  count: (array) => call('length', array),
  any: (array) => call('arrayElement', array, integer(1)),
  uniq: (array) => call('arrayUniq', array),
  uniqExact: (array) => call('arrayUniq', array),
  groupArray: (array) => array,
  groupUniqArray: (array) => call('arrayDistinct', array),
}

/** Aggregates whose results, aggregated, are those of all rows: with which function. */
const MERGED_BY: Readonly<Record<string, string>> = {
  count: 'sum',
  sum: 'sum',
  min: 'min',
  max: 'max',
  any: 'any',
  anyLast: 'anyLast',
  boolOr: 'max',
  boolAnd: 'min',
}

/** Aggregates whose state is a value and its key: with which function of the keys. */
const KEYED: Readonly<Record<string, string>> = { argMin: 'min', argMax: 'max' }

/** Aggregates whose state is the array of different values. */
const COUNTING_ONCE = new Set(['uniq', 'uniqExact', 'uniqHLL12', 'uniqCombined', 'uniqCombined64'])

export function resolveCombined(
  r: Resolution,
  node: Call,
  { combinator, named }: Combined,
  scope: Scope,
): Expr {
  if (node.distinct || node.order_by || node.params) {
    reject(node, `'${node.name}' takes no DISTINCT, ORDER BY or parameters`)
  }
  if (named.distinct || named.whenEmpty !== null) {
    reject(node, `'${node.name}' is not supported: -Distinct, -OrNull and -OrDefault stand alone`)
  }
  switch (combinator) {
    case 'array':
      return ofArray(r, node, named, scope)
    case 'foreach':
      return ofEach(r, node, named, scope)
    case 'state':
      return state(r, node, named, scope)
    case 'merge':
      return merged(r, node, named, scope)
  }
}

/** The values of all rows for which the condition holds. */
const gathered = (value: Expr, filter: Expr | null, fn = 'groupArray'): Expr => ({
  ...aggregateCall(fn, [value], arrayOf(required(value.type))),
  filter,
})

/** The one argument, an array, and the condition. */
function arrayArgument(
  r: Resolution,
  node: Call,
  named: NamedAggregate,
  scope: Scope,
): { lists: Expr; of: Type; fold: (array: Expr) => Expr } {
  const { spec } = named
  const fold = Object.hasOwn(FOLDS, spec.name) ? FOLDS[spec.name] : undefined
  if (fold === undefined) {
    reject(node, `'${node.name}' is not supported. It is of: ${Object.keys(FOLDS).join(', ')}`)
  }
  const any = { ...spec, takes: ['array' as const], optional: 0, rest: undefined }
  const { args, filter } = resolveParts(r, node, node.args, { ...named, spec: any }, scope)
  const [array] = args
  if (array?.type.kind !== 'array') return reject(node, `'${node.name}' takes an array`, 'type_mismatch')
  return { lists: gathered(array, filter), of: array.type.of, fold }
}

function ofArray(r: Resolution, node: Call, named: NamedAggregate, scope: Scope): Expr {
  const { lists, fold } = arrayArgument(r, node, named, scope)
  return fold(call('arrayFlatten', lists))
}

/** An array of what the aggregate gives of the first elements of all arrays, of the second ones, and so on. */
function ofEach(r: Resolution, node: Call, named: NamedAggregate, scope: Scope): Expr {
  const { lists, of, fold } = arrayArgument(r, node, named, scope)
  const list = arrayOf(of)
  const longest = call(
    'arrayMax',
    lambdaOf(r, list, (each) => call('length', each)),
    lists,
  )
  const places = call('range', integer(1), calculated('+', longest, integer(1)))
  return mapped(r, places, (place) => {
    const reaches = lambdaOf(r, list, (each): Expr => ({
      node: 'compare',
      op: '>=',
      left: call('length', each),
      right: place,
      type: INTEGER,
    }))
    const long = call('arrayFilter', reaches, r.reuse(lists, node))
    return fold(mapped(r, long, (each) => call('arrayElement', each, place)))
  })
}

function state(r: Resolution, node: Call, named: NamedAggregate, scope: Scope): Expr {
  const { name } = named.spec
  const { args, filter } = resolveParts(r, node, node.args, named, scope)
  const [value] = args
  const type = named.spec.returns(
    args.map((arg) => arg.type),
    args.map(() => undefined),
  )
  if (Object.hasOwn(MERGED_BY, name)) return { ...aggregateCall(name, args, type), filter }
  const [, key] = args
  // Of no rows, the least key would be 0.
  if (Object.hasOwn(KEYED, name) && value && key && key.type.kind !== 'tuple' && filter === null) {
    const known = isNull(r.reuse(value, node), true)
    const extreme = { ...aggregateCall(KEYED[name]!, [r.reuse(key, node)], key.type), filter: known }
    return { node: 'tuple', items: [aggregateCall(name, args, type), extreme], type: tupleOf(type, key.type) }
  }
  if (value !== undefined && args.length === 1) {
    if (COUNTING_ONCE.has(name)) return gathered(value, filter, 'groupUniqArray')
    if (name === 'groupArray' || name === 'groupUniqArray') return gathered(value, filter, name)
    if (name === 'avg') {
      const sum = { ...aggregateCall('sum', [value], named.spec.returns([FLOAT], [])), filter }
      const count = { ...aggregateCall('count', [value], INTEGER), filter }
      const total = calculate(r, '*', sum, { node: 'literal', value: 1, type: FLOAT }, node)
      return { node: 'tuple', items: [total, count], type: tupleOf(total.type, INTEGER) }
    }
  }
  return rejectState(node, name)
}

const rejectState = (node: Call, name: string): never =>
  reject(
    node,
    `'${node.name}' is not supported: states are of count, sum, avg, min, max, argMin, argMax, any, uniq, groupArray and groupUniqArray. Use ${name}(…) over the rows themselves`,
  )

function merged(r: Resolution, node: Call, named: NamedAggregate, scope: Scope): Expr {
  const { name } = named.spec
  const any = { ...named.spec, takes: ['any' as const], optional: 0, rest: undefined }
  const { args, filter } = resolveParts(r, node, node.args, { ...named, spec: any }, scope)
  const [value] = args
  if (value === undefined) return rejectState(node, name)
  const by = Object.hasOwn(MERGED_BY, name) ? MERGED_BY[name] : undefined
  if (by !== undefined) {
    const number = by === 'sum' ? convertOrReject(r, value, 'number', node, wrongState(node, value)) : value
    const { spec } = findAggregate(by)!
    return { ...aggregateCall(by, [number], spec.returns([number.type], [undefined])), filter }
  }
  if (name === 'avg') {
    if (value.type.kind !== 'tuple') reject(node, wrongState(node, value), 'type_mismatch')
    const [sum, count] = [1, 2].map((place) => {
      const item = tupleElement(value, place, node)
      return { ...aggregateCall('sum', [item], item.type), filter }
    }) as [Expr, Expr]
    return calculate(r, '/', sum, count, node)
  }
  if (Object.hasOwn(KEYED, name)) {
    if (value.type.kind !== 'tuple') reject(node, wrongState(node, value), 'type_mismatch')
    const [item, key] = [tupleElement(value, 1, node), tupleElement(value, 2, node)]
    return { ...aggregateCall(name, [item, key], item.type), filter }
  }
  if (value.type.kind !== 'array') reject(node, wrongState(node, value), 'type_mismatch')
  const all = call('arrayFlatten', gathered(value, filter))
  if (COUNTING_ONCE.has(name)) return call('arrayUniq', all)
  if (name === 'groupArray') return all
  return name === 'groupUniqArray' ? call('arrayDistinct', all) : rejectState(node, name)
}

const wrongState = (node: Call, value: Expr): string =>
  `'${node.name}' takes a column of ${node.name.replace(/Merge/i, 'State')}(…), and got ${typeName(value.type)}`
