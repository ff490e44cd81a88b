// Questions to HogQL trees, and constructors of nodes.
import { walk } from '../../../hogql/parser/walk'
import { findFunction } from '../../../hogql/functions/catalogue'
import type {
  Call,
  CompareOperation,
  CompareOperator,
  Expression,
  Field,
  JoinExpr,
  Node,
  Placeholder,
  Selection,
  SelectQuery,
} from '../../../hogql/parser/ast'
import { expressionText } from '../../../hogql/parser/write-query'

/** Returns the conditions that an AND joins, including those of nested ANDs. */
export const conjunctsOf = (where: Expression | null | undefined): Expression[] =>
  !where ? [] : where.node === 'And' ? where.exprs.flatMap(conjunctsOf) : [where]

/** Whether two expressions have the same text. */
export const isSame = (a: Expression, b: Expression): boolean => expressionText(a) === expressionText(b)

export const unaliased = (node: Expression): Expression =>
  node.node === 'Alias' ? unaliased(node.expr) : node

/** Returns null for another kind or form of placeholder. */
export function codeNameOf({ expr }: Placeholder): string | null {
  if (expr.node !== 'Field' || expr.chain[0] !== 'variables' || expr.chain.length !== 2) return null
  return String(expr.chain[1])
}

export const isVariable = (node: Node): node is Placeholder =>
  node.node === 'Placeholder' && node.expr.node === 'Field' && node.expr.chain[0] === 'variables'

export function variablesIn(node: Node): Placeholder[] {
  const found: Placeholder[] = []
  walk(node, (each) => {
    if (isVariable(each)) found.push(each)
  })
  return found
}

/** Returns the aggregates in a node, except those in subqueries and windows. */
export function aggregatesIn(node: Node): Call[] {
  const found: Call[] = []
  walk(node, (each) => {
    if (each.node === 'SelectQuery' || each.node === 'SelectSetQuery' || each.node === 'WindowFunction')
      return each === node
    if (each.node === 'Call' && isAggregate(each.name)) {
      found.push(each)
      return false
    }
  })
  return found
}

const COMBINATORS = /(If|OrNull|OrDefault|Distinct)$/

/** Returns the function without combinators: `countIf` → `count`. */
export function baseOf(name: string): string {
  if (findFunction(name)) return name
  const base = name.replace(COMBINATORS, '')
  return base === name ? name : baseOf(base)
}

const isAggregate = (name: string): boolean => findFunction(baseOf(name))?.kind === 'aggregate'

/** Whether a SELECT aggregates. */
export const aggregates = (query: SelectQuery): boolean =>
  !!query.group_by?.length ||
  query.group_by_mode === 'all' ||
  [...query.select, ...(query.having ? [query.having] : [])].some((each) => aggregatesIn(each).length > 0)

/** Whether a SELECT returns one row, also where it reads none. */
export const isTotal = (query: SelectQuery): boolean => aggregates(query) && !query.group_by?.length

/** Returns the SELECTs of a set operation, or the single SELECT. */
export const legsOf = (tree: Selection): SelectQuery[] =>
  tree.node === 'SelectQuery'
    ? [tree]
    : [
        tree.initial_select_query,
        ...tree.subsequent_select_queries.map(({ select_query: leg }) => leg),
      ].flatMap(legsOf)

export function sourcesOf(query: SelectQuery): JoinExpr[] {
  const sources: JoinExpr[] = []
  for (let at = query.select_from; at; at = at.next_join) sources.push(at)
  return sources
}

/** Null unless the source is a bare name. */
export const nameOfSource = ({ table, table_args: args }: JoinExpr): string | null =>
  table?.node === 'Field' && table.chain.length === 1 && !args ? String(table.chain[0]) : null

export const handleOf = (source: JoinExpr): string | null => source.alias ?? nameOfSource(source)

export const outputNames = (query: SelectQuery): string[] =>
  query.select.flatMap((item) => {
    if (item.node === 'Alias') return [item.alias]
    return item.node === 'Field' ? [String(item.chain.at(-1))] : []
  })

export const NOWHERE = { start: null, end: null }

export const field = (...chain: string[]): Field => ({ ...NOWHERE, node: 'Field', chain })

export const call = (name: string, ...args: Expression[]): Call => ({
  ...NOWHERE,
  node: 'Call',
  name,
  args,
})

export const aliased = (expr: Expression, alias: string): Expression => ({
  ...NOWHERE,
  node: 'Alias',
  alias,
  expr,
})

export const compared = (op: CompareOperator, left: Expression, right: Expression): CompareOperation => ({
  ...NOWHERE,
  node: 'CompareOperation',
  op,
  left,
  right,
})

/** Returns null without conditions. */
export function allOf(conditions: readonly Expression[]): Expression | null {
  if (conditions.length === 0) return null
  return conditions.length === 1 ? conditions[0]! : { ...NOWHERE, node: 'And', exprs: [...conditions] }
}

/** Copies a tree. Where `replacement` returns a node, the copy has that one. */
export function replaced<Tree extends Node>(
  tree: Tree,
  replacement: (node: Expression) => Expression | undefined,
): Tree {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy)
    if (typeof value !== 'object' || value === null) return value
    return (
      ('node' in value && replacement(value as Expression)) ||
      Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copy(each)]))
    )
  }
  return copy(tree) as Tree
}
