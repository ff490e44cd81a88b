// Writes functions, aggregates and window functions for ClickHouse, as the catalogue says, or as a call of their own name.
import { HogqlError } from '../error'
import type { Site } from '../functions/spec'
import type { Aggregate, Expr, FrameBound, Literal, Node, Query } from '../ir'
import { contains, partsOf, queriesOf } from '../ir-walk'
import { commonSite, specOf } from '../print/expression'
import { arrayOf, commonType, type Type, zoneOf } from '../types'
import { cast, type ClickhouseContext as Context, convert, withElements } from './convert'

export function printCall(node: Node<'call'>, context: Context): string {
  const spec = specOf(node.fn)
  if (spec.kind !== 'scalar') throw new Error(`${node.fn} is no scalar function`)
  checkConstants(node)
  const args = spec.takesCondition ? conditionFirst(node, context) : argumentsOf(node, context)
  return asInteger(
    spec.clickhouse?.(args, siteOf(node, context)) ?? `${spec.name}(${args.join(', ')})`,
    node.type,
  )
}

type NamedArguments = readonly (readonly [index: number, name: string])[]

const OF_SPLITS: NamedArguments = [
  [0, 'separator'],
  [2, 'number of parts'],
]

/** Arguments that ClickHouse takes only as constants. */
const CONSTANTS: ReadonlyMap<string, NamedArguments> = new Map([
  ['splitByChar', OF_SPLITS],
  ['splitByString', OF_SPLITS],
  ['arrayStringConcat', [[1, 'separator']]],
])

/** Nodes whose value depends on the row. */
const OF_ROWS: ReadonlySet<string> = new Set([
  'column',
  'property',
  'element',
  'aggregate',
  'window',
  'lookup',
  'subquery',
])

function checkConstants({ fn, args }: Node<'call'>): void {
  for (const [index, name] of CONSTANTS.get(fn) ?? []) {
    const arg = args[index]
    if (arg && contains(arg, ({ node }) => OF_ROWS.has(node)))
      throw new HogqlError(
        `On ClickHouse '${fn}' takes a constant or a variable as its ${name}, and no value of a row.`,
      )
  }
}

export const printAggregate = (node: Aggregate, context: Context): string =>
  asInteger(aggregateCall(node, filterOf(node, context), context), node.type)

export function printWindowCall(node: Node<'window'>, context: Context): string {
  const { frame } = node.over
  for (const bound of frame ? [frame.start, frame.end] : []) checkOffset(bound)
  return asInteger(
    aggregateCall(
      { ...node, distinct: false },
      `${filterOf(node, context)} OVER ${context.window(node.over)}`,
      context,
    ),
    node.type,
  )
}

/** ClickHouse takes an offset of 31 bits. */
const MAX_OFFSET = 2_147_483_646

function checkOffset(bound: FrameBound): void {
  if (!('count' in bound) || bound.count <= MAX_OFFSET) return
  throw new HogqlError(
    `ClickHouse takes offsets of RANGE up to ${MAX_OFFSET}, which are 2147 seconds of a datetime. ORDER BY toUnixTimestamp(…) has offsets in seconds, and toDate(…) in days.`,
  )
}

const filterOf = ({ filter }: Pick<Aggregate, 'filter'>, context: Context): string =>
  filter ? ` FILTER (WHERE ${context.condition(filter, 'filter')})` : ''

/** @param after the FILTER and OVER of the aggregate */
function aggregateCall(
  node: Pick<Aggregate, 'fn' | 'args' | 'params' | 'distinct' | 'type'>,
  after: string,
  context: Context,
): string {
  const spec = specOf(node.fn)
  if (spec.kind === 'scalar') throw new Error(`${node.fn} is no aggregate function`)
  const args = argumentsOf(node, context)
  let isApplied = false
  const apply = (inner: string) => {
    isApplied = true
    return inner + after
  }
  const site = { ...siteOf(node, context), params: node.params, distinct: node.distinct, apply }
  const own = spec.clickhouse?.(args, site)
  if (own !== undefined) return isApplied ? own : own + after
  const params = node.params.length > 0 ? `(${node.params.map(paramText).join(', ')})` : ''
  return `${spec.name}${params}(${node.distinct ? 'DISTINCT ' : ''}${args.join(', ')})${after}`
}

/** ClickHouse takes only literals as parameters of an aggregate. */
function paramText(param: Literal): string {
  if (typeof param === 'number' && Number.isFinite(param)) return String(param)
  throw new Error('a parameter of an aggregate that is no number')
}

type Test = (index: number, count: number) => boolean

/** Functions that return one of their arguments, or elements of them, with a test for these arguments. They take the result's type. */
const CHOICES: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['if', (index) => index > 0],
  ['multiIf', (index, count) => index % 2 === 1 || index === count - 1],
  ['ifNull', () => true],
  ['coalesce', () => true],
  ['greatest', () => true],
  ['least', () => true],
  ['lag', (index) => index !== 1],
  ['lead', (index) => index !== 1],
  ['lagInFrame', (index) => index !== 1],
  ['leadInFrame', (index) => index !== 1],
  ['arrayConcat', () => true],
  ['arrayPushBack', () => true],
  ['arrayPushFront', () => true],
])

