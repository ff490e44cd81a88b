// Resolves GROUPING SETS, ROLLUP, CUBE and WITH TOTALS to the keys of each set of a GROUP BY.
import { reject } from '../../error'
import type { Expr, Select } from '../../ir'
import { exprIndex } from '../../expr-index'
import { contains, containsWindow } from '../../ir-walk'
import type { Expression, Located, SelectQuery } from '../../parser/ast'

export const MAX_GROUPING_SETS = 32

interface GroupingSets extends NonNullable<Select['groupingSets']> {
  keys: readonly Expression[]
  /** Whether the rows of the last set come last, whatever the order. */
  hasTotals: boolean
}

/** Returns null for a plain GROUP BY, and without one. */
export function groupingSetsOf(node: SelectQuery): GroupingSets | null {
  const keys = node.group_by ?? []
  const places = keys.map((_, place) => place)
  const mode = node.with_totals ? 'totals' : node.group_by_mode
  switch (mode ?? 'all') {
    case 'all':
      return null
    case 'rollup':
      return limited(node, keys.length + 1, { word: 'ROLLUP', keys, sets: places.map((place) => [place]) })
    case 'cube':
      return limited(node, 2 ** keys.length, { word: 'CUBE', keys, sets: places.map((place) => [place]) })
    case 'totals':
      if (node.having || node.distinct || keys.length === 0) {
        reject(node, 'WITH TOTALS takes keys of GROUP BY, and neither HAVING nor DISTINCT beside it')
      }
      return { word: 'GROUPING SETS', keys, sets: [places, []], hasTotals: true }
    case 'grouping_sets': {
      const sets = keys.map((set) =>
        'exprs' in set && Array.isArray(set.exprs) ? (set.exprs as Expression[]) : [set],
      )
      const nameOf = (key: Expression) => JSON.stringify(key, withoutPlaces)
      const byName = new Map(sets.flat().map((key) => [nameOf(key), key]))
      const names = [...byName.keys()]
      return limited(node, sets.length, {
        word: 'GROUPING SETS',
        keys: [...byName.values()],
        sets: sets.map((set) => set.map((key) => names.indexOf(nameOf(key)))),
      })
    }
    default:
      return reject(node, `GROUP BY ${mode!.toUpperCase().replace('_', ' ')} is not supported`)
  }
}

const withoutPlaces = (name: string, value: unknown): unknown =>
  name === 'start' || name === 'end' ? undefined : value

function limited(node: SelectQuery, count: number, sets: Omit<GroupingSets, 'hasTotals'>): GroupingSets {
  if (count > MAX_GROUPING_SETS) {
    reject(node, `GROUP BY has at most ${MAX_GROUPING_SETS} grouping sets, and this one ${count}`)
  }
  return { ...sets, hasTotals: false }
}

/** @throws HogqlError for clauses that several sets do not allow, and for `grouping(…)` of anything but their keys */
export function checkGroupingSets(
  node: SelectQuery,
  sets: GroupingSets | null,
  keys: readonly Expr[],
  parts: readonly { expr: Expr; node: Located }[],
): void {
  const known = exprIndex(sets ? keys : [])
  const isWrong = (part: Expr) =>
    part.node === 'call' && part.fn === 'grouping' && !part.args.every((arg) => known.find(arg))
  const wrong = parts.find(({ expr }) => contains(expr, isWrong))
  if (wrong) reject(wrong.node, "'grouping' takes keys of GROUPING SETS, ROLLUP or CUBE", 'invalid_query')
  if (!sets) return
  if (node.limit_by || node.qualify || parts.some(({ expr }) => containsWindow(expr))) {
    reject(
      node,
      'LIMIT BY, QUALIFY and window functions beside grouping sets are not supported: select from them in a subquery',
    )
  }
}
