// Functions of arrays that may take a lambda, whose body is written for the element of a row of `json_each`.
import { reject } from '../../error'
import { arrayOf, FLOAT, INTEGER, isNumber, type Type } from '../../types'
import { fill, fn } from '../define'
import { sideBySide } from '../limits'
import { always, argument, elementOf, type Returns } from '../return-types'
import type { ScalarFunction, SqliteSite } from '../spec'
import { asElement, orDefault, orderTerms } from '../sqlite-values'

interface Elements {
  /** SQL of the arrays as rows. */
  rows: string
  /** The lambda's result, or the element without a lambda. */
  value: string
  valueType: Type
  /** The element of the first array. */
  element: string
  elementType: Type
  key: string
}

function elementsOf(args: readonly string[], site: SqliteSite): Elements {
  const [first = 'a'] = site.parameters
  const hasLambda = site.parameters.length > 0
  const arrays = hasLambda ? args.slice(1) : args.slice(0, 1)
  const names = hasLambda ? site.parameters : ['a']
  const elementType = elementOf(argument(site.types, hasLambda ? 1 : 0))
  return {
    rows: sideBySide(arrays, names),
    value: hasLambda ? String(args[0]) : first,
    valueType: hasLambda ? argument(site.types, 0) : elementType,
    element: first,
    elementType,
    key: `${first}.key`,
  }
}

type Write = (elements: Elements, site: SqliteSite) => string

/** Defines a function of a lambda and arrays. */
const withLambda = (name: string, returns: Returns, write: Write): ScalarFunction =>
  fn(name, 'lambda, array, array...', returns, (site, ...args) => write(elementsOf(args, site), site))

/** Defines a function of arrays that may take a lambda. */
const maybeLambda = (
  name: string,
  returns: Returns,
  write: Write,
  clickhouse?: ScalarFunction['clickhouse'],
): ScalarFunction => ({
  ...fn(name, 'array, array...', returns, (site, ...args) => write(elementsOf(args, site), site), {
    mayTakeLambda: true,
  }),
  clickhouse,
})

/** Defines a function whose lambda is a condition, for which ClickHouse requires a UInt8. */
const byCondition = (spec: ScalarFunction): ScalarFunction => ({
  ...spec,
  returns(args, constants) {
    const condition = args.length > 1 ? argument(args, 0) : elementOf(argument(args, 0))
    if (!isNumber(condition) && condition.kind !== 'null') {
      reject(null, `'${spec.name}' takes a condition, and got one of type ${condition.kind}.`)
    }
    return spec.returns(args, constants)
  },
  takesCondition: true,
})

/** The type of the lambda's result, or of the elements without a lambda. */
const resultType: Returns = (args) => (args.length > 1 ? argument(args, 0) : elementOf(argument(args, 0)))

const sumType: Returns = (args, constants) => {
  const type = resultType(args, constants)
  if (!isNumber(type) && type.kind !== 'null') reject(null, `Values of type ${type.kind} have no sum.`)
  return type.kind === 'float' ? FLOAT : INTEGER
}

/**
 * Writes a function of numbers for ClickHouse, whose own takes none that may be NULL.
 * @param safe SQL over numbers `$1` that may be NULL
 */
const ofNumbers =
  (name: string, safe: string): NonNullable<ScalarFunction['clickhouse']> =>
  (args, { types, constants }) => {
    const type = resultType(types, constants)
    if (!type.nullable && type.kind !== 'null') return `${name}(${args.join(', ')})`
    const values = args.length > 1 ? `arrayMap(${args.join(', ')})` : args.join()
    return fill(safe, type.kind === 'null' ? `CAST(${values}, 'Array(Nullable(Int64))')` : values)
  }

/** SQL of the numbers of an array that are not NULL. */
const KNOWN = 'arrayMap(x -> assumeNotNull(x), arrayFilter(x -> isNotNull(x), $1))'

const PRODUCT = ofNumbers('arrayProduct', `arrayProduct(${KNOWN})`)

const arrayOfSums: Returns = (args, constants) => arrayOf(sumType(args, constants))

/** The type of the first array. */
const arrayType: Returns = (args) => argument(args, args.length > 1 ? 1 : 0)

/** Returns SQL of an array of an expression over the rows, by default in the order of the elements. */
const select = (sql: string, type: Type, { rows, key }: Elements, where = '', order = key): string =>
  `(SELECT json_group_array(${asElement('b.v', type)}) FROM (SELECT ${sql} AS v FROM ${rows} ${where} ORDER BY ${order}) AS b)`

const first = (name: string, order: 'ASC' | 'DESC'): ScalarFunction =>
  withLambda(
    name,
    (args) => elementOf(argument(args, 1)),
    ({ rows, element, value, key }, { type }) =>
      orDefault(`(SELECT ${element} FROM ${rows} WHERE ${value} ORDER BY ${key} ${order} LIMIT 1)`, type),
  )

const orderOf = (name: string, { value, valueType }: Elements, direction: 'ASC' | 'DESC'): string =>
  orderTerms(name, value, valueType, direction).join(', ')

