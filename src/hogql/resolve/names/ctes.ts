// Resolves WITH: named subqueries and named expressions.
import type { Cte } from '../../ir'
import type { CTE } from '../../parser/ast'
import type { Resolution } from '../context/resolution'
import { derivedColumns } from './columns'
import { recursionOf, resolveRecursion } from './recursion'
import { reject } from '../../error'
import type { CteEntry, Environment } from '../context/scope'

export interface ResolvedCtes {
  environment: Environment
  /** Returns the CTEs that are read, each before those that may read it. */
  used(): Cte[]
}

/** Resolves CTEs. Each can read those before it, which hide tables of the same name. */
export function resolveCtes(r: Resolution, nodes: readonly CTE[], outer: Environment): ResolvedCtes {
  const known = new Map<string, CteEntry>()
  const environment: Environment = { ctes: known, outer }
  const all: { ctes(): Cte[]; used: boolean }[] = []
  for (const node of nodes) {
    if (known.has(node.name)) reject(node, `Already have a CTE named '${node.name}'`, 'invalid_query')
    if (node.cte_type === 'column') {
      known.set(node.name, { kind: 'expression', expression: node.expr })
      continue
    }
    const {
      result: { cte, before },
      weight,
    } = r.countSelects(() => resolveCte(r, node, environment))
    const entry = { ctes: () => [...(before?.used() ?? []), cte], used: false }
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
  return { environment, used: () => all.filter(({ used }) => used).flatMap(({ ctes }) => ctes()) }
}

/** A CTE, and its inner CTEs, which must come before it. */
interface ResolvedCte {
  cte: Cte
  before?: ResolvedCtes
}

function resolveCte(
  r: Resolution,
  node: Extract<CTE, { cte_type: 'subquery' }>,
  environment: Environment,
): ResolvedCte {
  if (node.using_key) reject(node, 'USING KEY is not supported')
  const parts = node.recursive ? recursionOf(node) : null
  if (parts === null) return { cte: { id: r.nextId(), query: r.query(node.expr, environment, null) } }
  const before = resolveCtes(r, parts.ctes, environment)
  return { cte: resolveRecursion(r, node, parts, before.environment), before }
}
