// What names mean where: the sources of a SELECT, its aliases, and the CTEs around it.
import type { Expr, Source, TableName } from '../../ir'
import type { Expression, Located, WindowExpr } from '../../parser/ast'
import type { PropertyOwner, TableSchema } from '../../tables/schema'
import type { Type } from '../../types'

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
