// Arrays made of values, texts and other arrays.
import { arrayOf, INTEGER, STRING, tupleOf, type Type } from '../../types'
import { CEILING, requireWithin, within } from '../ceiling'
import { refuse } from '../refuse'
import { always, argument, commonType, elementOf, like } from '../returns'
import type { Expected, ScalarFunction, SqliteSite } from '../spec'
import { asElement } from '../sqlite-values'

const list = (sql: string, from: string) => `(SELECT json_group_array(${sql}) FROM ${from})`

/** The elements of `array`, in another order or only some of them; a call that gives the same type. */
const rearranged = (
  name: string,
  takes: readonly Expected[],
  write: (array: string, element: string, args: readonly string[], site: SqliteSite) => string,
  optional = 0,
  clickhouse?: ScalarFunction['clickhouse'],
): ScalarFunction => ({
  kind: 'scalar',
  name,
  takes,
  optional,
  returns: like(0),
  sqlite: (args, site) =>
    write(String(args[0]), asElement('a.value', elementOf(argument(site.types, 0))), args, site),
  clickhouse,
})

const joinedType = (args: readonly Type[]): Type => commonType(args)

const added = (name: string, atEnd: boolean): ScalarFunction => ({
  kind: 'scalar',
  name,
  takes: ['array', 'any'],
  returns: (args) => arrayOf(commonType([elementOf(argument(args, 0)), argument(args, 1)])),
  sqlite: ([array, value], { types }) => {
    const one = `json_array(${asElement(String(value), argument(types, 1))})`
    return concatenated(atEnd ? [String(array), one] : [one, String(array)])
  },
})

/** Arrays one behind the other: what is between their brackets. */
function concatenated(arrays: readonly string[]): string {
  if (arrays.length === 1) return String(arrays[0])
  const inner = arrays.map(
    (array) => `CASE ${array} WHEN '[]' THEN '' ELSE substr(${array}, 2, length(${array}) - 2) || ',' END`,
  )
  return `'[' || rtrim(${inner.join(' || ')}, ',') || ']'`
}

export const MAKING: readonly ScalarFunction[] = [
  {
    kind: 'scalar',
    name: 'range',
    takes: ['integer', 'integer', 'integer'],
    optional: 2,
    returns: always(arrayOf(INTEGER)),
    sqlite: ([first, second, step = '1'], site) => {
      const [start, end] = second === undefined ? ['0', String(first)] : [String(first), second]
      if (second === undefined) requireWithin('range', 'elements', site.constants, 0)
      if (site.constants[2] === 0) return refuse("The step of 'range' cannot be 0.")
      const more = (value: string) =>
        `((${step} > 0 AND ${value} < ${end}) OR (${step} < 0 AND ${value} > ${end}))`
      return (
        `(WITH RECURSIVE r(n) AS (SELECT ${start} WHERE ${more(start)} UNION ALL SELECT n + ${step} FROM r ` +
        `WHERE ${more(`n + ${step}`)} LIMIT ${CEILING + 1}) SELECT CASE WHEN ${within('count(*)', CEILING)} >= 0 THEN json_group_array(n) END FROM r)`
      )
    },
  },
  {
    kind: 'scalar',
    name: 'arrayConcat',
    takes: ['array'],
    rest: 'array',
    returns: joinedType,
    sqlite: concatenated,
  },
  added('arrayPushBack', true),
  added('arrayPushFront', false),
  rearranged('arrayReverse', ['array'], (array, element) =>
    list(element, `(SELECT a.value AS value FROM json_each(${array}) AS a ORDER BY a.key DESC) AS a`),
  ),
  rearranged('arrayDistinct', ['array'], (array, element) =>
    list(
      element,
      `(SELECT a.value AS value FROM json_each(${array}) AS a WHERE a.value IS NOT NULL GROUP BY a.value ORDER BY min(a.key)) AS a`,
    ),
  ),
  rearranged('arrayCompact', ['array'], (array, element) =>
    list(
      element,
      `(SELECT a.value AS value FROM (SELECT b.key AS key, b.value AS value, lag(b.value) OVER (ORDER BY b.key) AS past FROM json_each(${array}) AS b) AS a WHERE a.key = 0 OR a.value IS NOT a.past ORDER BY a.key) AS a`,
    ),
  ),
  rearranged(
    'arraySlice',
    ['array', 'integer', 'integer'],
    (array, element, [, offset, length], site) =>
      site.once(`json_array_length(${array})`, (size) =>
        site.once(
          `CASE WHEN ${offset} < 0 THEN ${size} + ${offset} WHEN ${offset} > 0 THEN ${offset} - 1 WHEN ${offset} = 0 THEN ${size} ELSE 0 END`,
          (from) => {
            const end =
              length === undefined
                ? size
                : `CASE WHEN ${length} < 0 THEN ${size} + ${length} ELSE ifnull(${from} + ${length}, ${size}) END`
            return list(element, `json_each(${array}) AS a WHERE a.key >= ${from} AND a.key < ${end}`)
          },
        ),
      ),
    1,
  ),
  rearranged('arrayPopBack', ['array'], (array, element) =>
    list(element, `json_each(${array}) AS a WHERE a.key < json_array_length(${array}) - 1`),
  ),
  rearranged('arrayPopFront', ['array'], (array, element) =>
    list(element, `json_each(${array}) AS a WHERE a.key > 0`),
  ),
  rearranged('arrayIntersect', ['array', 'array'], (array, element, [, other]) =>
    list(
      element,
      `(SELECT a.value AS value FROM json_each(${array}) AS a WHERE a.value IN (SELECT b.value FROM json_each(${other}) AS b) GROUP BY a.value ORDER BY min(a.key)) AS a`,
    ),
  ),
  {
    kind: 'scalar',
    name: 'arrayFlatten',
    aliases: ['flatten'],
    takes: ['array'],
    returns: (args) => {
      const of = elementOf(argument(args, 0))
      return of.kind === 'array' ? of : argument(args, 0)
    },
    sqlite: ([array], { types }) => {
      const of = elementOf(argument(types, 0))
      if (of.kind !== 'array') return String(array)
      return list(asElement('b.value', of.of), `json_each(${array}) AS a, json_each(a.value) AS b`)
    },
  },
  {
    kind: 'scalar',
    name: 'arrayZip',
    takes: ['array', 'array'],
    returns: (args) => arrayOf(tupleOf(elementOf(argument(args, 0)), elementOf(argument(args, 1)))),
    sqlite: ([one, other], { types }) => {
      const [a, b] = [
        asElement('a.value', elementOf(argument(types, 0))),
        asElement('b.value', elementOf(argument(types, 1))),
      ]
      return list(
        `json_array(${a}, ${b})`,
        `json_each(${one}) AS a JOIN json_each(${other}) AS b ON b.key = a.key`,
      )
    },
  },
  {
    kind: 'scalar',
    name: 'arrayEnumerate',
    takes: ['array'],
    returns: always(arrayOf(INTEGER)),
    sqlite: ([array]) => list('a.key + 1', `json_each(${array}) AS a`),
  },
  {
    kind: 'scalar',
    name: 'emptyArrayString',
    takes: [],
    returns: always(arrayOf(STRING)),
    sqlite: () => `'[]'`,
  },
]
