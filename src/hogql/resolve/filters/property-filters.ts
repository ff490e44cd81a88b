// Converts property filters to conditions on an event, its person, its groups or its session.
import type { Expr } from '../../ir'
import type { Located } from '../../parser/ast'
import { BOOLEAN, isNumber, isTemporal } from '../../types'
import { lambdaOf } from '../expressions/macros/form'
import { versionCondition } from '../expressions/versions'
import {
  all,
  any,
  call,
  isNull,
  literalOf,
  number,
  literal,
  NULL_LITERAL,
  not,
  text,
  TRUE,
} from '../../ir-build'
import { compare, like } from '../expressions/comparisons'
import { isOneOf } from '../expressions/membership'
import type { Resolution } from '../context/resolution'
import { isMatch } from '../expressions/patterns'
import { convert } from '../types/convert'
import type { PropertyFilter } from '../context/filters'
import { propertyTextOf } from '../types/properties'
import { reject, resolvePart } from '../../error'
import { parseNumber } from '../../parse-number'
import { parseFilterDate } from '../dates/relative-dates'
import { requireOperator, requireValue } from './operators'

/** @param value the value of the property that the filter compares */
export function filterCondition(r: Resolution, node: Located, filter: PropertyFilter, value: Expr): Expr {
  const operator = filter.operator ?? 'exact'
  requireOperator(node, filter.key, operator)
  if (hasNoValues(filter)) return TRUE
  const values: readonly unknown[] = Array.isArray(filter.value) ? filter.value : [filter.value]
  requireValue(node, filter.key, operator, values)
  const wanted = values.map((item) => constant(node, filter, item))
  switch (operator) {
    case 'exact':
    case 'in':
    // No project has rules that clean paths.
    case 'is_cleaned_path_exact':
      return equalsOneOf(r, node, value, wanted)
    case 'is_not':
    case 'not_in':
      return not(equalsOneOf(r, node, value, wanted))
    case 'is_set':
      return isNull(value, true)
    case 'is_not_set':
      return isNull(value)
    case 'icontains':
    case 'icontains_multi':
    case 'starts_with':
    case 'ends_with':
      return anyOf(wanted, (item) =>
        like(r, 'ilike', asText(value), partOf(operator, wanted.length > 1, item), node),
      )
    case 'not_icontains':
    case 'not_icontains_multi':
    case 'not_starts_with':
    case 'not_ends_with':
      return not(filterCondition(r, node, { ...filter, operator: POSITIVE[operator] }, value))
    case 'regex':
      return anyOf(wanted, (item) => isMatch(r, asText(value), written(item), node))
    case 'not_regex':
      return not(anyOf(wanted, (item) => isMatch(r, asText(value), written(item), node)))
    case 'gt':
      return compareSize(r, node, filter, '>', value, wanted)
    case 'gte':
    case 'min':
      return compareSize(r, node, filter, '>=', value, wanted)
    case 'lt':
      return compareSize(r, node, filter, '<', value, wanted)
    case 'lte':
    case 'max':
      return compareSize(r, node, filter, '<=', value, wanted)
    case 'is_date_exact':
      return compareDate(r, node, filter, '=', value, wanted)
    case 'is_date_before':
      return compareDate(r, node, filter, '<', value, wanted)
    case 'is_date_after':
      return compareDate(r, node, filter, '>', value, wanted)
    case 'between':
      return between(r, node, filter, value, wanted)
    case 'not_between':
      return between(r, node, filter, value, wanted)
    default:
      return resolvePart(node, `The filter on '${filter.key}'`, () =>
        anyOf(wanted, (item) => versionCondition(r, node, operator, asText(value), item)),
      )
  }
}

type Size = '<' | '<=' | '>' | '>='

/**
 * Returns whether a list of values is empty. As upstream, such a filter does not filter: an editor stores it while its values are not
 * chosen yet.
 */
const hasNoValues = ({ operator, value }: PropertyFilter): boolean =>
  Array.isArray(value) && value.length === 0 && !NEEDS_NO_LIST.has(operator ?? 'exact')

/** Operators that take no value, or that check the number of their values themselves. */
const NEEDS_NO_LIST: ReadonlySet<string> = new Set(['is_set', 'is_not_set', 'between', 'not_between'])

/** Returns the condition of a range, which includes both ends. A missing value is neither between them nor outside. */
function between(
  r: Resolution,
  node: Located,
  { key, operator }: PropertyFilter,
  value: Expr,
  wanted: readonly Expr[],
): Expr {
  const [low, high, ...others] = wanted.map(asNumber)
  if (
    !low ||
    !high ||
    others.length > 0 ||
    ![low, high].every((bound) => typeof literalOf(bound) === 'number') ||
    Number(literalOf(low)) > Number(literalOf(high))
  )
    reject(
      node,
      `The filter on '${key}' takes two numbers, the first one not larger: [low, high]`,
      'invalid_query',
    )
  return operator === 'not_between'
    ? any([compare(r, '<', value, low, node), compare(r, '>', value, high, node)])
    : all([compare(r, '>=', value, low, node), compare(r, '<=', value, high, node)])
}

/** Returns the condition of a bound: a number, a text, or for a datetime a date. */
function compareSize(
  r: Resolution,
  node: Located,
  filter: PropertyFilter,
  op: Size,
  value: Expr,
  wanted: readonly Expr[],
): Expr {
  if (isTemporal(value.type)) return compareDate(r, node, filter, op, value, wanted)
  return anyOf(wanted, (item) => {
    const bound = asNumber(item)
    if (isBlank(bound))
      reject(
        node,
        `The filter on '${filter.key}' takes a number or a text, and got an empty one`,
        'invalid_query',
      )
    if (isNumber(value.type) && bound.type.kind === 'string')
      reject(node, `The filter on '${filter.key}', which is a number, takes a number`, 'invalid_query')
    return compare(r, op, value, bound, node)
  })
}

