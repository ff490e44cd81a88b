// Resolves comparisons: `=`, `<`, LIKE, BETWEEN, IS NULL, IS DISTINCT FROM, and regular expressions.
import type { CompareOp, Expr, LikeOp } from '../../ir'
import type { BetweenExpr, CompareOperation, Expression, IsDistinctFrom, Located } from '../../parser/ast'
import { BOOLEAN, databaseTypeOf, INTEGER } from '../../types'
import { all, any, comparison, isNull, isNullLiteral, literal, literalOf, not, TRUE } from '../../ir-build'
import type { Resolution } from '../context/resolution'
import { convertOrReject } from '../types/convert'
import { conversionHint, typeName } from '../types/type-names'
import { isUnbounded } from '../context/filter-range'
import { resolveIn, resolveInCohort } from './membership'
import { isMatch } from './patterns'
import { reconcile } from '../types/reconcile'
import { reject } from '../../error'
import type { Scope } from '../context/scope'
import { warnOfEvents } from '../names/suggestions'

export function resolveComparison(r: Resolution, node: CompareOperation, scope: Scope): Expr {
  if (isUnbounded(r, node.left) || isUnbounded(r, node.right)) return TRUE
  rejectQuantifier(node)
  switch (node.op) {
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const op = node.op === '==' ? '=' : node.op
      const [left, right] = [r.expr(node.left, scope), r.expr(node.right, scope)]
      warnOfEvents(r, left, [node.right])
      return compare(r, op, left, right, node)
    }
    case 'like':
    case 'ilike':
    case 'not like':
    case 'not ilike':
      return like(r, node.op, r.expr(node.left, scope), r.expr(node.right, scope), node)
    case '=~':
    case '!~':
    case '=~*':
    case '!~*':
      return matches(r, node.op, r.expr(node.left, scope), r.expr(node.right, scope), node)
    case 'in':
    case 'not in':
    case 'global in':
    case 'global not in':
      return resolveIn(r, node, node.left, node.right, node.op.endsWith('not in'), scope)
    case 'in cohort':
    case 'not in cohort':
      return resolveInCohort(r, node, node.op === 'not in cohort', scope)
  }
}

/** Rejects `= ANY (SELECT …)` and `LIKE ALL (…)` of standard SQL, which are calls of functions here. */
function rejectQuantifier({ op, right }: CompareOperation): void {
  if (right.node !== 'Call' || !/^(any|all|some)$/i.test(right.name)) return
  const [first, ...others] = right.args
  const isList = first?.node === 'Array' || first?.node === 'Tuple' || others.length > 0
  const isQuery = first?.node === 'SelectQuery' || first?.node === 'SelectSetQuery'
  const isLike = op.endsWith('like')
  if (!isList && !isQuery && !isLike) return
  const name = right.name.toUpperCase()
  const isMember = op === '==' ? name !== 'ALL' : op === '!=' && name === 'ALL'
  const instead = isLike
    ? 'join several LIKE by OR or AND'
    : isMember
      ? `use ${op === '==' ? 'IN' : 'NOT IN'} (…)`
      : 'compare with the least or the largest value'
  reject(right, `${name} (…) in a comparison is not supported: ${instead}`)
}

/** Resolves a comparison. One with NULL itself becomes IS NULL. */
export function compare(r: Resolution, op: CompareOp, left: Expr, right: Expr, node: Located): Expr {
  if (op === '=' || op === '!=') {
    if (isNullLiteral(right)) return isNull(left, op === '!=')
    if (isNullLiteral(left)) return isNull(right, op === '!=')
  }
  const sides = reconcile(left, right, r.context.timezone)
  if (sides === undefined) {
    const hint = insteadOf(op, [left, right])
    reject(
      node,
      `${capitalizedName(left)} cannot be compared with ${operandName(right)}${hint}`,
      'type_mismatch',
    )
  }
  return comparison(op, ...sides)
}

/** Says what to write instead of a comparison. IN finds a value in an array. */
function insteadOf(op: CompareOp, sides: readonly [Expr, Expr]): string {
  const isMember = sides.filter(({ type }) => type.kind === 'array').length === 1
  if (isMember && op === '=') return ': use IN'
  if (isMember && op === '!=') return ': use NOT IN'
  return sides.some(({ node }) => node === 'literal') ? '' : conversionHint(sides.map(({ type }) => type))
}

/** Returns the type of an expression, or the text of a constant. */
const operandName = (expr: Expr): string =>
  expr.node === 'literal' && expr.type.kind === 'string'
    ? `'${String(expr.value)}'`
    : expr.type.kind === 'array' || expr.type.kind === 'tuple'
      ? databaseTypeOf(expr.type)
      : typeName(expr.type)

const capitalizedName = (expr: Expr): string => operandName(expr).replace(/^a/, 'A')

export function like(r: Resolution, op: LikeOp, left: Expr, right: Expr, node: Located): Expr {
  const pattern = literalOf(right)
  if (typeof pattern === 'string' && /^(?:[^\\]|\\[^])*\\$/.test(pattern)) {
    reject(node, 'A pattern of LIKE in this query ends in a single backslash.', 'invalid_query')
  }
  return {
    node: 'like',
    op,
    left: textOperand(r, left, node),
    right: textOperand(r, right, node),
    type: INTEGER,
  }
}

const textOperand = (r: Resolution, expr: Expr, node: Located): Expr =>
  convertOrReject(r, expr, 'string', node, 'A string is expected here')

type RegexOp = '=~' | '!~' | '=~*' | '!~*'

/** Resolves `=~` and the like. `=~*` ignores case, which is an option of the RE2 pattern. */
function matches(r: Resolution, op: RegexOp, left: Expr, right: Expr, node: Located): Expr {
  const pattern = textOperand(r, right, node)
  const insensitive = op.endsWith('*')
  if (insensitive && (pattern.node !== 'literal' || typeof pattern.value !== 'string')) {
    reject(node, `${op} takes a constant pattern`)
  }
  const written: Expr =
    insensitive && pattern.node === 'literal'
      ? { ...pattern, value: `(?i)${String(pattern.value)}` }
      : pattern
  const matched = isMatch(r, textOperand(r, left, node), written, node)
  return op.startsWith('!') ? not(matched) : matched
}

/** Resolves `x BETWEEN low AND high`, which includes both bounds. A NULL is neither between them nor outside. */
export function resolveBetween(r: Resolution, node: BetweenExpr, scope: Scope): Expr {
  const value = r.expr(node.expr, scope)
  const beside = (op: CompareOp, bound: Expression): Expr =>
    isUnbounded(r, bound)
      ? literal(!node.negated, BOOLEAN)
      : compare(r, op, r.reuse(value, node), r.expr(bound, scope), node)
  return node.negated
    ? any([beside('<', node.low), beside('>', node.high)])
    : all([beside('>=', node.low), beside('<=', node.high)])
}

/** Resolves IS DISTINCT FROM. To it, NULL is a value, as it is to `=` and `!=` here, except to `=` in ON. */
export function resolveDistinctFrom(r: Resolution, node: IsDistinctFrom, scope: Scope): Expr {
  const [left, right] = [r.expr(node.left, scope), r.expr(node.right, scope)]
  const compared = compare(r, node.negated ? '=' : '!=', left, right, node)
  const isPlain = compared.node !== 'compare' || compared.op === '!='
  if (isPlain || !left.type.nullable || !right.type.nullable) return compared
  return any([compared, all([isNull(r.reuse(left, node)), isNull(r.reuse(right, node))])])
}
