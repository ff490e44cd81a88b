// Walks resolved queries and expressions: their parts, their sizes, and whether two are the same.
import { LruCache } from '../lru-cache'
import type { Expr, FrameBound, Query, Select, Source } from './ir'

type Part = Expr | Query

const isExpr = (value: object): value is Expr => 'node' in value
const isQuery = (value: object): value is Query =>
  'kind' in value && (value.kind === 'select' || value.kind === 'set')

/** Returns the expressions and queries directly inside a value, in order. Types and sets of names contain none. */
function partsIn(value: unknown): Part[] {
  if (typeof value !== 'object' || value === null || value instanceof Set) return []
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]): Part[] => {
    if (key === 'type' || typeof inner !== 'object' || inner === null) return []
    return isExpr(inner) || isQuery(inner) ? [inner] : partsIn(inner)
  })
}

/** Returns the expressions directly inside an expression or a query. */
export const partsOf = (whole: Part): Expr[] => partsIn(whole).filter(isExpr)

/** Returns the queries directly inside an expression or a query. */
export const queriesOf = (whole: Part): Query[] => partsIn(whole).filter(isQuery)

/** The functions that replace the expressions and the queries inside something. */
export interface Change {
  expr(expr: Expr): Expr
  query(query: Query): Query
}

/** Returns the expression or query with the expressions and queries directly inside it replaced. */
export const mapParts = <Whole extends Part>(whole: Whole, change: Change): Whole =>
  mapValues(whole, change) as Whole

function mapValues(value: object, change: Change): object {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => [
      key,
      key === 'type' ? inner : mapValue(inner, change),
    ]),
  )
}

function mapValue(value: unknown, change: Change): unknown {
  if (Array.isArray(value)) return value.map((each) => mapValue(each, change))
  if (typeof value !== 'object' || value === null || value instanceof Set || value instanceof Map)
    return value
  if (isExpr(value)) return change.expr(value)
  return isQuery(value) ? change.query(value) : mapValues(value, change)
}

/** Returns ids of the sources and lambda parameters of a query, at any depth. */
export function idsIn(query: Query): ReadonlySet<number> {
  const ids = new Set<number>()
  const visit = (part: Part): void => {
    if (isQuery(part)) {
      if (part.kind === 'select') for (const { id } of sourcesOf(part)) ids.add(id)
    } else if (part.node === 'lambda') for (const id of part.parameters) ids.add(id)
    for (const inner of partsIn(part)) visit(inner)
  }
  visit(query)
  return ids
}

/** Returns the sources of a SELECT, in the order in which they are joined. */
export const sourcesOf = ({ from }: Pick<Select, 'from'>): Source[] =>
  from === null ? [] : [from.source, ...from.joins.map(({ source }) => source)]

/** Returns whether an expression or a part of it, except what is inside subqueries, passes a test. */
export const contains = (expr: Expr, test: (part: Expr) => boolean): boolean =>
  test(expr) || partsOf(expr).some((part) => contains(part, test))

export const containsAggregate = (expr: Expr): boolean => contains(expr, ({ node }) => node === 'aggregate')
export const containsWindow = (expr: Expr): boolean => contains(expr, ({ node }) => node === 'window')

/** Returns whether two expressions are written alike. Subqueries never are, because each has its own sources. */
export function sameExpr(one: Expr, other: Expr): boolean {
  if (one === other) return true
  if (one.node !== other.node || measure(one).size !== measure(other).size) return false
  return keyOf(one) === keyOf(other)
}

/** A longer text is represented by a number in keys, because thousands of expressions may refer to one text. */
const LONG = 100

/** Numbers of long texts. The cache can hold all texts of the longest query, which keep their numbers while it is compiled. */
const longTexts = new LruCache<string, number>(8 * 1024 * 1024)
let lastLong = 0

/** Returns a value that represents a long text, and any other value unchanged. */
function shortened(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= LONG) return value
  let long = longTexts.get(value)
  if (long === undefined) longTexts.set(value, (long = ++lastLong), value.length)
  return { long }
}

const keys = new WeakMap<Expr, string>()

/**
 * Returns a text that two expressions share only if they are written alike. Parameters of the lambdas in an expression are numbered in
 * the order in which they occur, because each time that a query names a function, its lambdas get parameters of their own. Those of
 * surrounding lambdas keep their ids. The text is computed once, because one expression may be compared with many.
 */
export function keyOf(expr: Expr): string {
  let key = keys.get(expr)
  if (key === undefined) keys.set(expr, (key = makeKey(expr)))
  return key
}

function makeKey(expr: Expr): string {
  const numbers = new Map<unknown, string>()
  let last = 0
  const bind = (id: unknown): string => {
    const name = `#${++last}`
    numbers.set(id, name)
    return name
  }
  return JSON.stringify(expr, (name, value: unknown) => {
    if (name === 'parameter') return numbers.get(value) ?? value
    return name === 'parameters' && Array.isArray(value) ? value.map(bind) : shortened(value)
  })
}

export interface Measure {
  /** The number of expressions, including the whole. */
  size: number
  depth: number
}

const measures = new WeakMap<Part, Measure>()

/** Returns the size of an expression as it is written out: what is referred to twice counts twice. */
export function measure(part: Part): Measure {
  const known = measures.get(part)
  if (known !== undefined) return known
  const found = { size: 1, depth: 1 }
  for (const { size, depth } of partsIn(part).map(measure)) {
    found.size += size
    found.depth = Math.max(found.depth, depth + 1)
  }
  measures.set(part, found)
  return found
}

/** Returns the number of rows from the current one to the bound of a frame. */
export function offsetOf(bound: FrameBound): number {
  switch (bound.kind) {
    case 'unbounded preceding':
      return -Infinity
    case 'unbounded following':
      return Infinity
    case 'current row':
      return 0
    case 'preceding':
      return -bound.count
    case 'following':
      return bound.count
  }
}
