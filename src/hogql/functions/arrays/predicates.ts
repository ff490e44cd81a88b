// Functions that test the elements of an array, and functions that return one element of an array or a tuple.
import { reject } from '../../error'
import type { Literal } from '../../ir'
import { databaseTypeOf, differWithin, INTEGER, nullable, STRING, type Type } from '../../types'
import { clickhouseText } from '../conversions'
import { fill, fn } from '../define'
import { always, argument, elementOf, requireComparable, type Returns } from '../return-types'
import type { ScalarFunction, Site } from '../spec'
import { inRange } from '../strings/slices'
import { asText, orDefault } from '../sqlite-values'

const FOUND = 'EXISTS (SELECT 1 FROM json_each($1) AS b WHERE b.value IS a.value)'

/** Returns SQL of an element. Indices count from 1, or from the end when negative. */
function elementAt(array: string, index: string, known: unknown): string {
  if (typeof known === 'number' && known > 0) return `(${array} ->> (${index} - 1))`
  const at = inRange(index)
  return `(CASE WHEN ${index} > 0 THEN ${array} ->> (${at} - 1) WHEN ${index} < 0 THEN ${array} ->> ('$[#' || ${at} || ']') END)`
}

/** Replaces the index 0, which ClickHouse rejects, by one beyond all arrays: there is no element at either. */
const elementCall =
  (name: string) =>
  ({ constants }: Site, array: string, index: string): string => {
    const [, known] = constants
    const isSafe = typeof known === 'number' && known !== 0
    return `${name}(${array}, ${isSafe ? index : `if(${index} = 0, ${BEYOND}, ${index})`})`
  }

const BEYOND = 'toInt64(9007199254740991)'

/** Returns the type of an element that may be missing. An array is then empty, because ClickHouse has none that is NULL. */
const orNull = (type: Type): Type => (type.kind === 'array' ? type : nullable(type))

/** Returns the item at a constant index of a tuple, which counts from 1. */
function itemAt(tuple: Type, index: Literal | undefined): { type: Type; index: number } {
  const type = tuple.kind === 'tuple' && typeof index === 'number' ? tuple.of[index - 1] : undefined
  if (!type || typeof index !== 'number')
    return reject(null, `'tupleElement' takes a tuple and the place of one of its elements.`)
  return { type, index }
}

/** Returns the type of a search in an array, which is an integer. */
const found =
  (what: 'value' | 'array'): Returns =>
  (args) => {
    const [array, wanted] = [argument(args, 0), argument(args, 1)]
    const [one, other] = [elementOf(array), what === 'array' ? elementOf(wanted) : wanted]
    requireComparable(one, other)
    return differWithin(one, other)
      ? reject(
          null,
          `${databaseTypeOf(one)} cannot be compared with ${databaseTypeOf(other)}`,
          'type_mismatch',
        )
      : INTEGER
  }

/**
 * Whether two elements are the same; NULL is the same as NULL. ClickHouse's own functions take NULL for 0 or an empty text when the other
 * side has no NULL.
 */
const SAME = 'ifNull(x = y, isNull(x) AND isNull(y))'

/** Writes a function of an array and an element or another array. It uses ClickHouse's own function when nothing can be NULL. */
const nullSafe =
  (own: string, safe: string) =>
  ({ types }: Site, array: string, wanted: string): string => {
    const isPlain = !elementOf(argument(types, 0)).nullable && !elementOf(argument(types, 1)).nullable
    return fill(isPlain ? own : safe, array, wanted)
  }

const ofElement = (own: string, name: string) =>
  nullSafe(`${own}($1, $2)`, `arrayMap(y -> ${name}(x -> ${SAME}, $1), [$2])[1]`)

