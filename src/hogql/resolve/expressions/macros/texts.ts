// Searches for several texts, and functions that format texts.
import { reject } from '../../../error'
import type { Expr } from '../../../ir'
import { any, branch, call, comparison, integer, text } from '../../../ir-build'
import type { Call } from '../../../parser/ast'
import { arrayOf, FLOAT, INTEGER } from '../../../types'
import type { Resolution } from '../../context/resolution'
import { convertOrReject } from '../../types/convert'
import { typeName } from '../../types/type-names'
import { calculate } from '../arithmetic'
import { asKind, calculated, constantText, itemsOf, macro, type Macro, rewritten, unlessNull } from './form'

/** Returns the positions of some texts in a text. */
const positions =
  (fn: string, build: (found: Expr[]) => Expr) =>
  (r: Resolution, node: Call, value?: Expr, needles?: Expr): Expr => {
    const found = itemsOf(node, needles!, 'what it searches for').map((needle) => {
      if (needle.type.kind !== 'string')
        reject(node, `'${node.name}' searches for texts, not for ${typeName(needle.type)}`, 'type_mismatch')
      const message = `Function '${node.name}' takes a string as its first argument`
      return call(fn, convertOrReject(r, r.reuse(value!, node), 'string', node, message), needle)
    })
    if (found.length === 0) reject(node, `'${node.name}' takes at least one text`, 'invalid_query')
    const result = build(found)
    return result.type.kind === 'array' ? result : unlessNull(r, node, [value!], result)
  }

const isFound = (position: Expr): Expr => comparison('>', position, integer(0))

const anyFound = ([first, ...rest]: Expr[]): Expr => any([isFound(first!), ...rest.map(isFound)])

const firstIndex = (found: Expr[]): Expr => ({
  node: 'case',
  branches: found.map((position, index) => branch(isFound(position), integer(index + 1))),
  otherwise: integer(0),
  type: INTEGER,
})

/** An array is never NULL: its positions in NULL are 0. */
const allPositions = (found: Expr[]): Expr => ({
  node: 'array',
  items: found.map((position) => call('ifNull', position, integer(0))),
  type: arrayOf(INTEGER),
})

/** Returns the least position that is not 0. */
const firstPosition = (found: Expr[]): Expr => {
  const some = found.map((position) => call('nullIf', position, integer(0)))
  return call('ifNull', some.length === 1 ? some[0]! : call('least', ...some), integer(0))
}

const searches = (suffixes: readonly string[], fn: string): Macro[] => {
  const search = (name: string, build: (found: Expr[]) => Expr): Macro =>
    macro(suffixes.map((suffix) => name + suffix).join(' '), 'text, parts', positions(fn, build))
  return [
    search('multiSearchAny', anyFound),
    search('multiSearchFirstIndex', firstIndex),
    search('multiSearchFirstPosition', firstPosition),
    search('multiSearchAllPositions', allPositions),
  ]
}

/** Resolves `format('{} of {}', a, b)`, whose braces may have numbers. */
const formatted: Macro['form'] = (r, node, args, scope) => {
  const [format, ...values] = args.map((arg) => r.expr(arg, scope))
  if (format === undefined) reject(node, "Function 'format' takes a format and its values", 'invalid_query')
  let next = 0
  const parts: Expr[] = []
  for (const [whole, number, brace] of constantText(node, format, 'its format').matchAll(
    /\{(\d*)\}|(\{\{|\}\})|[^{}]+|[{}]/g,
  )) {
    if (number === undefined) {
      if (whole === '{' || whole === '}') reject(node, "A brace in the format of 'format' is written twice")
      parts.push(text(brace === undefined ? whole : whole.slice(1)))
      continue
    }
    const value = values[number === '' ? next++ : Number(number)]
    if (value === undefined)
      reject(node, `The format of 'format' has more places than the ${values.length} values`, 'invalid_query')
    parts.push(r.reuse(value, node))
  }
  return parts.length === 0 ? text('') : joined(...parts)
}

const EIGHTHS = '▏▎▍▌▋▊▉'

/** Returns a bar of blocks, whose width shows where a value is between two others. */
function bar(r: Resolution, node: Call, value: Expr, least: Expr, most: Expr, width: Expr): Expr {
  const [x, min, max, size] = [value, least, most, width].map((each) => asKind(r, node, each, 'float')) as [
    Expr,
    Expr,
    Expr,
    Expr,
  ]
  const share = calculate(
    r,
    '/',
    calculated('-', x, min, FLOAT),
    calculated('-', max, r.reuse(min, node), FLOAT),
    node,
  )
  const within = call('least', call('greatest', share, integer(0)), integer(1))
  const eighths = call('toInt64', calculated('*', within, calculated('*', size, integer(8), FLOAT), FLOAT))
  const rest = call('mod', r.reuse(eighths, node), integer(8))
  const blocks = joined(
    call('repeat', text('█'), call('intDiv', eighths, integer(8))),
    call('substring', text(EIGHTHS), rest, integer(1)),
  )
  return unlessNull(r, node, [x, min, max, size], blocks)
}

/** Concatenates texts. The result is NULL when one of them is, unlike that of `concat`. */
const joined = (...texts: Expr[]): Expr => call('concatWithSeparator', text(''), ...texts)

/** Defines a function that reads a number as text. */
const readable = (name: string): Macro =>
  macro(name, 'number', (r, node, value) => call(name, call('toString', asKind(r, node, value!, 'number'))))

export const TEXT_MACROS: readonly Macro[] = [
  ...searches(['', 'UTF8'], 'position'),
  ...searches(['CaseInsensitive', 'CaseInsensitiveUTF8'], 'positionCaseInsensitive'),
  rewritten('split_part', 'text, separator, place', (called, value, separator, place) =>
    called('arrayElement', called('splitByString', separator!, value!), place!),
  ),
  rewritten('countSubstringsCaseInsensitive', 'text, part', (called, ...texts) =>
    called('countSubstrings', ...texts.map((each) => called('lower', each))),
  ),
  { names: ['format'], takes: 'format, values', form: formatted },
  macro('bar', 'value, least, most, width?', (r, node, value, least, most, width = integer(80)) =>
    bar(r, node, value!, least!, most!, width),
  ),
  macro('sortableSemVer', 'version', (r, node, version) =>
    call('nullIf', call('sortableSemVer', asKind(r, node, version!, 'string')), text('')),
  ),
  readable('formatReadableSize'),
  readable('formatReadableQuantity'),
  readable('formatReadableTimeDelta'),
]
