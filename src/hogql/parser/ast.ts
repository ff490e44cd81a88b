// The tree that the parser gives for a query. Positions are offsets into its text, null for what was made and not parsed.
export interface Located {
  start: number | null
  end: number | null
}
interface Base extends Located {}
export interface Constant extends Base {
  node: 'Constant'
  value: string | number | boolean | null
  value_type?: 'number'
}
export interface Field extends Base {
  node: 'Field'
  chain: (string | number)[]
}
export interface Call extends Base {
  node: 'Call'
  name: string
  args: Expression[]
  params?: Expression[] | null
  distinct?: boolean
  filter_expr?: Expression | null
  order_by?: OrderExpr[] | null
}
export interface And extends Base {
  node: 'And'
  exprs: Expression[]
}
export interface Or extends Base {
  node: 'Or'
  exprs: Expression[]
}
export interface Not extends Base {
  node: 'Not'
  expr: Expression
}
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
export interface CompareOperation extends Base {
  node: 'CompareOperation'
  op: CompareOperator
  left: Expression
  right: Expression
  is_null_comparison_style?: boolean
}
export interface BetweenExpr extends Base {
  node: 'BetweenExpr'
  expr: Expression
  low: Expression
  high: Expression
  negated: boolean
}
export interface IsDistinctFrom extends Base {
  node: 'IsDistinctFrom'
  left: Expression
  right: Expression
  negated: boolean
}
export interface ArithmeticOperation extends Base {
  node: 'ArithmeticOperation'
  op: '+' | '-' | '*' | '/' | '%'
  left: Expression
  right: Expression
}
export interface ArrayNode extends Base {
  node: 'Array'
  exprs: Expression[]
}
export interface Tuple extends Base {
  node: 'Tuple'
  exprs: Expression[]
}
export interface ArrayAccess extends Base {
  node: 'ArrayAccess'
  array: Expression
  property: Expression
  nullish?: boolean
}
export interface ArraySlice extends Base {
  node: 'ArraySlice'
  array: Expression
  start_expr: Expression
  end_expr: Expression
}
export interface TupleAccess extends Base {
  node: 'TupleAccess'
  tuple: Expression
  index: number
}
export interface TypeCast extends Base {
  node: 'TypeCast'
  expr: Expression
  type_name: string
}
export interface TryCast extends Base {
  node: 'TryCast'
  expr: Expression
  type_name: string
}
export interface ExprCall extends Base {
  node: 'ExprCall'
  expr: Expression
  args: Expression[]
}
export interface WindowFrameExpr extends Located {
  node: 'WindowFrameExpr'
  frame_type: 'PRECEDING' | 'FOLLOWING' | 'CURRENT ROW' | null
  frame_value: number | null | Expression
}
export interface WindowExpr extends Base {
  node: 'WindowExpr'
  partition_by?: Expression[] | null
  order_by?: OrderExpr[] | null
  frame_method?: string | null
  frame_start?: WindowFrameExpr | null
  frame_end?: WindowFrameExpr | null
}
export interface WindowFunction extends Base {
  node: 'WindowFunction'
  name: string
  args: Expression[]
  exprs: Expression[]
  over_expr?: WindowExpr | null
  over_identifier?: string | null
}
export interface Placeholder extends Base {
  node: 'Placeholder'
  expr: Expression
}
export interface Alias extends Base {
  node: 'Alias'
  alias: string
  expr: Expression
}
export interface Lambda extends Base {
  node: 'Lambda'
  args: string[]
  expr: Expression
}
export interface ColumnsExpr extends Base {
  node: 'ColumnsExpr'
  all_columns?: boolean
  exclude?: string[]
  regex?: string
}
export interface Dict extends Base {
  node: 'Dict'
  items: [Expression, Expression][]
}
export interface OrderExpr extends Base {
  node: 'OrderExpr'
  expr: Expression
  order: 'ASC' | 'DESC'
  with_fill?: unknown
}
export interface LimitByExpr extends Base {
  node: 'LimitByExpr'
  n: Expression
  offset_value?: Expression | null
  exprs: Expression[]
}
export interface JoinConstraint extends Base {
  node: 'JoinConstraint'
  expr: Expression
  constraint_type: 'ON' | 'USING'
}
export interface JoinExpr extends Base {
  node: 'JoinExpr'
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
interface SubqueryCte extends Base {
  node: 'CTE'
  cte_type: 'subquery'
  name: string
  expr: Selection
  columns?: string[] | null
  recursive?: boolean
  using_key?: string[] | null
  materialized?: boolean | null
}
interface ColumnCte extends Base {
  node: 'CTE'
  cte_type: 'column'
  name: string
  expr: Expression
}
export type CTE = SubqueryCte | ColumnCte
export interface SelectQuery extends Base {
  node: 'SelectQuery'
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
  order_by?: OrderExpr[] | null
  limit?: Expression | null
  limit_by?: LimitByExpr | null
  limit_with_ties?: boolean | null
  offset?: Expression | null
}
export interface SelectSetNode extends Located {
  node: 'SelectSetNode'
  select_query: Selection
  set_operator: string
}
export interface SelectSetQuery extends Base {
  node: 'SelectSetQuery'
  initial_select_query: Selection
  subsequent_select_queries: SelectSetNode[]
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
