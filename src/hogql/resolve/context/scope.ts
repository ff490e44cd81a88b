// The names in scope: the sources of a SELECT, its aliases, and CTEs.
import { reject } from '../../error'
import { ExprIndex } from '../../expr-index'
import type { ComputedColumn, Expr, Source, TableName } from '../../ir'
import { sameExpr } from '../../ir-walk'
import type { Expression, Located, WindowExpr } from '../../parser/ast'
import type { JoinedSchema, PropertyOwner, TableSchema } from '../../tables/schema'
import type { Type } from '../../types'

/** A column of a subquery or CTE. */
export interface DerivedColumn {
  name: string
  key: string
  type: Type
  owner?: PropertyOwner
  /** Whether the column is an unconverted property. */
  isPropertyText?: boolean
  /** Whether it is a property that is text by its definition. */
  isDefinedText?: boolean
  /** Whether another column of the same name has another value. */
  ambiguous?: boolean
}

export type CteEntry =
  | {
      kind: 'query'
      id: number
      columns: readonly DerivedColumn[]
      /** Whether the name refers to the previous level, which it does in a step of its own recursive CTE. */
      isLevel?: boolean
      use(node: Located): void
    }
  | { kind: 'expression'; expression: Expression }

/** The CTEs in scope. An inner one hides an outer one of the same name. */
export interface Environment {
  readonly ctes: ReadonlyMap<string, CteEntry>
  readonly outer: Environment | null
  /** Whether this is a step of a recursive CTE. */
  readonly isStep?: boolean
}

export const NO_CTES: Environment = { ctes: new Map(), outer: null }

export function findCte(environment: Environment, name: string): CteEntry | undefined {
  return environment.ctes.get(name) ?? (environment.outer ? findCte(environment.outer, name) : undefined)
}

export const isInStep = ({ isStep, outer }: Environment): boolean =>
  isStep === true || (outer !== null && isInStep(outer))

export type SourceColumns =
  | {
      kind: 'table'
      schema: TableSchema
      used: Set<string>
      computed: Map<string, ComputedColumn>
    }
  | { kind: 'derived'; columns: readonly DerivedColumn[] }

export interface NamedSource {
  id: number
  /** The alias or the table's name, or null for a subquery without an alias. */
  name: string | null
  shape: SourceColumns
  /** Whether the row of the source may be missing because of an outer join. */
  optional: boolean
  /** What `join` has joined. */
  joined: ReadonlyMap<JoinedSchema, NamedSource>
  /** Joins the rows of a field, once. */
  join(field: JoinedSchema): NamedSource
}

export interface Scope {
  environment: Environment
  /** The scope around a subquery, whose names the subquery cannot read: upstream rejects them, and ClickHouse computes few such queries. */
  outer: Scope | null
  sources: NamedSource[]
  /** The columns that joins with USING merged, and the sources whose columns they are, in the order of FROM. */
  merged: Map<string, { expr: Expr; sources: readonly NamedSource[] }>
  /** The aliases of the SELECT items that are resolved already. */
  aliases: Map<string, Expr>
  /** The CTE expressions that are being resolved, which must not refer to themselves. */
  resolving: Set<string>
  /** The parameters of the lambdas around the expression. */
  parameters: Map<string, Expr>
  windows: ReadonlyMap<string, WindowExpr>
  /** Whether a key of GROUP BY that is only a name is being resolved. */
  isKey?: boolean
  /** The sources for the arrays of arrayJoin(), one for each array, or null where arrayJoin() is not allowed. */
  arrayJoins: ExprIndex<Extract<Source, { kind: 'elements' }>> | null
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
  arrayJoins: new ExprIndex(),
  tables: new Set(),
})

/** Names an expression. */
export function addAlias({ aliases }: Scope, node: Located & { alias: string }, expr: Expr): void {
  const known = aliases.get(node.alias)
  if (known && !sameExpr(known, expr))
    reject(node, `Cannot redefine an alias with the name: ${node.alias}`, 'invalid_query')
  aliases.set(node.alias, expr)
}
