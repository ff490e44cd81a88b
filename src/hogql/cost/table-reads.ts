// Which rows of a table a reference to it reads: what its statistics are asked for. Conditions on the time and the name of events are what
// indexes find rows by; all others look at every row.
import type { Expr, Source, TableName } from '../ir'
import { isConstant } from '../joins'

export interface TableReads {
  table: TableName | 'stored'
  /** Moments that the events are not before, and not after; their day counts as a whole. */
  from: readonly Expr[]
  to: readonly Expr[]
  /** Names of the events; null for all of them. */
  events: readonly Expr[] | null
}

type TableSource = Extract<Source, { kind: 'table' | 'stored' }>

/** @param conditions on the source, all of which hold. */
export function tableReads(source: TableSource, conditions: readonly Expr[]): TableReads {
  if (source.kind === 'stored') return { table: 'stored', from: [], to: [], events: null }
  const reads = { table: source.table, from: [], to: [], events: null }
  if (source.table !== 'events') return reads
  const isColumn = (expr: Expr, name: string) =>
    expr.node === 'column' && expr.source === source.id && expr.column === name
  const ends = conditions.flatMap((condition) => endsIn(condition, (expr) => isColumn(expr, 'timestamp')))
  const names = conditions.flatMap((condition) => {
    const found = namesIn(condition, (expr) => isColumn(expr, 'event'))
    return found ? [found] : []
  })
  return {
    ...reads,
    from: ends.flatMap(({ from }) => from ?? []),
    to: ends.flatMap(({ to }) => to ?? []),
    events: names[0] ?? null,
  }
}

/** Whether an index finds the rows that a condition on a source is true of. */
export function isFoundByIndex(source: Source, condition: Expr): boolean {
  if (source.kind !== 'table') return false
  const { from, to, events } = tableReads(source, [condition])
  return from.length > 0 || to.length > 0 || events !== null
}

type IsColumn = (expr: Expr) => boolean

function endsIn(condition: Expr, isColumn: IsColumn): { from?: Expr; to?: Expr }[] {
  if (condition.node !== 'compare') return []
  const { op, left, right } = condition
  const isTurned = isColumn(right)
  const end = isTurned ? left : right
  if (!(isTurned || isColumn(left)) || !isConstant(end) || !isMoment(end)) return []
  switch (op) {
    case '=':
      return [{ from: end, to: end }]
    case '>':
    case '>=':
      return [isTurned ? { to: end } : { from: end }]
    case '<':
    case '<=':
      return [isTurned ? { from: end } : { to: end }]
    case '!=':
      return []
  }
}

const isMoment = ({ type }: Expr): boolean => type.kind === 'datetime' || type.kind === 'date'

/** The names that a condition allows; null when it allows others. */
function namesIn(condition: Expr, isColumn: IsColumn): readonly Expr[] | null {
  switch (condition.node) {
    case 'compare': {
      const { op, left, right } = condition
      if (op !== '=') return null
      if (isColumn(left) && isConstant(right)) return [right]
      return isColumn(right) && isConstant(left) ? [left] : null
    }
    case 'in': {
      const { negated, left, choices } = condition
      return !negated && isColumn(left) && choices.kind === 'list' && choices.items.every(isConstant)
        ? choices.items
        : null
    }
    case 'or': {
      const names = condition.operands.map((operand) => namesIn(operand, isColumn))
      return names.every((each) => each !== null) ? names.flat() : null
    }
    default:
      return null
  }
}
