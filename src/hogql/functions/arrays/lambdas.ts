// Functions over arrays, many of which take a lambda: its body is written for the element of a row of `json_each`.
import { arrayOf, FLOAT, INTEGER, type Type } from '../../types'
import { always, argument, elementOf } from '../returns'
import type { ScalarFunction, SqliteSite } from '../spec'
import { asElement, orDefault } from '../sqlite-values'

interface Elements {
  /** The arrays as rows: element and place. */
  rows: string
  /** The value that the lambda gives, or the element itself. */
  value: string
  valueType: Type
  /** The element of the first array. */
  element: string
  elementType: Type
  key: string
}

/** The rows of one or more arrays beside each other, and what a lambda makes of them. */
function elements(args: readonly string[], site: SqliteSite): Elements {
  const [first = 'a'] = site.parameters
  const hasLambda = site.parameters.length > 0
  const arrays = hasLambda ? args.slice(1) : args.slice(0, 1)
  // A lambda may look at fewer elements than there are arrays.
  const names = arrays.map((_, index) => site.parameters[index] ?? (hasLambda ? `a${index}` : 'a'))
  const rows = arrays.map((array, index) =>
    index === 0
      ? `json_each(${array}) AS ${names[0]}`
      : `JOIN json_each(${array}) AS ${names[index]} ON ${names[index]}.key = ${first}.key`,
  )
  const elementType = elementOf(argument(site.types, hasLambda ? 1 : 0))
  const element = `${first}.value`
  return {
    rows: rows.join(' '),
    value: hasLambda ? String(args[0]) : element,
    valueType: hasLambda ? argument(site.types, 0) : elementType,
    element,
    elementType,
    key: `${first}.key`,
  }
}

/** What the lambda gives, or the elements when there is none. */
const valueType = (args: readonly Type[]): Type => {
  const type = argument(args, 0)
  return args.length > 1 ? type : elementOf(type)
}

/** A lambda of ClickHouse's as one that gives a UInt8, as its own functions want it; the elements themselves where there is none. */
function asking([first = '', ...rest]: readonly string[], types: readonly Type[]): string[] {
  if (argument(types, 0).kind === 'array') return ['x -> ifNull(x != 0, 0)', first, ...rest]
  const arrow = first.indexOf(' -> ') + 4
  return [`${first.slice(0, arrow)}ifNull((${first.slice(arrow)}) != 0, 0)`, ...rest]
}

/** A function whose lambda says yes or no. */
const asks = (spec: ScalarFunction): ScalarFunction => ({
  ...spec,
  clickhouse: (args, { types }) => `${spec.name}(${asking(args, types).join(', ')})`,
})

/** A function over arrays with a lambda before them. */
const over = (
  name: string,
  returns: (args: readonly Type[]) => Type,
  write: (of: Elements, site: SqliteSite) => string,
  ...aliases: string[]
): ScalarFunction => ({
  kind: 'scalar',
  name,
  aliases,
  takes: ['lambda', 'array'],
  rest: 'array',
  returns,
  sqlite: (args, site) => write(elements(args, site), site),
})

/** The elements that come of some rows, in the order of the array or of something else. */
const select = (sql: string, type: Type, { rows, key }: Elements, where = '', order = key): string =>
  `(SELECT json_group_array(${asElement('b.v', type)}) FROM (SELECT ${sql} AS v FROM ${rows} ${where} ORDER BY ${order}) AS b)`

const first = (name: string, order: 'ASC' | 'DESC'): ScalarFunction =>
  over(
    name,
    (args) => elementOf(argument(args, 1)),
    ({ rows, element, value, key }, { type }) =>
      orDefault(`(SELECT ${element} FROM ${rows} WHERE ${value} ORDER BY ${key} ${order} LIMIT 1)`, type),
  )

/** The first array of the arguments, whether a lambda stands before it or not. */
const array = (args: readonly Type[]): Type => argument(args, args.length > 1 ? 1 : 0)

/** A function of arrays alone, or of a lambda and arrays. */
const maybeOver = (
  name: string,
  returns: (args: readonly Type[]) => Type,
  write: (of: Elements, site: SqliteSite) => string,
): ScalarFunction => ({
  kind: 'scalar',
  name,
  takes: ['array'],
  rest: 'array',
  mayTakeLambda: true,
  returns,
  sqlite: (args, site) => write(elements(args, site), site),
})

const sum = (args: readonly Type[]): Type => (valueType(args).kind === 'float' ? FLOAT : INTEGER)

/** NULLs come last either way. */
const sorted = (name: string, descending: boolean): ScalarFunction =>
  maybeOver(name, array, (of) =>
    select(
      of.element,
      of.elementType,
      of,
      '',
      `${of.value} ${descending ? 'DESC' : 'ASC'} NULLS LAST, ${of.key}`,
    ),
  )

const folded = (name: string, fn: 'min' | 'max'): ScalarFunction =>
  maybeOver(name, valueType, ({ rows, value }, { type }) =>
    orDefault(`(SELECT ${fn}(${value}) FROM ${rows})`, type),
  )

export const LAMBDAS: readonly ScalarFunction[] = [
  over(
    'arrayMap',
    (args) => arrayOf(argument(args, 0)),
    (of) => select(of.value, of.valueType, of),
  ),
  asks(
    over(
      'arrayFilter',
      (args) => argument(args, 1),
      (of) => select(of.element, of.elementType, of, `WHERE ${of.value}`),
    ),
  ),
  asks(first('arrayFirst', 'ASC')),
  asks(first('arrayLast', 'DESC')),
  asks(
    over(
      'arrayFirstIndex',
      always(INTEGER),
      ({ rows, value, key }) => `ifnull((SELECT min(${key}) + 1 FROM ${rows} WHERE ${value}), 0)`,
    ),
  ),
  asks(
    maybeOver(
      'arrayExists',
      always(INTEGER),
      ({ rows, value }) => `EXISTS (SELECT 1 FROM ${rows} WHERE ${value})`,
    ),
  ),
  asks(
    maybeOver(
      'arrayAll',
      always(INTEGER),
      ({ rows, value }) => `(NOT EXISTS (SELECT 1 FROM ${rows} WHERE NOT ifnull(${value}, 0)))`,
    ),
  ),
  asks(
    maybeOver(
      'arrayCount',
      always(INTEGER),
      ({ rows, value }) => `(SELECT count(*) FROM ${rows} WHERE ${value})`,
    ),
  ),
  sorted('arraySort', false),
  sorted('arrayReverseSort', true),
  maybeOver('arraySum', sum, ({ rows, value }) => `ifnull((SELECT sum(${value}) FROM ${rows}), 0)`),
  maybeOver(
    'arrayAvg',
    () => FLOAT,
    ({ rows, value }) => `ifnull((SELECT avg(${value}) FROM ${rows}), 0)`,
  ),
  folded('arrayMin', 'min'),
  folded('arrayMax', 'max'),
  maybeOver(
    'arrayCumSum',
    (args) => arrayOf(sum(args)),
    ({ rows, value, key, valueType: type }) =>
      `(SELECT json_group_array(${asElement('b.v', type)}) FROM (SELECT sum(${value}) OVER (ORDER BY ${key}) AS v FROM ${rows} ORDER BY ${key}) AS b)`,
  ),
  maybeOver(
    'arrayDifference',
    (args) => arrayOf(sum(args)),
    ({ rows, value, key }) =>
      `(SELECT json_group_array(b.v) FROM (SELECT ifnull(${value} - lag(${value}) OVER (ORDER BY ${key}), 0) AS v FROM ${rows} ORDER BY ${key}) AS b)`,
  ),
]
