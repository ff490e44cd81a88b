// The frame of the rows that a FROM gives.
import type { Expr, From } from '../ir'
import { measuring } from './measures'
import type { Frame, Rows, Scope } from './scope'
import { inAny } from './sized'

/** Where expressions over some rows are evaluated. @param read what gives the rows, if they can be measured. */
export function frameOf(
  scope: Scope,
  { rows, columns }: Rows,
  read: { from: From | null; where: readonly Expr[] } | null,
): Frame {
  const { ledger, outer } = scope
  return {
    ledger,
    rows,
    column(source, key) {
      const found = columns.get(source)?.(key)
      if (found) return found
      if (!outer) throw new Error(`no source ${source}`)
      return inAny(outer.column(source, key), rows)
    },
    element(parameter) {
      if (!outer) throw new Error(`no lambda parameter ${parameter}`)
      return inAny(outer.element(parameter), rows)
    },
    measure: read?.from && !outer ? measuring(scope, { from: read.from, where: read.where }) : null,
    query: (query, frame) => scope.estimate(query, { ...scope, ledger: frame.ledger, outer: frame }),
  }
}