export const ARRAY_PREDICATES: readonly ScalarFunction[] = [
  fn('has', 'array, any', found('value'), 'EXISTS (SELECT 1 FROM json_each($1) AS a WHERE a.value IS $2)', {
    clickhouse: ofElement('has', 'arrayExists'),
  }),
  fn('hasAny', 'array, array', found('array'), `EXISTS (SELECT 1 FROM json_each($2) AS a WHERE ${FOUND})`, {
    clickhouse: nullSafe('hasAny($1, $2)', `arrayExists(y -> arrayExists(x -> ${SAME}, $1), $2)`),
  }),
  fn(
    'hasAll',
    'array, array',
    found('array'),
    `(NOT EXISTS (SELECT 1 FROM json_each($2) AS a WHERE NOT ${FOUND}))`,
    { clickhouse: nullSafe('hasAll($1, $2)', `arrayAll(y -> arrayExists(x -> ${SAME}, $1), $2)`) },
  ),
  fn(
    'indexOf',
    'array, any',
    found('value'),
    'ifnull((SELECT min(a.key) + 1 FROM json_each($1) AS a WHERE a.value IS $2), 0)',
    { clickhouse: ofElement('indexOf', 'arrayFirstIndex') },
  ),
  fn(
    'countEqual',
    'array, any',
    found('value'),
    '(SELECT count(*) FROM json_each($1) AS a WHERE a.value IS $2)',
    { clickhouse: ofElement('countEqual', 'arrayCount') },
  ),
  fn(
    'arrayElement',
    'array, integer',
    (args) =>
      argument(args, 1).nullable ? orNull(elementOf(argument(args, 0))) : elementOf(argument(args, 0)),
    ({ types, type, constants }, array, index) => {
      const value = orDefault(elementAt(array, index, constants[1]), elementOf(argument(types, 0)))
      return argument(types, 1).nullable && type.nullable
        ? `CASE WHEN ${index} IS NOT NULL THEN ${value} END`
        : value
    },
    { clickhouse: elementCall('arrayElement') },
  ),
  fn(
    'arrayElementOrNull',
    'array, integer',
    (args) => orNull(elementOf(argument(args, 0))),
    ({ type, constants }, array, index) => orDefault(elementAt(array, index, constants[1]), type),
    { clickhouse: elementCall('arrayElementOrNull') },
  ),
  fn(
    'arrayUniq',
    'array',
    always(INTEGER),
    '(SELECT count(DISTINCT a.value) + max(0, ifnull(max(a.value IS NULL), 0)) FROM json_each($1) AS a)',
    {
      clickhouse: ({ types }, array) =>
        elementOf(argument(types, 0)).nullable
          ? `(arrayUniq(arrayFilter(x -> isNotNull(x), ${array})) + arrayExists(x -> isNull(x), ${array}))`
          : `arrayUniq(${array})`,
    },
  ),
  fn(
    'arrayStringConcat',
    'array, string?',
    ([, separator]) => (separator?.nullable ? nullable(STRING) : STRING),
    (site, array, separator = "''") => {
      const of = elementOf(argument(site.types, 0))
      const text = asText('a.value', of, { ...site, once: (sql, write) => write(sql) })
      const joined = `ifnull((SELECT group_concat(${text}, ${separator} ORDER BY a.key) FROM json_each(${array}) AS a WHERE a.value IS NOT NULL), '')`
      return site.type.nullable ? `CASE WHEN ${separator} IS NOT NULL THEN ${joined} END` : joined
    },
    {
      clickhouse: ({ types }, array, ...separator) => {
        const of = elementOf(argument(types, 0))
        const texts = of.kind === 'datetime' ? `arrayMap(x -> ${clickhouseText('x', of)}, ${array})` : array
        return `arrayStringConcat(${[texts, ...separator].join(', ')})`
      },
    },
  ),
  fn(
    'tupleElement',
    'any, integer',
    (args, constants) => itemAt(argument(args, 0), constants[1]).type,
    ({ types, constants }, tuple) => `(${tuple} ->> ${itemAt(argument(types, 0), constants[1]).index - 1})`,
    // ClickHouse requires the index to be a literal.
    {
      clickhouse: ({ types, constants }, tuple) =>
        `tupleElement(${tuple}, ${itemAt(argument(types, 0), constants[1]).index})`,
    },
  ),
]
