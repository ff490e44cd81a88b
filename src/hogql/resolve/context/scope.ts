// The names in scope: the sources of a SELECT, its aliases, and CTEs.
import { ExprIndex } from '../../expr-index'
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
  /** It is an unconverted property. */
  isPropertyText?: boolean
  /** Another column of the same name has another value. */
  ambiguous?: boolean
}

export type CteEntry =
  | {
      kind: 'query'
      id: number
      columns: readonly DerivedColumn[]
      /** Whether the name stands for the previous level, which it does in a step of its own recursive CTE. */
      isLevel?: boolean
      use(node: Located): void
    }
  | { kind: 'expression'; expression: Expression }

/** CTEs in scope; an inner one hides an outer one of its name. */
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
  | { kind: 'table'; schema: TableSchema; used: Set<string> }
  | { kind: 'derived'; columns: readonly DerivedColumn[] }

export interface NamedSource {
  id: number
  /** Its alias or its table's name, or null for a subquery without an alias. */
  name: string | null
  shape: SourceColumns
  /** Whether an outer join may leave it without a row. */
  optional: boolean
  /** Columns that `*` omits, because a join USING them has them. */
  merged: Set<string>
}

export interface Scope {
  environment: Environment
  /** The scope around a subquery. */
  outer: Scope | null
  sources: NamedSource[]
  /** The columns that a join USING them merged. */
  merged: Map<string, Expr>
  /** Aliases of the SELECT items resolved so far. */
  aliases: Map<string, Expr>
  /** CTE expressions being resolved, which must not refer to themselves. */
  resolving: Set<string>
  /** Parameters of the lambdas around. */
  parameters: Map<string, Expr>
  windows: ReadonlyMap<string, WindowExpr>
  /** Sources of the arrays of arrayJoin(), once per array, or null where it cannot stand. */
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
