// Choices by lists of constants.
import { reject } from '../../../error'
import type { Expr } from '../../../ir'
import { branch, comparison, integer, literalOf, number } from '../../../ir-build'
import type { Call } from '../../../parser/ast'
import { arrayOf, FLOAT, INTEGER } from '../../../types'
import type { Resolution } from '../../context/resolution'
import { noCommonType } from '../../types/type-names'
import { unify } from '../../types/unify'
import { compare } from '../comparisons'
import { asKind, itemsOf, macro, type Macro, unlessNull } from './form'

/** Resolves `transform(x, from, to, default)`. */
function transform(r: Resolution, node: Call, value?: Expr, from?: Expr, to?: Expr, otherwise?: Expr): Expr {
  const [froms, tos] = [itemsOf(node, from!, 'what it looks for'), itemsOf(node, to!, 'its results')]
  if (froms.length !== tos.length) {
    reject(
      node,
      `'transform' takes as many results as values: ${froms.length} and ${tos.length}`,
      'invalid_query',
    )
  }
  const results = [...tos, otherwise ?? value!]
  const unified = unify(results, r.context.timezone)
  if (unified === undefined)
    reject(node, noCommonType("the results of 'transform'", results), 'type_mismatch')
  const branches = froms.map((item, index) =>
    branch(compare(r, '=', r.reuse(value!, node), item, node), unified.exprs[index]!),
  )
  return { node: 'case', branches, otherwise: unified.exprs.at(-1)!, type: unified.type }
}

/** Returns the greatest of some constants that is not above a number, or the least if all are; of NULL, it is NULL. */
function roundDown(r: Resolution, node: Call, given: Expr, steps: Expr): Expr {
  const values = itemsOf(node, steps, 'its steps').map((item) => {
    const value = literalOf(item)
    return typeof value === 'number' ? value : reject(node, "The steps of 'roundDown' are constant numbers")
  })
  const [least, ...above] = values.toSorted((one, other) => one - other)
  if (least === undefined) reject(node, "'roundDown' takes at least one step", 'invalid_query')
  const value = asKind(r, node, given, 'number')
  const branches = above
    .toReversed()
    .map((step) => branch(comparison('>=', r.reuse(value, node), number(step)), number(step)))
  const type = values.every(Number.isSafeInteger) ? INTEGER : FLOAT
  const step: Expr =
    branches.length === 0 ? number(least) : { node: 'case', branches, otherwise: number(least), type }
  return unlessNull(r, node, [value], step)
}

/** The seconds to which ClickHouse rounds durations. */
const DURATIONS = [0, 1, 10, 30, 60, 120, 180, 240, 300, 600, 1200, 1800, 3600, 7200, 18_000, 36_000].map(
  integer,
)

export const CHOICE_MACROS: readonly Macro[] = [
  macro('transform', 'value, from, to, default?', transform),
  macro('roundDown', 'number, steps', (r, node, value, steps) => roundDown(r, node, value!, steps!)),
  macro('roundDuration', 'number', (r, node, value) =>
    roundDown(r, node, value!, { node: 'array', items: DURATIONS, type: arrayOf(INTEGER) }),
  ),
]