/** Functions that compare the elements of two arrays. */
const COMPARING: ReadonlySet<string> = new Set(['hasAny', 'hasAll'])

function argumentsOf(
  { fn, args, type }: Pick<Node<'call'>, 'fn' | 'args' | 'type'>,
  context: Context,
): string[] {
  const [first] = args
  if (first?.node === 'lambda' && FOLDS.has(fn) && args.some(isUntyped)) {
    const results = `arrayMap(${args.map((arg) => context.expr(arg)).join(', ')})`
    const list = arrayOf(first.type)
    return [first.type.kind === 'null' ? withElements(results, list) : cast(results, list, context)]
  }
  const isChosen = CHOICES.get(fn)
  return args.map((arg, index) => {
    const sql = argumentOf(fn, arg, context)
    if (COMPARING.has(fn)) return convert(sql, arg.type, commonOf(args) ?? arg.type, context)
    if (!isChosen?.(index, args.length)) return sql
    // No window function takes a NULL without a type.
    if (arg.type.kind === 'null' && (fn.startsWith('lag') || fn.startsWith('lead')))
      return cast(sql, type, context)
    const isElement = type.kind === 'array' && arg.type.kind !== 'array'
    return convert(sql, arg.type, isElement ? type.of : type, context)
  })
}

/** Functions that fold the results of a lambda, which has no type in ClickHouse for the elements of `[]`. */
const FOLDS: ReadonlySet<string> = new Set([
  'arrayMin',
  'arrayMax',
  'arraySum',
  'arrayAvg',
  'arrayCumSum',
  'arrayDifference',
])

const isUntyped = ({ node, type }: Expr): boolean =>
  node !== 'lambda' && type.kind === 'array' && type.of.kind === 'null'

/** Functions that return an element of an array. */
const OF_ELEMENTS: ReadonlySet<string> = new Set([
  'arrayElement',
  'arrayElementOrNull',
  'arrayFirst',
  'arrayLast',
  'arrayMin',
  'arrayMax',
])

function argumentOf(fn: string, arg: Expr, context: Context): string {
  const sql = context.expr(arg)
  return OF_ELEMENTS.has(fn) && isUntyped(arg) ? withElements(sql, arg.type) : sql
}

const commonOf = ([one, other]: readonly Expr[]): Type | undefined =>
  one && other && commonType(one.type, other.type)

/**
 * Writes a lambda. The names of its parameters have the number of lambdas nested in it, so that none of those uses the same names. Lambdas
 * that are written alike are thereby printed alike, without which ClickHouse does not recognize the key of a group in an expression that
 * reads it.
 * @param body writes the SQL of the body, once the parameters have their names
 */
export function lambdaOf(node: Node<'lambda'>, context: Context, body: () => string): string {
  const names = node.parameters.map((_, index) => `e${lambdasIn(node)}_${index}`)
  node.parameters.forEach((id, index) => context.elements.set(id, names[index]!))
  return `(${names.join(', ')}) -> ${body()}`
}

const nested = new WeakMap<Expr | Query, number>()

/** Returns how deep lambdas are nested in an expression or a query. */
function lambdasIn(part: Expr | Query): number {
  let found = nested.get(part)
  if (found === undefined) {
    const inner = Math.max(0, ...[...partsOf(part), ...queriesOf(part)].map(lambdasIn))
    nested.set(part, (found = 'node' in part && part.node === 'lambda' ? inner + 1 : inner))
  }
  return found
}

/** Returns the arguments of a function whose lambda is a condition; without a lambda, each element of its array is one. */
function conditionFirst(node: Node<'call'>, context: Context): string[] {
  const isTrue = (sql: string) => `ifNull(${sql} != 0, 0)`
  const [first, ...rest] = node.args
  const others = rest.map((arg) => argumentOf(node.fn, arg, context))
  return first?.node === 'lambda'
    ? [lambdaOf(first, context, () => isTrue(`(${context.expr(first.body)})`)), ...others]
    : [`x -> ${isTrue('x')}`, ...(first ? [argumentOf(node.fn, first, context)] : []), ...others]
}

function siteOf(node: Pick<Node<'call'>, 'args' | 'type'>, context: Context): Site {
  const timezone = zoneOf(node.args.map(({ type }) => type)) ?? context.timezone
  return {
    ...commonSite(node, context),
    zone: {
      name: timezone,
      isUtc: timezone === 'UTC',
      // A DateTime64 has its own zone, which ClickHouse's functions use.
      toLocal: (moment) => moment,
      toUtc: (local) => local,
    },
  }
}

/** Counts and lengths are unsigned in ClickHouse, which has no common type for them and negative numbers. */
const asInteger = (sql: string, { kind }: Type): string => (kind === 'integer' ? `toInt64(${sql})` : sql)
