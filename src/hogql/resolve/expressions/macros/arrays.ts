// Functions of arrays and tuples that are written with other functions of arrays, and those of values in JSON.
import { reject } from '../../../error'
import type { Expr } from '../../../ir'
import { branch, call, comparison, integer, isNull, literalOf, NULL_LITERAL, text } from '../../../ir-build'
import type { ArithmeticOp } from '../../../ir'
import type { Call } from '../../../parser/ast'
import { INTEGER, nullable, STRING, tupleOf } from '../../../types'
import type { Resolution } from '../../context/resolution'
import { tupleElement } from '../../names/access'
import { typeName } from '../../types/type-names'
import { calculate } from '../arithmetic'
import { defaultOf } from '../aggregates'
import { constantNumber } from '../constant-number'
import { asKind, calculated, constantText, lambdaOf, macro, type Macro, mapped } from './form'

/** Returns an array of `count` equal values. */
function repeated(r: Resolution, count: Expr, value: Expr): Expr {
  return mapped(r, call('range', count), () => value)
}

/** Resolves `arrayResize(array, size, filling)`. It resizes at the end, and with a negative size at the start. */
function resized(r: Resolution, node: Call, array: Expr, size: Expr, given?: Expr): Expr {
  if (array.type.kind !== 'array')
    reject(node, `'arrayResize' takes an array, and got ${typeName(array.type)}`, 'type_mismatch')
  const wanted = constantNumber(node.args[1]!) ?? literalOf(size)
  if (typeof wanted !== 'number' || !Number.isSafeInteger(wanted))
    reject(node, "'arrayResize' takes a constant size")
  const { of } = array.type
  const filling = given ?? (of.nullable ? NULL_LITERAL : defaultOf(of))
  if (filling === undefined) reject(node, `'arrayResize' of such an array takes its filling`, 'invalid_query')
  const length = call('length', r.reuse(array, node))
  const missing = call('greatest', calculated('-', integer(Math.abs(wanted)), length), integer(0))
  const added = repeated(r, missing, filling)
  if (wanted >= 0) return call('arrayConcat', call('arraySlice', array, integer(1), integer(wanted)), added)
  const first = call('greatest', calculated('+', length, integer(wanted + 1)), integer(1))
  return call('arrayConcat', added, call('arraySlice', array, first))
}

/** Returns the items of two tuples in pairs. */
function pairs(node: Call, one: Expr, other: Expr): [Expr, Expr][] {
  const [a, b] = [one.type, other.type]
  if (a.kind !== 'tuple' || b.kind !== 'tuple' || a.of.length !== b.of.length)
    return reject(node, `'${node.name}' takes two tuples of the same length`, 'type_mismatch')
  return a.of.map((_, index) => [tupleElement(one, index + 1, node), tupleElement(other, index + 1, node)])
}

const ofTuples = (name: string, op: ArithmeticOp): Macro =>
  macro(name, 'tuple, tuple', (r, node, one, other) => {
    const items = pairs(node, one!, other!).map(([a, b]) => calculate(r, op, a, b, node))
    return { node: 'tuple', items, type: tupleOf(...items.map(({ type }) => type)) }
  })

const tupleConcat: Macro['form'] = (r, node, args, scope) => {
  if (args.length === 0) reject(node, "'tupleConcat' takes at least one tuple", 'invalid_query')
  const items = args.flatMap((arg) => {
    const tuple = r.expr(arg, scope)
    if (tuple.type.kind !== 'tuple')
      return reject(node, `'tupleConcat' takes tuples, and got ${typeName(tuple.type)}`, 'type_mismatch')
    return tuple.type.of.map((_, index) => tupleElement(r.reuse(tuple, node), index + 1, node))
  })
  return { node: 'tuple', items, type: tupleOf(...items.map(({ type }) => type)) }
}

