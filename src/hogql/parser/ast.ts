// The parser's tree of a query.

/** Offsets into the query's text, or null for a generated node. */
export interface Located {
  start: number | null
  end: number | null
}
type Tree<Kind extends string, Fields = unknown> = Located & { node: Kind } & Fields

export type Constant = Tree<'Constant', { value: string | number | boolean | null; value_type?: 'number' }>
export type Field = Tree<'Field', { chain: (string | number)[] }>
export interface Call extends Tree<'Call'> {
  name: string
  args: Expression[]
  params?: Expression[] | null
  distinct?: boolean
  filter_expr?: Expression | null
  order_by?: OrderExpr[] | null
  within_group?: OrderExpr[] | null
}
export type And = Tree<'And', { exprs: Expression[] }>
export type Or = Tree<'Or', { exprs: Expression[] }>
export type Not = Tree<'Not', { expr: Expression }>
export type CompareOperator =
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'like'
  | 'ilike'
  | 'not like'
  | 'not ilike'
  | '=~'
  | '!~'
  | '=~*'
  | '!~*'
  | 'in'
  | 'not in'
  | 'global in'
  | 'global not in'
  | 'in cohort'
  | 'not in cohort'
export interface CompareOperation extends Tree<'CompareOperation'> {
  op: CompareOperator
  left: Expression
  right: Expression
  is_null_comparison_style?: boolean
}
export interface BetweenExpr extends Tree<'BetweenExpr'> {
  expr: Expression
  low: Expression
  high: Expression
  negated: boolean
}
export type IsDistinctFrom = Tree<'IsDistinctFrom', { left: Expression; right: Expression; negated: boolean }>
export interface ArithmeticOperation extends Tree<'ArithmeticOperation'> {
  op: '+' | '-' | '*' | '/' | '%'
  left: Expression
  right: Expression
}
export type ArrayNode = Tree<'Array', { exprs: Expression[] }>
export type Tuple = Tree<'Tuple', { exprs: Expression[] }>
export type ArrayAccess = Tree<'ArrayAccess', { array: Expression; property: Expression; nullish?: boolean }>
export interface ArraySlice extends Tree<'ArraySlice'> {
  array: Expression
  start_expr?: Expression
  end_expr?: Expression
}
export type TupleAccess = Tree<'TupleAccess', { tuple: Expression; index: number }>
export type TypeCast = Tree<'TypeCast', { expr: Expression; type_name: string }>
export type TryCast = Tree<'TryCast', { expr: Expression; type_name: string }>
export type ExprCall = Tree<'ExprCall', { expr: Expression; args: Expression[] }>
export interface WindowFrameExpr extends Tree<'WindowFrameExpr'> {
  frame_type: 'PRECEDING' | 'FOLLOWING' | 'CURRENT ROW' | null
  frame_value: number | null | Expression
}
export interface WindowExpr extends Tree<'WindowExpr'> {
  partition_by?: Expression[] | null
  order_by?: OrderExpr[] | null
  frame_method?: string | null
  frame_start?: WindowFrameExpr | null
  frame_end?: WindowFrameExpr | null
}
export interface WindowFunction extends Tree<'WindowFunction'> {
  name: string
  /** What is in the second parentheses; `exprs` are parameters then, and arguments otherwise. */
  args: Expression[]
  exprs: Expression[]
  over_expr?: WindowExpr | null
  over_identifier?: string | null
}
export type Placeholder = Tree<'Placeholder', { expr: Expression }>
export type Alias = Tree<'Alias', { alias: string; expr: Expression }>
export type Lambda = Tree<'Lambda', { args: string[]; expr: Expression }>
export type ColumnsExpr = Tree<'ColumnsExpr', { all_columns?: boolean; exclude?: string[]; regex?: string }>
export type Dict = Tree<'Dict', { items: [Expression, Expression][] }>
export type OrderExpr = Tree<'OrderExpr', { expr: Expression; order: 'ASC' | 'DESC' }>
export interface LimitByExpr extends Tree<'LimitByExpr'> {
  n: Expression
  offset_value?: Expression | null
  exprs: Expression[]
}
export type JoinConstraint = Tree<'JoinConstraint', { expr: Expression; constraint_type: 'ON' | 'USING' }>
export interface JoinExpr extends Tree<'JoinExpr'> {
  alias: string | null
  join_type?: string | null
  table: Expression | null
  table_args?: Expression[] | null
  column_aliases?: string[] | null
  table_final?: boolean | null
  sample?: object | null
  constraint?: JoinConstraint | null
  next_join?: JoinExpr | null
}
interface SubqueryCte extends Tree<'CTE'> {
  cte_type: 'subquery'
  name: string
  expr: Selection
  columns?: string[] | null
  recursive?: boolean
  using_key?: string[] | null
  materialized?: boolean | null
}
type ColumnCte = Tree<'CTE', { cte_type: 'column'; name: string; expr: Expression }>
export type CTE = SubqueryCte | ColumnCte
export interface SelectQuery extends Tree<'SelectQuery'> {
  ctes?: CTE[] | null
  select: Expression[]
  distinct?: boolean | null
  select_from?: JoinExpr | null
  array_join_op?: string
  array_join_list?: Expression[] | null
  window_exprs?: Record<string, WindowExpr> | null
  where?: Expression | null
  prewhere?: Expression | null
  having?: Expression | null
  qualify?: Expression | null
  group_by?: Expression[] | null
  group_by_mode?: string | null
  with_totals?: boolean
  order_by?: OrderExpr[] | null
  limit?: Expression | null
  limit_by?: LimitByExpr | null
  limit_with_ties?: boolean | null
  offset?: Expression | null
}
export type SelectSetNode = Tree<'SelectSetNode', { select_query: Selection; set_operator: string }>
export interface SelectSetQuery extends Tree<'SelectSetQuery'> {
  initial_select_query: Selection
  subsequent_select_queries: SelectSetNode[]
  limit_by?: LimitByExpr | null
  limit_with_ties?: boolean | null
  limit?: Expression | null
  offset?: Expression | null
}
export type Selection = SelectQuery | SelectSetQuery
export type Expression =
  | Constant
  | Field
  | Call
  | And
  | Or
  | Not
  | CompareOperation
  | BetweenExpr
  | IsDistinctFrom
  | ArithmeticOperation
  | ArrayNode
  | Tuple
  | ArrayAccess
  | ArraySlice
  | TupleAccess
  | TypeCast
  | TryCast
  | ExprCall
  | WindowFunction
  | Placeholder
  | Alias
  | Lambda
  | ColumnsExpr
  | Dict
  | Selection
export type Node =
  | Expression
  | WindowFrameExpr
  | WindowExpr
  | OrderExpr
  | LimitByExpr
  | JoinConstraint
  | JoinExpr
  | CTE
  | SelectSetNode
