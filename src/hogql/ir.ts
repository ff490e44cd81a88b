// A resolved query: every name is bound and every type known, for any dialect.
//
// No text that a user wrote is an identifier in it. Sources are numbers, columns are the names of a table's known columns or `c<n>` for the
// n-th item of a subquery; a user's name for a result is only in `Item.name`.
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
  /** The sets of GROUPING SETS, by the positions of their keys. Without it, all rows have all keys. */
  groupingSets?: { word: 'GROUPING SETS' | 'ROLLUP' | 'CUBE'; sets: readonly (readonly number[])[] }
  /** Whether rows are aggregated, because of a GROUP BY or an aggregate function. */
  aggregated: boolean
  having: Expr | null
  orderBy: Order[]
  /** LIMIT BY: the first `count` rows after `offset` of each combination of `by`. */
  limitBy: { count: number; offset: number; by: Expr[] } | null
  limit: number | null
  offset: number
}

/** A set operation `initial OP next OP next`, from left to right. Its columns are those of `initial`, with types that fit all. */
export interface SetOperation {
  kind: 'set'
  ctes: Cte[]
  initial: Query
  rest: { operator: SetOperator; query: Query }[]
  items: Omit<Item, 'expr'>[]
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
  /** The name for the caller: the alias, or the text of the expression. */
  name: string
  expr: Expr
  type: Type
}

/** A common table expression; printed as `cte<id>`. */
export interface Cte {
  id: number
  query: Query
  /**
   * The queries of a recursive CTE that compute the rows of a level from those of the level before, which is the first source of each.
   * `query` gives the first level; all have its columns.
   */
  steps?: Select[]
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
  /**
   * Expressions and conditions that are read from the source before it is joined; lowering sets it. `on` may read the keys as columns
   * `k<n>`.
   */
  keyed?: { keys: Expr[]; where: Expr[] }
}

/** A source, which is printed as `s<id>`. Ids are unique in the whole query. */
export type Source =
  | {
      kind: 'table'
      id: number
      table: TableName
      columns: Set<string>
      /** Those of `columns` that an expression computes from others of the table. */
      computed: Map<string, ComputedColumn>
    }
  /** A subquery. With `apart`, which lowering sets, the database must not merge it with the query around it. */
  | { kind: 'query'; id: number; query: Query; apart?: boolean }
  | { kind: 'cte'; id: number; cte: number }
  /** The rows of the previous level, in a step of a recursive CTE. */
  | { kind: 'level'; id: number; cte: number }
  /** A row for each element of an array of the sources before it. Its one column is `value`. */
  | { kind: 'elements'; id: number; array: Expr; type: Type }
  /** The rows of a materialized query. Its columns are `c<n>`, and `row` for their order. */
  | { kind: 'stored'; id: number }
  /** `numbers(count)`: the integers from `start` on. Its one column is `number`. */
  | { kind: 'numbers'; id: number; start: Expr; count: Expr }

/** A column that is computed once for each row of its table. */
export interface ComputedColumn {
  expr: Expr
  /** The source of the columns in `expr`, and their keys, which have no prefix of an object. */
  source: number
  reads: readonly string[]
}

/** The tables that a query may read. Dialects print a subselect of the project's rows. */
export type TableName = 'events' | 'persons' | 'person_distinct_ids' | 'groups' | 'sessions' | 'cohort_people'

export type Literal = string | number | boolean | null

export type CompareOp = '=' | '!=' | '<' | '<=' | '>' | '>='
export type LikeOp = 'like' | 'ilike' | 'not like' | 'not ilike'
export type ArithmeticOp = '+' | '-' | '*' | '/' | '%'

export type Expr =
  /** A constant. A datetime is in stored form (`timestamps.ts`), a date is `YYYY-MM-DD`. */
  | { node: 'literal'; value: Literal; type: Type }
  /** A variable of the run, whose value is converted to `type` before it is bound (`endpoints/values/bind-variables.ts`). */
  | { node: 'variable'; name: string; type: Type }
  /** The run's time: `now` is a datetime, `today` the project's date. It is bound, so that it is the same in all parts of a query. */
  | { node: 'clock'; which: 'now' | 'today'; type: Type }
  /** A column, which is a key of the table, or `c<n>` of a subquery or CTE. */
  | { node: 'column'; source: number; column: string; type: Type }
  /**
   * The value at a path in a JSON document as text: strings are bare, everything else is JSON, and null and a missing value are NULL. The
   * path has keys, and indices from 1.
   */
  | { node: 'property'; document: Expr; path: (string | number)[]; type: Type }
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
  /** A datetime or date that is moved by `amount` units. A date that is moved by hours is a datetime. */
  | { node: 'shift'; moment: Expr; amount: Expr; unit: Unit; type: Type }
  | { node: 'case'; branches: { when: Expr; then: Expr }[]; otherwise: Expr | null; type: Type }
  | { node: 'array'; items: Expr[]; type: Type }
  | { node: 'tuple'; items: Expr[]; type: Type }
  /** A lambda, which is an argument of an array function and computes `body` for each element. */
  | { node: 'lambda'; parameters: number[]; body: Expr; type: Type }
  | { node: 'element'; parameter: number; type: Type }
  /** The value of a query with one column; NULL without a row. */
  | { node: 'subquery'; query: Query; type: Type }
  | { node: 'exists'; query: Query; type: Type }
  /**
   * The result for `operand` in a table that the Worker computed; lowering sets it. The table of a condition has the values for which it is
   * true.
   */
  | { node: 'lookup'; table: number; operand: Expr; isCondition: boolean; type: Type }

/** Expressions of one kind. */
export type Node<N extends Expr['node']> = Extract<Expr, { node: N }>

export interface Aggregate {
  node: 'aggregate'
  /** The canonical name, without `If`: its condition is `filter`. */
  fn: string
  args: Expr[]
  /** The constants in the first pair of parentheses, as in `quantile(0.9)(x)`. */
  params: Literal[]
  distinct: boolean
  filter: Expr | null
  type: Type
  /** The position of a row, from 1, among the rows of its group that count, and their number if it is read. Lowering sets it. */
  rank?: { place: Expr; count: Expr | null }
}

export type InChoices =
  | { kind: 'list'; items: Expr[] }
  | { kind: 'query'; query: Query }
  /** An array: a column, a variable of type List, or another expression. */
  | { kind: 'array'; array: Expr }

export interface Window {
  partitionBy: Expr[]
  orderBy: Order[]
  frame: { unit: 'rows' | 'range'; start: FrameBound; end: FrameBound } | null
}

export type FrameBound =
  | { kind: 'unbounded preceding' | 'unbounded following' | 'current row' }
  | { kind: 'preceding' | 'following'; count: number }
