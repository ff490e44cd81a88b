// A resolved query: every name bound, every type known, no dialect yet. What both printers read, and nothing else.
//
// No text that a user wrote is an identifier in here. Sources are numbers, columns are the names of a table's known columns or `c<n>` for the
// n-th item of a subquery; what a user called a result stands in `Item.name` and reaches nobody but the caller.
import type { Type, Unit } from './types'

export type Query = Select | SetOperation

export interface Select {
  kind: 'select'
  ctes: Cte[]
  distinct: boolean
  items: Item[]
  from: From | null
  where: Expr | null
  groupBy: Expr[]
  /** Whether rows are aggregated: there is a GROUP BY or an aggregate function. */
  aggregated: boolean
  having: Expr | null
  orderBy: Order[]
  /** The first `count` rows after `offset` of each combination of `by`. */
  limitBy: { count: number; offset: number; by: Expr[] } | null
  limit: number | null
  offset: number
}

/** `initial OP next OP next`, left to right. The columns are those of `initial`, with types that fit all. */
export interface SetOperation {
  kind: 'set'
  ctes: Cte[]
  initial: Query
  rest: { operator: SetOperator; query: Query }[]
  items: Omit<Item, 'expr'>[]
  orderBy: Order[]
  limit: number | null
  offset: number
}

export type SetOperator =
  | 'union all'
  | 'union distinct'
  | 'intersect'
  | 'intersect distinct'
  | 'except'
  | 'except distinct'

/** A result column. It is printed as `c<index>`. */
export interface Item {
  /** As the caller sees it: the alias, or the text of the expression. */
  name: string
  expr: Expr
  type: Type
}

/** A common table expression; printed as `cte<id>`. */
export interface Cte {
  id: number
  query: Query
}

export interface Order {
  expr: Expr
  descending: boolean
}

export interface From {
  source: Source
  joins: Join[]
}

export interface Join {
  kind: 'inner' | 'left' | 'right' | 'full' | 'cross'
  source: Source
  on: Expr | null
}

/** Something that has rows; printed as `s<id>`. Ids are unique in the whole query. */
export type Source =
  | { kind: 'table'; id: number; table: TableName; columns: Set<string> }
  | { kind: 'query'; id: number; query: Query }
  | { kind: 'cte'; id: number; cte: number }
  /** A row for each element of an array that the sources before it give; its one column is `value`. */
  | { kind: 'elements'; id: number; array: Expr; type: Type }
  /** The rows that the service keeps of a materialized query; its columns are `c<n>`, and `row` for their order. */
  | { kind: 'stored'; id: number }
  /** `numbers(count)`: the integers from `start` on; its one column is `number`. */
  | { kind: 'numbers'; id: number; start: Expr; count: Expr }

/** The tables that a query may read. Each printer turns one into a subselect that the project is the bound of. */
export type TableName = 'events' | 'persons' | 'person_distinct_ids' | 'groups' | 'sessions' | 'cohort_people'

export type Literal = string | number | boolean | null

export type CompareOp = '=' | '!=' | '<' | '<=' | '>' | '>='
export type LikeOp = 'like' | 'ilike' | 'not like' | 'not ilike'
export type ArithmeticOp = '+' | '-' | '*' | '/' | '%'

export type Expr =
  /** A datetime is in stored form (`timestamps.ts`), a date `YYYY-MM-DD`. */
  | { node: 'literal'; value: Literal; type: Type }
  /** A value of the run. It has been made to fit `type` before it is bound (`endpoints/values/bind-variables.ts`). */
  | { node: 'variable'; name: string; type: Type }
  /** The run's moment: `now` is a datetime, `today` the project's date. Bound like a literal, so that all of a query agrees on it. */
  | { node: 'clock'; which: 'now' | 'today'; type: Type }
  /** `column` is a key of the table, or `c<n>` of a subquery or CTE. */
  | { node: 'column'; source: number; column: string; type: Type }
  /** The value at a path in a JSON document, as text: strings bare, everything else as JSON; NULL for null and for what is missing. */
  | { node: 'property'; document: Expr; path: string[]; type: Type }
  /** A scalar function of the catalogue, by its canonical name. */
  | { node: 'call'; fn: string; args: Expr[]; type: Type }
  | Aggregate
  | {
      node: 'window'
      fn: string
      args: Expr[]
      params: Literal[]
      filter: Expr | null
      over: Window
      type: Type
    }
  | { node: 'compare'; op: CompareOp; left: Expr; right: Expr; type: Type }
  | { node: 'like'; op: LikeOp; left: Expr; right: Expr; type: Type }
  | { node: 'isNull'; negated: boolean; operand: Expr; type: Type }
  | { node: 'in'; negated: boolean; left: Expr; choices: InChoices; type: Type }
  | { node: 'and' | 'or'; operands: Expr[]; type: Type }
  | { node: 'not'; operand: Expr; type: Type }
  | { node: 'arithmetic'; op: ArithmeticOp; left: Expr; right: Expr; type: Type }
  | { node: 'negate'; operand: Expr; type: Type }
  /** A datetime or date moved by `amount` units; `type` is what comes out (a date moved by hours is a datetime). */
  | { node: 'shift'; moment: Expr; amount: Expr; unit: Unit; type: Type }
  | { node: 'case'; branches: { when: Expr; then: Expr }[]; otherwise: Expr | null; type: Type }
  | { node: 'array'; items: Expr[]; type: Type }
  | { node: 'tuple'; items: Expr[]; type: Type }
  /** `body` seen with `parameter` standing for each element; only ever an argument of a function that takes one. */
  | { node: 'lambda'; parameters: number[]; body: Expr; type: Type }
  | { node: 'element'; parameter: number; type: Type }
  /** The one value of a query of one column; NULL when it has no row. */
  | { node: 'subquery'; query: Query; type: Type }
  | { node: 'exists'; query: Query; type: Type }

export interface Aggregate {
  node: 'aggregate'
  /** Canonical name, without `If`: that is `filter`. */
  fn: string
  args: Expr[]
  /** Constants in the first pair of parentheses: `quantile(0.9)(x)`. */
  params: Literal[]
  distinct: boolean
  filter: Expr | null
  type: Type
}

export type InChoices =
  | { kind: 'list'; items: Expr[] }
  | { kind: 'query'; query: Query }
  /** An array: a column, a variable of type List, or an expression. */
  | { kind: 'array'; array: Expr }

export interface Window {
  partitionBy: Expr[]
  orderBy: Order[]
  frame: { unit: 'rows' | 'range'; start: FrameBound; end: FrameBound } | null
}

export type FrameBound =
  | { kind: 'unbounded preceding' | 'unbounded following' | 'current row' }
  | { kind: 'preceding' | 'following'; count: number }
