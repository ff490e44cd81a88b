// What rows are grouped by. The starts of days in a time zone are grouped as days: when a day begins is then found out once a group.
import { MIDNIGHT } from '../functions/sqlite-values'
import type { Expr } from '../ir'
import type { Context } from './context'

export interface GroupKey {
  /** SQL that is the same for two rows just where the expression is. */
  sql: string
  /** What the expression is, by what `sql` is; null where it is the same. */
  restore: ((column: string) => string) | null
}

/** The key for an expression of GROUP BY. */
export function groupKey(expr: Expr, context: Context): GroupKey {
  const { writers, zone } = context
  const moment = zone.isUtc ? null : startedDay(expr)
  if (moment === null) return { sql: writers.expr(expr, context), restore: null }
  return {
    sql: zone.toDay(writers.expr(moment, context)),
    restore: (column) => zone.startToUtc(`(${column} || '${MIDNIGHT}')`),
  }
}

/** The moment whose day an expression is the start of; null for every other expression. */
function startedDay(expr: Expr): Expr | null {
  if (expr.node !== 'call') return null
  const [first, second] = expr.args
  const moment =
    expr.fn === 'toStartOfDay' && expr.args.length === 1
      ? first
      : expr.fn === 'dateTrunc' &&
          expr.args.length === 2 &&
          first?.node === 'literal' &&
          first.value === 'day'
        ? second
        : undefined
  return moment?.type.kind === 'datetime' ? moment : null
}
