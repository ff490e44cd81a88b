// Functions that make arrays of values and of other arrays.
import { reject } from '../../error'
import { arrayOf, differWithin, INTEGER, required, STRING, tupleOf, type Type } from '../../types'
import { fill, fn } from '../define'
import { sideBySide, atMost, MAX_LENGTH, requireAtMost } from '../limits'
import { always, argument, commonType, elementOf, like, requireComparable } from '../return-types'
import type { ScalarFunction, Site, SqliteSite } from '../spec'
import { asElement } from '../sqlite-values'

const list = (sql: string, from: string) => `(SELECT json_group_array(${sql}) FROM ${from})`

const elementIn = (alias: string, { types }: SqliteSite, index = 0): string =>
  asElement(`${alias}.value`, elementOf(argument(types, index)))

/** Returns the type of the innermost arrays, and how many arrays are around each. */
function flattened(type: Type, levels = 0): { type: Type; levels: number } {
  const of = elementOf(type)
  return of.kind === 'array' ? flattened(of, levels + 1) : { type, levels }
}

/**
 * Defines a function that returns the elements of an array in another order, or some of them.
 * @param from SQL of the rows `a` of the array `$1`
 */
const rearranged = (name: string, from: string): ScalarFunction =>
  fn(name, 'array', like(0), (site, array) => list(elementIn('a', site), fill(from, array)))

/** Returns SQL of an array whose integers become floats, if those of the result are. */
const withElementsOf = (result: Type, array: string, type: Type): string =>
  differWithin(result, type) && elementOf(result).kind === 'float'
    ? list(asElement('a.value', elementOf(result)), `json_each(${array}) AS a`)
    : array

const added = (name: string, isLast: boolean): ScalarFunction =>
  fn(
    name,
    'array, any',
    (args) => {
      const [of, value] = [elementOf(argument(args, 0)), argument(args, 1)]
      requireComparable(of, value)
      return arrayOf(commonType([of, value]))
    },
    ({ types, type }, array, value) => {
      const of = elementOf(type)
      const one = `json_array(${asElement(value, of.kind === 'float' ? of : argument(types, 1))})`
      const others = withElementsOf(type, array, argument(types, 0))
      return concatenated(isLast ? [others, one] : [one, others])
    },
  )

/** Concatenates the texts between the arrays' brackets. */
function concatenated(arrays: readonly string[]): string {
  if (arrays.length === 1) return String(arrays[0])
  const inner = arrays.map(
    (array) => `CASE ${array} WHEN '[]' THEN '' ELSE substr(${array}, 2, length(${array}) - 2) || ',' END`,
  )
  return `'[' || rtrim(${inner.join(' || ')}, ',') || ']'`
}

/** Writes a range for ClickHouse, whose own takes no NULL: a range with a bound or a step that is NULL is empty. */
function rangeCall({ types }: Site, ...args: string[]): string {
  if (types.some(({ kind }) => kind === 'null')) return "CAST([], 'Array(Int64)')"
  const unknown = args.filter((_, index) => argument(types, index).nullable).map((arg) => `isNull(${arg})`)
  const known = (arg: string, otherwise: number) =>
    unknown.length === 0 ? arg : `ifNull(${arg}, ${otherwise})`
  const bound = (arg: string) =>
    unknown.length === 0 ? arg : `if(${unknown.join(' OR ')}, 0, ${known(arg, 0)})`
  const [start = '0', end = '0', step] = args.length === 1 ? ['0', ...args] : args
  return `range(${[bound(start), bound(end), ...(step === undefined ? [] : [known(step, 1)])].join(', ')})`
}