/** Resolves `JSON_VALUE(json, '$.a[0].b')`, which is a single value as text, and an empty text for anything else. */
function jsonValue(r: Resolution, node: Call, given: Expr, path: Expr): Expr {
  const written = constantText(node, path, 'a path')
  if (!/^\$(?:\.[A-Za-z_$][\w$]*|\["[^"]+"\]|\[\d+\])*$/.test(written))
    reject(node, `'JSON_VALUE' takes a path such as '$.a[0].b', and got '${written}'`)
  const steps = Array.from(
    written.matchAll(/\.([^.[]+)|\["([^"]+)"\]|\[(\d+)\]/g),
    ([, name, quoted, index]) =>
      index === undefined ? text(name ?? quoted ?? '') : integer(Number(index) + 1),
  )
  const json = asKind(r, node, given, 'json')
  const read = (fn: string) => call(fn, r.reuse(json, node), ...steps)
  const kind = read('JSONType')
  const isKind = (name: string) => comparison('=', kind, text(name))
  return {
    node: 'case',
    branches: [
      branch(isKind('String'), read('JSONExtractString')),
      branch(isKind('Array'), text('')),
      branch(isKind('Object'), text('')),
    ],
    otherwise: read('JSONExtractRaw'),
    type: json.type.nullable ? nullable(STRING) : STRING,
  }
}

/** Aggregates of `arrayReduce`, as functions of an array without NULL. */
const REDUCED: Readonly<Record<string, (array: Expr) => Expr>> = {
  any: (array) => call('arrayElement', array, integer(1)),
  anyLast: (array) => call('arrayElement', array, integer(-1)),
  avg: (array) => call('arrayAvg', array),
  count: (array) => call('length', array),
  groupArray: (array) => array,
  groupUniqArray: (array) => call('arrayDistinct', array),
  max: (array) => call('arrayMax', array),
  min: (array) => call('arrayMin', array),
  sum: (array) => call('arraySum', array),
  uniq: (array) => call('length', call('arrayDistinct', array)),
  uniqExact: (array) => call('length', call('arrayDistinct', array)),
}

/** Resolves `arrayReduce('max', array)`. Only the values that are not NULL count. Without any, a single value that may be NULL is NULL. */
function reduced(r: Resolution, node: Call, aggregate: Expr, given: Expr): Expr {
  const name = constantText(node, aggregate, 'an aggregate')
  const names = Object.keys(REDUCED)
  if (!names.includes(name))
    reject(
      node,
      `'arrayReduce' takes ${names.map((each) => `'${each}'`).join(', ')}, and not '${name}': aggregate the rows of arrayJoin(…)`,
    )
  if (given.type.kind !== 'array')
    reject(node, `'arrayReduce' takes an array, and got ${typeName(given.type)}`, 'type_mismatch')
  const { of } = given.type
  if (!of.nullable) return REDUCED[name]!(given)
  const isKnown = lambdaOf(r, of, (element) => isNull(element, true))
  const known = r.reuse(
    mapped(r, call('arrayFilter', isKnown, given), (element) => call('assumeNotNull', element)),
    node,
  )
  const value = REDUCED[name]!(known)
  if (value.type.kind === 'array' || ['count', 'uniq', 'uniqExact'].includes(name)) return value
  const branches = [branch(comparison('!=', call('length', known), integer(0)), value)]
  return { node: 'case', branches, otherwise: NULL_LITERAL, type: nullable(value.type) }
}

export const ARRAY_MACROS: readonly Macro[] = [
  // PostHog's tables show the result as a line.
  macro('sparkline', 'array', (_r, node, data) => {
    if (data!.type.kind !== 'array') reject(node, "Function 'sparkline' takes an array", 'type_mismatch')
    const items = [text('__hx_tag'), text('Sparkline'), text('data'), data!]
    return { node: 'tuple', items, type: tupleOf(...items.map(({ type }) => type)) }
  }),
  macro('arrayReduce', 'aggregate, array', (r, node, aggregate, array) =>
    reduced(r, node, aggregate!, array!),
  ),
  macro('generateSeries', 'first, last', (_r, _node, first, last) =>
    call('range', first!, calculated('+', last!, integer(1))),
  ),
  macro('arrayResize', 'array, size, filling?', (r, node, array, size, filling) =>
    resized(r, node, array!, size!, filling),
  ),
  // For a text, the function of the same name is called.
  macro('reverse reverseUTF8', 'value', (r, node, value) =>
    value!.type.kind === 'array'
      ? call('arrayReverse', value!)
      : call('reverse', asKind(r, node, value!, 'string')),
  ),
  macro('arrayWithConstant', 'size, value', (r, node, size, value) =>
    repeated(r, asKind(r, node, size!, 'integer'), value!),
  ),
  { names: ['tupleConcat'], takes: 'tuple, tuple...', form: tupleConcat },
  ofTuples('tuplePlus', '+'),
  ofTuples('tupleMinus', '-'),
  ofTuples('tupleMultiply', '*'),
  ofTuples('tupleDivide', '/'),
  macro('dotProduct scalarProduct', 'tuple, tuple', (r, node, one, other) =>
    pairs(node, one!, other!)
      .map(([a, b]) => calculate(r, '*', a, b, node))
      .reduce((sum, product) => calculate(r, '+', sum, product, node)),
  ),
  macro('JSON_VALUE', 'json, path', (r, node, json, path) => jsonValue(r, node, json!, path!)),
  macro('JSONArrayLength JSON_ARRAY_LENGTH', 'json', (r, node, given) => {
    const json = asKind(r, node, given!, 'json')
    const isArray = comparison('=', call('JSONType', r.reuse(json, node)), text('Array'))
    const branches = [branch(isArray, call('JSONLength', json))]
    return { node: 'case', branches, otherwise: NULL_LITERAL, type: nullable(INTEGER) }
  }),
]
