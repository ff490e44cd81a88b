// Functions that are written with others: the same on every engine.
import type { Expr } from '../../ir'
import { any, branch, call, comparison, integer, literalOf, text } from '../../ir-build'
import type { Call, Expression } from '../../parser/ast'
import { arrayOf, INTEGER, isTemporal } from '../../types'
import { reject } from '../../error'
import { cast } from '../types/casts'
import { convertOrReject } from '../types/convert'
import { noCommonType, typeName } from '../types/type-names'
import { unify } from '../types/unify'
import type { Resolution } from '../context/resolution'
import type { Scope } from '../context/scope'
import { compare } from './comparisons'

type Form = (r: Resolution, node: Call, args: readonly Expression[], scope: Scope) => Expr
type Build = (r: Resolution, node: Call, ...args: Expr[]) => Expr

/** A form of resolved arguments, of which the last may be left out. */
const form =
  (least: number, most: number, build: Build): Form =>
  (r, node, args, scope) => {
    if (args.length < least || args.length > most) {
      const range = least === most ? `${least}` : `${least} to ${most}`
      reject(
        node,
        `Function '${node.name}' takes ${range} arguments, and got ${args.length}`,
        'invalid_query',
      )
    }
    return build(r, node, ...args.map((arg) => r.expr(arg, scope)))
  }

/** `toFloatOrDefault(x, default)`. */
const orDefault = (fn: 'toFloat' | 'toInt'): Form =>
  form(1, 2, (r, node, value, otherwise = integer(0)) => {
    const kind = fn === 'toFloat' ? 'float' : 'integer'
    const message = `Function '${node.name}' takes a number as its second argument`
    return call('ifNull', call(fn, value!), convertOrReject(r, otherwise, kind, node, message))
  })

/** The text of a name of a type. */
function typeArgument(node: Call, type: Expr | undefined): string {
  const name = type && literalOf(type)
  return typeof name === 'string'
    ? name
    : reject(node, `'${node.name}' takes the name of a type, such as 'Int64'`, 'invalid_query')
}

/** Names of the parts of a date, and the functions that give them. */
const PARTS: Readonly<Record<string, string>> = {
  year: 'toYear',
  quarter: 'toQuarter',
  month: 'toMonth',
  dayofyear: 'toDayOfYear',
  doy: 'toDayOfYear',
  day: 'toDayOfMonth',
  week: 'toISOWeek',
  dow: 'toDayOfWeek',
  weekday: 'toDayOfWeek',
  hour: 'toHour',
  minute: 'toMinute',
  second: 'toSecond',
  epoch: 'toUnixTimestamp',
}

function partOf(r: Resolution, node: Call, unit: Expr, moment: Expr): { name: string; value: Expr } {
  const name = String(literalOf(unit) ?? '').toLowerCase()
  const fn = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined
  if (fn === undefined) {
    reject(
      node,
      `'${node.name}' takes a constant unit, one of: ${Object.keys(PARTS).join(', ')}`,
      'invalid_query',
    )
  }
  const value = isTemporal(moment.type)
    ? moment
    : convertOrReject(r, moment, 'temporal', node, `Function '${node.name}' takes a date or datetime`)
  return { name, value: call(fn, value) }
}

/** `dateName('month', date)`: names of months and days of the week, numbers of others. */
const dateName: Build = (r, node, unit, moment) => {
  const { name, value } = partOf(r, node, unit!, moment!)
  const [of] = value.node === 'call' ? value.args : []
  if (name === 'month') return call('monthName', of!)
  return name === 'weekday' || name === 'dow'
    ? call('formatDateTime', of!, text('%W'))
    : call('toString', value)
}

/** The items of an array that is written out. */
function itemsOf(node: Call, array: Expr, what: string): Expr[] {
  return array.node === 'array'
    ? array.items
    : reject(node, `'${node.name}' takes ${what} as an array of constants: ['a', 'b']`, 'invalid_query')
}

/** `transform(x, from, to, default)`. */
const transform: Build = (r, node, value, from, to, otherwise) => {
  const [froms, tos] = [itemsOf(node, from!, 'what it looks for'), itemsOf(node, to!, 'its results')]
  if (froms.length !== tos.length) {
    reject(
      node,
      `'transform' takes as many results as values: ${froms.length} and ${tos.length}`,
      'invalid_query',
    )
  }
  const results = [...tos, otherwise ?? value!]
  const unified = unify(results, r.context.timezone)
  if (unified === undefined)
    reject(node, noCommonType("the results of 'transform'", results), 'type_mismatch')
  const branches = froms.map((item, index) =>
    branch(compare(r, '=', r.reuse(value!, node), item, node), unified.exprs[index]!),
  )
  return { node: 'case', branches, otherwise: unified.exprs.at(-1)!, type: unified.type }
}

/** Positions of some texts in a text. */
const positions =
  (fn: string, build: (found: Expr[]) => Expr): Build =>
  (r, node, value, needles) => {
    const found = itemsOf(node, needles!, 'what it searches for').map((needle) => {
      if (needle.type.kind !== 'string')
        reject(node, `'${node.name}' searches for texts, not for ${typeName(needle.type)}`, 'type_mismatch')
      const message = `Function '${node.name}' takes a string as its first argument`
      return call(fn, convertOrReject(r, r.reuse(value!, node), 'string', node, message), needle)
    })
    return found.length > 0
      ? build(found)
      : reject(node, `'${node.name}' takes at least one text`, 'invalid_query')
  }

const isFound = (position: Expr): Expr => comparison('>', position, integer(0))

const anyFound = ([first, ...rest]: Expr[]): Expr => any([isFound(first!), ...rest.map(isFound)])

const firstIndex = (found: Expr[]): Expr => ({
  node: 'case',
  branches: found.map((position, index) => branch(isFound(position), integer(index + 1))),
  otherwise: integer(0),
  type: INTEGER,
})

const allPositions = (items: Expr[]): Expr => ({ node: 'array', items, type: arrayOf(items[0]!.type) })

const searches = (suffix: string, fn: string): [string, Form][] => [
  [`multisearchany${suffix}`, form(2, 2, positions(fn, anyFound))],
  [`multisearchfirstindex${suffix}`, form(2, 2, positions(fn, firstIndex))],
  [`multisearchallpositions${suffix}`, form(2, 2, positions(fn, allPositions))],
]

/** By name in lower case. */
export const MACROS: readonly [string, Form][] = [
  ['tofloatordefault', orDefault('toFloat')],
  ['tofloat64ordefault', orDefault('toFloat')],
  ['tointordefault', orDefault('toInt')],
  ['toint64ordefault', orDefault('toInt')],
  [
    'accuratecastornull',
    form(2, 2, (r, node, value, type) => cast(r, value!, typeArgument(node, type), node)),
  ],
  ['datename', form(2, 2, dateName)],
  ['date_part', form(2, 2, (r, node, unit, moment) => partOf(r, node, unit!, moment!).value)],
  ['transform', form(3, 4, transform)],
  [
    'generateseries',
    form(2, 2, (_r, _node, first, last) =>
      call('range', first!, { node: 'arithmetic', op: '+', left: last!, right: integer(1), type: INTEGER }),
    ),
  ],
  ...searches('', 'position'),
  ...searches('utf8', 'position'),
  ...searches('caseinsensitive', 'positionCaseInsensitive'),
  ...searches('caseinsensitiveutf8', 'positionCaseInsensitive'),
]
