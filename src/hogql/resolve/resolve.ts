// Resolves a parsed query: binds every name and determines every type.
import type { CompiledQuery } from '../compiled'
import type { Warning } from '../error'
import type { Query } from '../ir'
import type { Selection } from '../parser/ast'
import { hasState, type Type } from '../types'
import { columnsOf, selectOf } from '../ir-build'
import { startResolution, type Resolution, type ResolveContext, type StoredTable } from './context/resolution'
import { reject } from '../error'
import { derivedColumns } from './names/columns'
import { resolveExpr } from './expressions/expression'
import { NO_CTES, type Environment, type Scope } from './context/scope'
import { resolveSelect } from './select/select'
import { resolveSet } from './select/set-operations'

export type {
  ActionReference,
  CohortReference,
  ResolveContext,
  StoredTable,
  VariableType,
} from './context/resolution'
export type { StoredFilters } from './context/filters'
export { parseFilterExpressions } from './filter-expressions'
export {
  actionsOf,
  allFilters,
  cohortsOf,
  eventNamesOf,
  namesInSteps,
  stepsInFilters,
  placeholdersOf,
  propertiesOf,
} from './references'

export interface Resolved {
  /** The query without its outermost LIMIT and OFFSET, which are in `page`. */
  query: Query
  page: CompiledQuery['page']
  columns: { name: string; type: Type }[]
  /** The columns as those of a materialized table. */
  kept: StoredTable['columns']
  /** The variables that the query reads. */
  variables: string[]
  warnings: readonly Warning[]
}

/**
 * Resolves a query. It rejects everything that is not on the allow-list, with its name and position.
 * @throws HogqlError
 */
export function resolve(tree: Selection, context: ResolveContext): Resolved {
  const r = startResolution(context, { expr: resolveExpr, query: resolveQuery })
  const whole = r.query(tree, NO_CTES, null)
  const columns = whole.items.map(({ name, type }) => ({ name, type }))
  const state = columns.find(({ type }) => hasState(type))
  if (state) reject(tree, `Column '${state.name}' is a state: read it with …Merge(…) in a query around it`)
  const kept = derivedColumns(r, whole, null, tree).map(({ name, type, isPropertyText = false }) => ({
    name,
    type,
    isPropertyText,
  }))
  return { ...paged(r, whole), columns, kept, variables: [...r.variables], warnings: r.warnings }
}

function resolveQuery(r: Resolution, node: Selection, environment: Environment, outer: Scope | null): Query {
  switch (node.node) {
    case 'SelectQuery':
      return resolveSelect(r, node, environment, outer)
    case 'SelectSetQuery':
      return resolveSet(r, node, environment, outer)
  }
}

/** Separates the outermost LIMIT and OFFSET from the query. A set operation keeps its own: a SELECT without pagination wraps it. */
function paged(r: Resolution, query: Query): Pick<Resolved, 'query' | 'page'> {
  if (query.kind === 'select') {
    const { limit, offset } = query
    return { query: { ...query, limit: null, offset: 0 }, page: { ceiling: limit, offset, pageable: true } }
  }
  const id = r.nextId()
  const wrapped = selectOf({
    items: columnsOf(query, id),
    from: { source: { kind: 'query', id, query }, joins: [] },
  })
  return { query: wrapped, page: { ceiling: query.limit, offset: 0, pageable: false } }
}
