// Finds the comparisons with variables, and rejects variables elsewhere.
import { walk } from '../../../hogql/parser/walk'
import type {
  CompareOperation,
  CompareOperator,
  Expression,
  Node,
  Placeholder,
  SelectQuery,
  Selection,
} from '../../../hogql/parser/ast'
import { type ReasonId, reject } from './reasons'
import { codeNameOf, conjunctsOf, isVariable, variablesIn } from './tree'

/** Supported comparisons, with their mirror images. */
export const OPERATORS = new Map<CompareOperator, CompareOperator>([
  ['==', '=='],
  ['>=', '<='],
  ['>', '<'],
  ['<=', '>='],
  ['<', '>'],
])

/** Supported comparisons without a mirror image. */
export const PATTERNS = new Set<CompareOperator>(['like', 'ilike', 'not like', 'not ilike'])

export interface Comparison {
  codeName: string
  /** The operator as it reads with the column on the left. */
  operator: CompareOperator
  /** The compared expression. */
  column: Expression
  /** The dotted name of the column. It is null for any other expression. */
  columnKey: string | null
  /** The other side of the comparison, which contains the placeholder. */
  value: Expression
  placeholder: Placeholder
  /** The comparison in the tree. */
  condition: CompareOperation
  /** Name of the CTE, or null for the top-level query. */
  scope: string | null
}

export const isRange = (operator: CompareOperator): boolean =>
  operator === '>=' || operator === '>' || operator === '<=' || operator === '<'

/**
 * @throws Rejection for a variable in another form, and for one outside of a comparison that the WHERE of the query or of a CTE requires
 */
export function comparisonsOf(tree: Selection): Comparison[] {
  if (variablesIn(tree).some((placeholder) => codeNameOf(placeholder) === null)) reject('placeholderFormat')
  const found: Comparison[] = []
  const seen = new Set<Placeholder>()
  for (const [scope, query] of scopesOf(tree)) {
    for (const condition of conjunctsOf(query.where)) {
      if (condition.node !== 'CompareOperation' || variablesIn(condition).length === 0) continue
      const comparison = comparisonIn(condition, scope)
      if (!comparison) continue
      found.push(comparison)
      seen.add(comparison.placeholder)
    }
  }
  walk(tree, (node, around) => {
    if (isVariable(node) && !seen.has(node)) rejectPlace(node, around)
  })
  return found
}

/** The top-level SELECT and its CTEs. */
export function scopesOf(tree: Selection): [scope: string | null, query: SelectQuery][] {
  if (tree.node !== 'SelectQuery') return []
  const ctes = (tree.ctes ?? []).flatMap((cte): [string, SelectQuery][] =>
    cte.cte_type === 'subquery' && cte.expr.node === 'SelectQuery' ? [[cte.name, cte.expr]] : [],
  )
  return [...ctes, [null, tree]]
}

function comparisonIn(node: CompareOperation, scope: string | null): Comparison | null {
  const [left, right] = [variablesIn(node.left), variablesIn(node.right)]
  const [side, other, operator] =
    right.length > 0 ? [node.right, node.left, node.op] : [node.left, node.right, mirrored(node.op)]
  if (!OPERATORS.has(operator) && !PATTERNS.has(operator)) {
    return reject('unsupportedOperator', { operator: node.op })
  }
  if (left.length > 0 && right.length > 0) {
    return reject(isWrapped(node.left) && isWrapped(node.right) ? 'outsideWhere' : 'severalVariables')
  }
  if (!isWrapped(side)) {
    const [variable, ...others] = new Set(variablesIn(side).map(codeNameOf))
    return others.length > 0
      ? reject('severalVariables')
      : reject('insideExpression', { variable: variable ?? '' })
  }
  if (PATTERNS.has(operator) && left.length > 0) return reject('outsideWhere')
  if (isConstant(other)) return reject('outsideWhere')
  const placeholder = [...left, ...right][0]!
  const codeName = codeNameOf(placeholder)!
  return { codeName, operator, ...columnOf(other), value: side, placeholder, condition: node, scope }
}

const mirrored = (operator: CompareOperator): CompareOperator => OPERATORS.get(operator) ?? operator

/** Whether this side of a comparison, which has a variable, is only that, or functions of it and constants. */
function isWrapped(node: Expression): boolean {
  if (node.node === 'Placeholder') return true
  if (node.node === 'TypeCast') return isWrapped(node.expr)
  if (node.node !== 'Call') return false
  const [inner, ...others] = node.args.filter((arg) => arg.node !== 'Constant')
  return inner !== undefined && others.length === 0 && isWrapped(inner)
}

function isConstant(node: Expression): boolean {
  let constant = true
  walk(node, (each) => {
    if (each.node === 'Field' || each.node === 'SelectQuery' || each.node === 'SelectSetQuery')
      constant = false
  })
  return constant
}

function columnOf(node: Expression): { column: Expression; columnKey: string | null } {
  if (node.node === 'Field') return { column: node, columnKey: node.chain.map(String).join('.') }
  // A property that is read by function is the same column as one that is read by name.
  if (node.node === 'Call' && node.name === 'JSONExtractString' && node.args.length === 2) {
    const [document, key] = node.args as [Expression, Expression]
    if (document.node === 'Field' && key.node === 'Constant') {
      return { column: node, columnKey: [...document.chain.map(String), String(key.value)].join('.') }
    }
  }
  if (node.node === 'ArrayAccess' && node.array.node === 'Field' && node.property.node === 'Constant') {
    return {
      column: node,
      columnKey: [...node.array.chain.map(String), String(node.property.value)].join('.'),
    }
  }
  return { column: node, columnKey: null }
}

/** Throws the reason why the variable cannot become a column. */
function rejectPlace(placeholder: Placeholder, around: readonly Node[]): never {
  const reason = placeOf(placeholder, around)
  if (reason !== null) return reject(reason)
  const operator = around.flatMap(operatorOf).at(-1)
  return operator === undefined ? reject('outsideWhere') : reject('unsupportedOperator', { operator })
}

/** Returns null for a place inside a condition that the WHERE requires. */
function placeOf(placeholder: Placeholder, around: readonly Node[]): ReasonId | null {
  const select = around.findLast((node) => node.node === 'SelectQuery')
  if (select?.node !== 'SelectQuery') return 'outsideWhere'
  const holds = (part: Expression | null | undefined) =>
    part && (part === placeholder || around.includes(part))
  if (holds(select.having)) return 'insideHaving'
  if (!holds(select.where)) return 'outsideWhere'
  return around.slice(around.indexOf(select)).some((node) => node.node === 'Or') ? 'insideOr' : null
}

function operatorOf(node: Node): string[] {
  if (node.node === 'BetweenExpr') return ['BETWEEN']
  return node.node === 'Not' || (node.node === 'Call' && node.name === 'not') ? ['NOT'] : []
}
