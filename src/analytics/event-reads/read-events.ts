// Queries of the service itself on events, in both dialects. They run like saved queries.
import type { CompiledQuery, CostFormulas, Dialect } from '../../hogql/compiled'
import type { Literal } from '../../hogql/ir'
import { nullable, STRING, type Type } from '../../hogql/types'
import type { QueryEngine } from '../engine/query-engine'

export const TEXT = nullable(STRING)

const MAX_ROWS = 50_000

export interface EventRead {
  sql: Readonly<Record<Dialect, string>>
  /** Values that are bound to `?2`, `?3`, …; `?1` is the project. On ClickHouse they are `{p2:String}`, …. */
  values: readonly Literal[]
  columns: readonly Type[]
  /** What it costs on D1. A read without a cost has a limit of its own. */
  cost?: CostFormulas
}

export async function readEvents(
  engine: QueryEngine,
  projectId: number,
  { sql, values, columns, cost }: EventRead,
) {
  const query: CompiledQuery = {
    dialect: engine.dialect,
    sql: sql[engine.dialect],
    parameters: [{ kind: 'project' }, ...values.map((value) => ({ kind: 'literal' as const, value }))],
    columns: columns.map((type, index) => ({ name: `c${index}`, type })),
    page: { ceiling: null, offset: 0, pageable: false },
    variables: [],
    ...(cost ? { cost } : {}),
  }
  const { rows } = await engine.run(query, {
    projectId,
    timezone: 'UTC',
    now: new Date(0),
    variables: new Map(),
    limit: MAX_ROWS,
    offset: 0,
    queryId: null,
  })
  return rows
}
