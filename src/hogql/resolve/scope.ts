// What names mean where: the sources of a SELECT, its aliases, and the CTEs around it.
import type { Expr, Source, TableName } from '../ir'
import type { Expression, Located, WindowExpr } from '../parser/ast'
import type { PropertyOwner, TableSchema } from '../tables/schema'
import { isObject, type ColumnSchema, type ObjectSchema } from '../tables/schema'
import { nullable, type Type } from '../types'
import type { Resolution } from './context'
import { markPropertyText } from './properties'
import { refuse } from './refuse'

/** A column of a subquery or CTE. */
export interface DerivedColumn {
  name: string
  key: string
  type: Type
  owner?: PropertyOwner
  /** It holds the text of a property as it is. */
  isPropertyText?: boolean
  /** Another column of the same name is another value: reading it would be a guess. */
  ambiguous?: boolean
}

/** A CTE as a name stands for it: a query, or an expression. */
export type CteEntry =
  | { kind: 'query'; id: number; columns: readonly DerivedColumn[]; use(node: Located): void }
  | { kind: 'expression'; expression: Expression }

/** The CTEs that are in sight; an inner one hides an outer one of its name. */
export interface Environment {
  readonly ctes: ReadonlyMap<string, CteEntry>
  readonly outer: Environment | null
}

export const NO_CTES: Environment = { ctes: new Map(), outer: null }

export function cteNamed(environment: Environment, name: string): CteEntry | undefined {
  return environment.ctes.get(name) ?? (environment.outer ? cteNamed(environment.outer, name) : undefined)
}

/** What a source is read by: the columns of a table, or those of a query. */
export type Shape =
  | { kind: 'table'; schema: TableSchema; used: Set<string> }
  | { kind: 'derived'; columns: readonly DerivedColumn[] }

export interface NamedSource {
  id: number
  /** Its alias, or the name of its table; null for a subquery without one. */
  name: string | null
  shape: Shape
  /** Whether an outer join may leave it without a row. */
  optional: boolean
  /** Columns that `*` leaves out, since a join USING them has given them already. */
  merged: Set<string>
}

/** An arrayJoin() of the SELECT: the same array is only ever joined once. */
export interface ArrayJoined {
  array: Expr
  source: Extract<Source, { kind: 'elements' }>
}

export interface Scope {
  environment: Environment
  /** The scope around, for a subquery that reads it. */
  outer: Scope | null
  sources: NamedSource[]
  /** Columns that a join USING them made one. */
  merged: Map<string, Expr>
  /** What SELECT items are called, as far as they are resolved. */
  aliases: Map<string, Expr>
  /** CTE expressions that are being resolved, lest they find themselves. */
  resolving: Set<string>
  /** Parameters of the lambdas around. */
  parameters: Map<string, Expr>
  windows: ReadonlyMap<string, WindowExpr>
  arrayJoins: ArrayJoined[] | null
  /** Tables in FROM, by which `{filters}` knows what it filters. */
  tables: Set<TableName>
}

export const emptyScope = (environment: Environment, outer: Scope | null): Scope => ({
  environment,
  outer,
  sources: [],
  merged: new Map(),
  aliases: new Map(),
  resolving: new Set(),
  parameters: new Map(),
  windows: new Map(),
  arrayJoins: [],
  tables: new Set(),
})

/** What a name finds in a source. */
export type Found =
  | { kind: 'column'; expr: Expr }
  | { kind: 'object'; source: NamedSource; object: ObjectSchema }

/** What `name` is in one source; undefined when it is nothing there. */
export function findIn(r: Resolution, source: NamedSource, name: string, node: Located): Found | undefined {
  if (source.shape.kind === 'table') {
    const field = source.shape.schema.fields.get(name)
    if (field === undefined) return undefined
    return isObject(field)
      ? { kind: 'object', source, object: field }
      : { kind: 'column', expr: readColumn(r, source, field) }
  }
  const column = source.shape.columns.find((candidate) => candidate.name === name)
  if (column === undefined) return undefined
  if (column.ambiguous) {
    refuse(node, `Ambiguous query. Found multiple sources for field: ${name}`, 'unknown_field')
  }
  return { kind: 'column', expr: readColumn(r, source, column) }
}

/** What `name` is in the sources of one scope; refuses a name that two of them have. */
export function findInSources(r: Resolution, scope: Scope, name: string, node: Located): Found | undefined {
  const merged = scope.merged.get(name)
  if (merged !== undefined) return { kind: 'column', expr: merged }
  let found: Found | undefined
  for (const source of scope.sources) {
    const here = findIn(r, source, name, node)
    if (here === undefined) continue
    if (found !== undefined) {
      refuse(node, `Ambiguous query. Found multiple sources for field: ${name}`, 'unknown_field')
    }
    found = here
  }
  return found
}

/** A column of a source, noted as read. */
export function readColumn(r: Resolution, source: NamedSource, column: ColumnSchema | DerivedColumn): Expr {
  if (source.shape.kind === 'table') source.shape.used.add(column.key)
  const type = source.optional ? nullable(column.type) : column.type
  const expr: Expr = { node: 'column', source: source.id, column: column.key, type }
  if (column.owner !== undefined) r.owners.set(expr, column.owner)
  if ('isPropertyText' in column && column.isPropertyText) markPropertyText(expr)
  return expr
}