/** Whether a bound is a text without characters, which an editor sends while its field is empty. */
const isBlank = (bound: Expr): boolean => {
  const value = literalOf(bound)
  return typeof value === 'string' && value.trim() === ''
}

/** The positive operator of each negated one. */
const POSITIVE: Readonly<Record<string, string>> = {
  is_not: 'exact',
  not_in: 'in',
  not_icontains: 'icontains',
  not_icontains_multi: 'icontains_multi',
  not_starts_with: 'starts_with',
  not_ends_with: 'ends_with',
  not_regex: 'regex',
}

/** Returns the condition that any element of an array passes the filter; for a negated filter, that none passes the positive one. */
export function elementsCondition(r: Resolution, node: Located, filter: PropertyFilter, values: Expr): Expr {
  const { operator } = filter
  requireOperator(node, filter.key, operator ?? 'exact')
  if (hasNoValues(filter)) return TRUE
  if (operator === 'is_set' || operator === 'is_not_set')
    return call(operator === 'is_set' ? 'notEmpty' : 'empty', values)
  const positive = operator && Object.hasOwn(POSITIVE, operator) ? POSITIVE[operator] : undefined
  const of = values.type.kind === 'array' ? values.type.of : values.type
  const each = lambdaOf(r, of, (element) =>
    filterCondition(r, node, { ...filter, operator: positive ?? operator }, element),
  )
  const exists = call('arrayExists', each, values)
  return positive === undefined ? exists : not(exists)
}

/** Returns the condition that the flag has a value in the event. */
export function flagCondition(r: Resolution, node: Located, filter: PropertyFilter, given: Expr): Expr {
  const value = asText(given)
  const { operator, value: wanted, key } = filter
  if (operator && operator !== 'flag_evaluates_to' && operator !== 'exact')
    reject(
      node,
      `The filter on the flag '${key}' takes the operator 'flag_evaluates_to', and got '${operator}'`,
    )
  if (wanted === true) return all([isNull(value, true), compare(r, '!=', value, text('false'), node)])
  return typeof wanted === 'string' || wanted === false
    ? compare(r, '=', value, text(String(wanted)), node)
    : reject(
        node,
        `The filter on the flag '${key}' takes true, false or the key of a variant`,
        'invalid_query',
      )
}

function constant(node: Located, { key }: PropertyFilter, value: unknown): Expr {
  switch (typeof value) {
    case 'string':
      return text(value)
    case 'number':
      return number(value)
    case 'boolean':
      return literal(value, BOOLEAN)
    default:
      if (value === null || value === undefined) return NULL_LITERAL
      return reject(node, `The value of the filter on '${key}' is not supported`)
  }
}

function anyOf<Item>(wanted: readonly Item[], build: (item: Item) => Expr): Expr {
  const [first, ...rest] = wanted.map(build)
  return first === undefined ? literal(false, BOOLEAN) : any([first, ...rest])
}

function equalsOneOf(r: Resolution, node: Located, value: Expr, wanted: readonly Expr[]): Expr {
  const [only, ...others] = wanted
  if (only !== undefined && others.length === 0) return compare(r, '=', value, only, node)
  return (
    isOneOf(r, node, value, wanted, false) ??
    isOneOf(r, node, asText(value), wanted.map(written), false) ??
    anyOf(wanted, (item) => compare(r, '=', value, item, node))
  )
}

const written = (item: Expr): Expr => (item.node === 'literal' ? text(String(item.value)) : item)

const asText = (value: Expr): Expr =>
  propertyTextOf(value) ?? (value.type.kind === 'string' ? value : call('toString', value))

/** Returns the pattern of a part of a text, if the operator takes one. A single part may have the wildcards `%` and `_`, as upstream. */
function partOf(operator: string, isOneOfSeveral: boolean, item: Expr): Expr {
  const given = item.node === 'literal' ? String(item.value) : ''
  const isPlain = isOneOfSeveral || operator === 'icontains_multi'
  const part = isPlain ? given.replaceAll(/[\\%_]/g, String.raw`\$&`) : given
  return text(`${operator === 'starts_with' ? '' : '%'}${part}${operator === 'ends_with' ? '' : '%'}`)
}

function asNumber(item: Expr): Expr {
  const value =
    item.node === 'literal' && typeof item.value === 'string' ? parseNumber(item.value) : undefined
  return value === undefined ? item : number(value)
}

function compareDate(
  r: Resolution,
  node: Located,
  { key }: PropertyFilter,
  op: '=' | Size,
  value: Expr,
  wanted: readonly Expr[],
): Expr {
  const moment = convert(propertyTextOf(value) ?? value, 'datetime', r.context.timezone)
  const bounds = wanted.map((item) =>
    item.node === 'literal' && typeof item.value === 'string'
      ? parseFilterDate(item.value, r.context.timezone)
      : undefined,
  )
  return anyOf(bounds, (bound) =>
    moment && bound
      ? compare(r, op, moment, bound, node)
      : reject(
          node,
          `The filter on '${key}' takes a date, such as '2026-01-31', or a distance, such as '-7d'`,
          'invalid_query',
        ),
  )
}
