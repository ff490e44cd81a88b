// Compares the widths of values with what D1 computes.
import { env } from 'cloudflare:workers'
import { withComputedTables } from '../../../src/analytics/engine/computed-tables'
import { statementRunner } from '../../../src/analytics/engine/admission'
import { bindable, parameterValues } from '../../../src/analytics/engine/parameter-values'
import { createSteps, evaluate, PAGE } from '../../../src/hogql/cost/formula'
import { Costs } from '../../../src/hogql/cost/scope'
import { estimateQuery } from '../../../src/hogql/cost/estimate'
import type { ParsedQuery } from '../../../src/hogql/compile'
import { resolve } from '../../../src/hogql/resolve/resolve'
import { liftComputed } from '../../../src/hogql/sqlite/lift-computed'
import { printSqlite } from '../../../src/hogql/sqlite/print'
import { createMeter } from '../../../src/storage/metered-d1'
import { STATEMENT_DEADLINE_MS } from '../../../src/storage/shards'
import { NOW, propertyType } from '../corpus/dataset'

const NOTHING_KNOWN = { statistic: () => 0, variable: () => 0, page: 1, measured: () => undefined }

/** The values of a query of one row that are larger than their bounds: by place, with their bytes and the bound. */
export async function exceededBounds({ sql, tree }: ParsedQuery, timezone = 'UTC') {
  const resolved = resolve(tree, { sql, timezone, variables: {}, propertyTypes: propertyType })
  const scope: Parameters<typeof estimateQuery>[1] = {
    costs: Costs.empty('UTC'),
    ctes: [],
    canMeasure: false,
    estimate: (query, inner) => estimateQuery(query, inner),
  }
  const { columns } = estimateQuery(liftComputed(resolved.query).query, scope, PAGE)
  const { place, steps } = createSteps()
  const places = columns.map(({ bytes }) => place(bytes.max))
  const bounds = evaluate(steps, NOTHING_KNOWN)
  const query = printSqlite(resolved, { timezone })
  const run = {
    projectId: 0,
    timezone,
    now: NOW,
    variables: new Map(),
    limit: 1,
    offset: 0,
    queryId: null,
  }
  const runStatements = statementRunner({ db: env.EVENTS, meter: createMeter() }, STATEMENT_DEADLINE_MS)
  const known = await withComputedTables(query, run, runStatements, null)
  const values = parameterValues(query, known).map(bindable)
  const sizes = columns.map((_, index) => `ifnull(octet_length(c${index}), 0) AS c${index}`)
  const [row = []] = await env.EVENTS.prepare(`SELECT ${sizes.join(', ')} FROM (${query.sql})`)
    .bind(...values)
    .raw<number[]>()
  return row.flatMap((bytes, index) => {
    const bound = bounds[places[index]!]!
    return bytes <= bound ? [] : [{ index, bytes, bound }]
  })
}
