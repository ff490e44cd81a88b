// The corpus, compiled by our compiler and run by the real ClickHouse engine over HTTP: the same rows as were found by hand.
import { beforeAll, describe, expect, it } from 'vitest'
import { createClickhouseEngine } from '../../src/analytics/engine/clickhouse-engine'
import { bindVariables } from '../../src/endpoints/values/bind'
import { printClickhouse } from '../../src/hogql/clickhouse/print'
import type { CompiledQuery } from '../../src/hogql/compiled'
import { parseQuery } from '../../src/hogql/parser/parse'
import { resolve } from '../../src/hogql/resolve'
import { columnTypeOf } from '../../src/hogql/types'
import type { CorpusQuery } from '../hogql/corpus/corpus-query'
import { NOW, OTHER_PROJECT, PROJECT, propertyType } from '../hogql/corpus/dataset'
import { THEMES } from '../hogql/corpus/queries'
import { COHORT, loadIntoClickhouse } from './load-corpus'
import { makeWarehouse, type Warehouse } from './warehouse'

const PROJECT_ID = 11
const OTHER_PROJECT_ID = 12

/** More than any query of the corpus gives. */
const ALL = 50_000

let warehouse: Warehouse

beforeAll(async () => {
  warehouse = await makeWarehouse('corpus')
  await loadIntoClickhouse(warehouse.server, PROJECT_ID, PROJECT)
  await loadIntoClickhouse(warehouse.server, OTHER_PROJECT_ID, OTHER_PROJECT)
})

async function compiled({
  sql,
  timezone = 'UTC',
  variables = {},
  filters,
}: CorpusQuery): Promise<CompiledQuery> {
  const types = Object.fromEntries(Object.entries(variables).map(([name, { type }]) => [name, type]))
  const resolved = resolve(await parseQuery(sql), {
    sql,
    timezone,
    variables: types,
    propertyTypes: propertyType,
    filters,
    cohortNamed: () => COHORT,
  })
  return printClickhouse(resolved, { timezone })
}

async function rowsOf(
  query: CompiledQuery,
  { timezone = 'UTC', variables = {} }: CorpusQuery,
): Promise<unknown[][]> {
  const values = new Map(Object.entries(variables).map(([name, { value }]) => [name, value]))
  const { rows } = await createClickhouseEngine(warehouse.server).run(query, {
    projectId: PROJECT_ID,
    timezone,
    now: NOW,
    variables: bindVariables(query, values, timezone),
    limit: query.page.ceiling ?? ALL,
    offset: query.page.offset,
    queryId: null,
  })
  return rows
}

const inOrder = (rows: readonly (readonly unknown[])[]) => rows.map((row) => JSON.stringify(row)).toSorted()

describe.each(Object.entries(THEMES))('%s', (_theme, queries) => {
  it.each(queries.map((query) => [query.name, query] as const))('%s', async (_name, query) => {
    const statement = await compiled(query)
    const rows = await rowsOf(statement, query)
    if (query.ordered) expect(rows).toEqual(query.rows)
    else expect(inOrder(rows)).toEqual(inOrder(query.rows))
    expect(statement.columns.map(({ name }) => name)).toEqual(query.columns)
    expect(statement.columns.map(({ type }) => columnTypeOf(type))).toEqual(query.types)
  })
})