export const ARRAY_CONSTRUCTORS: readonly ScalarFunction[] = [
  fn(
    'range',
    'integer, integer?, integer?',
    always(arrayOf(INTEGER)),
    (site, first, second?: string, step = '1') => {
      const [start, end] = second === undefined ? ['0', first] : [first, second]
      if (second === undefined) requireAtMost('range', 'elements', site.constants, 0)
      if (site.constants[2] === 0) return reject(null, "The step of 'range' cannot be 0.")
      const more = (value: string) =>
        `((${step} > 0 AND ${value} < ${end}) OR (${step} < 0 AND ${value} > ${end}))`
      return (
        `(WITH RECURSIVE r(n) AS (SELECT ${start} WHERE ${more(start)} UNION ALL SELECT n + ${step} FROM r ` +
        `WHERE ${more(`n + ${step}`)} LIMIT ${MAX_LENGTH + 1}) SELECT CASE WHEN ${atMost('count(*)', MAX_LENGTH)} >= 0 THEN json_group_array(n) END FROM r)`
      )
    },
    { clickhouse: rangeCall },
  ),
  fn('arrayConcat', 'array, array...', commonType, ({ types, type }, ...args) =>
    concatenated(args.map((array, index) => withElementsOf(type, array, argument(types, index)))),
  ),
  added('arrayPushBack', true),
  added('arrayPushFront', false),
  rearranged('arrayReverse', '(SELECT a.value AS value FROM json_each($1) AS a ORDER BY a.key DESC) AS a'),
  {
    ...rearranged(
      'arrayDistinct',
      '(SELECT a.value AS value FROM json_each($1) AS a WHERE a.value IS NOT NULL GROUP BY a.value ORDER BY min(a.key)) AS a',
    ),
    returns: (args) => arrayOf(required(elementOf(argument(args, 0)))),
  },
  rearranged(
    'arrayCompact',
    '(SELECT a.value AS value FROM (SELECT b.key AS key, b.value AS value, lag(b.value) OVER (ORDER BY b.key) AS past FROM json_each($1) AS b) AS a WHERE a.key = 0 OR a.value IS NOT a.past ORDER BY a.key) AS a',
  ),
  fn('arraySlice', 'array, integer, integer?', like(0), (site, array, offset, length?: string) =>
    site.once(`json_array_length(${array})`, (size) =>
      site.once(
        `CASE WHEN ${offset} < 0 THEN ${size} + ${offset} WHEN ${offset} > 0 THEN ${offset} - 1 WHEN ${offset} = 0 THEN ${size} ELSE 0 END`,
        (from) => {
          const end =
            length === undefined
              ? size
              : `CASE WHEN ${length} < 0 THEN ${size} + ${length} ELSE ifnull(${from} + ${length}, ${size}) END`
          return list(
            elementIn('a', site),
            `json_each(${array}) AS a WHERE a.key >= ${from} AND a.key < ${end}`,
          )
        },
      ),
    ),
  ),
  rearranged('arrayPopBack', 'json_each($1) AS a WHERE a.key < json_array_length($1) - 1'),
  rearranged('arrayPopFront', 'json_each($1) AS a WHERE a.key > 0'),
  fn(
    'arrayIntersect',
    'array, array, array...',
    (args) => {
      commonType(args)
      return argument(args, 0)
    },
    (site, array, ...others) => {
      const isIn = others.map((other) => `a.value IN (SELECT b.value FROM json_each(${other}) AS b)`)
      return list(
        elementIn('a', site),
        `(SELECT a.value AS value FROM json_each(${array}) AS a WHERE ${isIn.join(' AND ')} GROUP BY a.value ORDER BY min(a.key)) AS a`,
      )
    },
    // ClickHouse's own function would convert the elements of one array, including NULL, to the type of the other.
    {
      clickhouse: (_, array, ...others) => {
        const isIn = others.map((other) => `arrayExists(y -> ifNull(x = y, 0), ${other})`)
        return `arrayDistinct(arrayFilter(x -> ${isIn.join(' AND ')}, ${array}))`
      },
    },
  ),
  fn(
    'arrayFlatten flatten',
    'array',
    (args) => flattened(argument(args, 0)).type,
    ({ types }, array) => {
      const { type, levels } = flattened(argument(types, 0))
      if (levels === 0) return array
      const rows = Array.from({ length: levels }, (_, level) => `json_each(f${level}.value) AS f${level + 1}`)
      return list(
        asElement(`f${levels}.value`, elementOf(type)),
        [`json_each(${array}) AS f0`, ...rows].join(', '),
      )
    },
  ),
  fn(
    'arrayZip',
    'array, array...',
    (args) => arrayOf(tupleOf(...args.map(elementOf))),
    (site, first, ...others) =>
      list(
        `json_array(${[first, ...others].map((_, index) => asElement(`z${index}`, elementOf(argument(site.types, index)))).join(', ')})`,
        sideBySide(
          [first, ...others].map(String),
          [first, ...others].map((_, index) => `z${index}`),
        ),
      ),
  ),
  fn('arrayEnumerate', 'array', always(arrayOf(INTEGER)), list('a.key + 1', 'json_each($1) AS a')),
  fn('emptyArrayString', '', always(arrayOf(STRING)), "'[]'"),
]
