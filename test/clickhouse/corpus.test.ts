// The corpus, compiled by our compiler and run by the real ClickHouse engine over HTTP: the same rows as were found by hand.
import { beforeAll, describe, expect, it } from 'vitest'
import type { CompiledQuery } from '../../src/hogql/compiled'
import { columnTypeOf } from '../../src/hogql/types'
import { OTHER_PROJECT, PROJECT } from '../hogql/corpus/dataset'
import { THEMES } from '../hogql/corpus/queries'
import { compileFor, run } from './support/ask'
import { loadIntoClickhouse } from './support/load-corpus'
import { makeWarehouse, type Warehouse } from './support/warehouse'

const PROJECT_ID = 11
const OTHER_PROJECT_ID = 12

let warehouse: Warehouse

beforeAll(async () => {
  warehouse = await makeWarehouse('corpus')
  await loadIntoClickhouse(warehouse.server, PROJECT_ID, PROJECT)
  await loadIntoClickhouse(warehouse.server, OTHER_PROJECT_ID, OTHER_PROJECT)
})

/** Every table is read within the bound of the run's project, and nothing is read but the tables that there are. */
function expectBounded({ sql, parameters }: CompiledQuery): void {
  const reads = sql.match(/\b(?:FROM|JOIN) [a-z_]+(?: AS \w+)? FINAL\b/g) ?? []
  const bounds = sql.match(/\bproject_id = \{p(\d+):Int64\}/g) ?? []
  expect(bounds.length).toBe(reads.length)
  for (const bound of bounds) {
    const place = Number(/p(\d+)/.exec(bound)?.[1]) - 1
    expect(parameters[place]).toEqual({ kind: 'project' })
  }
  for (const read of sql.match(/(?<!ARRAY )\b(?:FROM|JOIN) [a-z]\w*/g) ?? []) {
    expect(read).toMatch(
      / (events|persons|person_distinct_ids|groups|cohort_people|cte\d+|levels\d+|numbers)$/,
    )
  }
}

const inOrder = (rows: readonly (readonly unknown[])[]) => rows.map((row) => JSON.stringify(row)).toSorted()

describe.each(Object.entries(THEMES))('%s', (_theme, queries) => {
  it.each(queries.map((query) => [query.name, query] as const))('%s', async (_name, query) => {
    const statement = await compileFor(query)
    expectBounded(statement)
    const rows = await run(warehouse.server, PROJECT_ID, statement, query)
    if (query.ordered) expect(rows).toEqual(query.rows)
    else expect(inOrder(rows)).toEqual(inOrder(query.rows))
    expect(statement.columns.map(({ name }) => name)).toEqual(query.columns)
    expect(statement.columns.map(({ type }) => columnTypeOf(type))).toEqual(query.types)
  })
})
