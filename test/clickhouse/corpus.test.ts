// The corpus, compiled by our compiler and run by the real ClickHouse engine over HTTP: the same rows as were found by hand.
import { beforeAll, describe, expect, it } from 'vitest'
import { columnTypeOf } from '../../src/hogql/types'
import { OTHER_PROJECT, PROJECT } from '../hogql/corpus/dataset'
import { THEMES } from '../hogql/corpus/queries'
import { compileFor, run } from './ask'
import { loadIntoClickhouse } from './load-corpus'
import { makeWarehouse, type Warehouse } from './warehouse'

const PROJECT_ID = 11
const OTHER_PROJECT_ID = 12

let warehouse: Warehouse

beforeAll(async () => {
  warehouse = await makeWarehouse('corpus')
  await loadIntoClickhouse(warehouse.server, PROJECT_ID, PROJECT)
  await loadIntoClickhouse(warehouse.server, OTHER_PROJECT_ID, OTHER_PROJECT)
})

const inOrder = (rows: readonly (readonly unknown[])[]) => rows.map((row) => JSON.stringify(row)).toSorted()

describe.each(Object.entries(THEMES))('%s', (_theme, queries) => {
  it.each(queries.map((query) => [query.name, query] as const))('%s', async (_name, query) => {
    const statement = await compileFor(query)
    const rows = await run(warehouse.server, PROJECT_ID, statement, query)
    if (query.ordered) expect(rows).toEqual(query.rows)
    else expect(inOrder(rows)).toEqual(inOrder(query.rows))
    expect(statement.columns.map(({ name }) => name)).toEqual(query.columns)
    expect(statement.columns.map(({ type }) => columnTypeOf(type))).toEqual(query.types)
  })
})
