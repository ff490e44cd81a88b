// WITH: named subqueries and named expressions.
import type { Cte } from '../../ir'
import type { CTE } from '../../parser/ast'
import type { Resolution } from '../context/resolution'
import { derivedColumns } from './columns'
import { reject } from '../../error'
import type { CteEntry, Environment } from '../context/scope'

export interface ResolvedCtes {
  environment: Environment
  /** CTEs that are read, in the order in which they may read each other. */
  used(): Cte[]
}

/** Each CTE sees those before it, which hide tables of the same name. */
export function resolveCtes(r: Resolution, nodes: readonly CTE[], outer: Environment): ResolvedCtes {
  const known = new Map<string, CteEntry>()
  const environment: Environment = { ctes: known, outer }
  const all: { cte: Cte; used: boolean }[] = []
  for (const node of nodes) {
    if (known.has(node.name)) reject(node, `Already have a CTE named '${node.name}'`, 'invalid_query')
    if (node.cte_type === 'column') {
      known.set(node.name, { kind: 'expression', expression: node.expr })
      continue
    }
    const { result: cte, weight } = r.countSelects(() => resolveCte(r, node, environment))
    const entry = { cte, used: false }
    all.push(entry)
    const columns = derivedColumns(r, cte.query, node.columns ?? null, node)
    known.set(node.name, {
      kind: 'query',
      id: cte.id,
      columns,
      use: (place) => {
        entry.used = true
        r.addSelects(weight, place)
      },
    })
  }
  return { environment, used: () => all.filter(({ used }) => used).map(({ cte }) => cte) }
}

function resolveCte(
  r: Resolution,
  node: Extract<CTE, { cte_type: 'subquery' }>,
  environment: Environment,
): Cte {
  if (node.recursive)
    reject(
      node,
      `Recursive CTEs are not supported: '${node.name}'. For a series use FROM numbers(10), or arrayJoin(range(10))`,
    )
  if (node.using_key) reject(node, 'USING KEY is not supported')
  return { id: r.nextId(), query: r.query(node.expr, environment, null) }
}