/** Defines a sort. */
const sorted = (name: string, direction: 'ASC' | 'DESC'): ScalarFunction =>
  maybeLambda(name, arrayType, (of) =>
    select(of.element, of.elementType, of, '', `${orderOf(name, of, direction)}, ${of.key}`),
  )

const folded = (name: string, aggregate: 'min' | 'max'): ScalarFunction =>
  maybeLambda(name, resultType, (of, { type }) => {
    const { rows, value, valueType } = of
    if (valueType.kind !== 'array' && valueType.kind !== 'tuple')
      return orDefault(`(SELECT ${aggregate}(${value}) FROM ${rows})`, type)
    const order = orderOf(name, of, aggregate === 'min' ? 'ASC' : 'DESC')
    return orDefault(`(SELECT ${value} FROM ${rows} ORDER BY ${order} LIMIT 1)`, type)
  })

export const ARRAY_LAMBDAS: readonly ScalarFunction[] = [
  withLambda(
    'arrayMap',
    (args) => arrayOf(argument(args, 0)),
    (of) => select(of.value, of.valueType, of),
  ),
  byCondition(
    withLambda('arrayFilter', arrayType, (of) => select(of.element, of.elementType, of, `WHERE ${of.value}`)),
  ),
  byCondition(first('arrayFirst', 'ASC')),
  byCondition(first('arrayLast', 'DESC')),
  byCondition(
    withLambda(
      'arrayFirstIndex',
      always(INTEGER),
      ({ rows, value, key }) => `ifnull((SELECT min(${key}) + 1 FROM ${rows} WHERE ${value}), 0)`,
    ),
  ),
  byCondition(
    withLambda(
      'arrayLastIndex',
      always(INTEGER),
      ({ rows, value, key }) => `ifnull((SELECT max(${key}) + 1 FROM ${rows} WHERE ${value}), 0)`,
    ),
  ),
  byCondition(
    maybeLambda(
      'arrayExists',
      always(INTEGER),
      ({ rows, value }) => `EXISTS (SELECT 1 FROM ${rows} WHERE ${value})`,
    ),
  ),
  byCondition(
    maybeLambda(
      'arrayAll',
      always(INTEGER),
      ({ rows, value }) => `(NOT EXISTS (SELECT 1 FROM ${rows} WHERE NOT ifnull(${value}, 0)))`,
    ),
  ),
  byCondition(
    maybeLambda(
      'arrayCount',
      always(INTEGER),
      ({ rows, value }) => `(SELECT count(*) FROM ${rows} WHERE ${value})`,
    ),
  ),
  sorted('arraySort', 'ASC'),
  sorted('arrayReverseSort', 'DESC'),
  maybeLambda(
    'arraySum',
    sumType,
    ({ rows, value }) => `ifnull((SELECT sum(${value}) FROM ${rows}), 0)`,
    ofNumbers('arraySum', `arraySum(${KNOWN})`),
  ),
  maybeLambda(
    'arrayAvg',
    (args, constants) => (sumType(args, constants), FLOAT),
    ({ rows, value }) => `ifnull((SELECT avg(${value}) FROM ${rows}), 0)`,
    ofNumbers('arrayAvg', `arrayAvg(${KNOWN})`),
  ),
  fn(
    'arrayProduct',
    'array',
    (args, constants) => (sumType(args, constants), FLOAT),
    '(WITH RECURSIVE p(place, product, known) AS (SELECT 0, 1.0, 0 UNION ALL ' +
      'SELECT place + 1, product * ifnull($1 ->> place, 1), known OR ($1 ->> place) IS NOT NULL FROM p WHERE place < json_array_length($1)) ' +
      'SELECT product * known FROM p ORDER BY place DESC LIMIT 1)',
    { clickhouse: (site, array) => PRODUCT([array], site) },
  ),
  folded('arrayMin', 'min'),
  folded('arrayMax', 'max'),
  maybeLambda(
    'arrayCumSum',
    arrayOfSums,
    ({ rows, value, key, valueType: type }) =>
      `(SELECT json_group_array(${asElement('b.v', type)}) FROM (SELECT ifnull(sum(${value}) OVER (ORDER BY ${key}), 0) AS v FROM ${rows} ORDER BY ${key}) AS b)`,
    ofNumbers('arrayCumSum', 'arrayCumSum(arrayMap(x -> ifNull(x, 0), $1))'),
  ),
  maybeLambda(
    'arrayDifference',
    arrayOfSums,
    ({ rows, value, key, valueType: type }) =>
      `(SELECT json_group_array(${asElement('b.v', type)}) FROM (SELECT ifnull(${value} - lag(${value}) OVER (ORDER BY ${key}), 0) AS v FROM ${rows} ORDER BY ${key}) AS b)`,
    ofNumbers(
      'arrayDifference',
      'arrayMap(a -> arrayMap((x, y) -> ifNull(x - y, 0), a, arrayPopBack(arrayPushFront(a, NULL))), [$1])[1]',
    ),
  ),
]
