// Published queries on both engines over the data set of the corpus: what both answer has the same rows.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { QueryEngine } from '../../src/analytics/engine/query-engine'
import { bindVariables } from '../../src/endpoints/values/bind-variables'
import { compileHogql } from '../../src/hogql/compile'
import type { CompiledQuery } from '../../src/hogql/compiled'
import { HogqlError } from '../../src/hogql/error'
import { comparable } from '../hogql/corpus/compare'
import { NOW, PROJECT, propertyType } from '../hogql/corpus/dataset'
import { PUBLISHED, VARIABLES } from '../hogql/published/published'
import { type Engines, startEngines } from './differential/engines'

const PROJECT_ID = 21

let engines: Engines
beforeAll(async () => {
  engines = await startEngines('published')
  await engines.load(PROJECT_ID, PROJECT)
})
afterAll(() => engines?.stop())

async function rowsOn(engine: QueryEngine, query: CompiledQuery): Promise<unknown[]> {
  const values = new Map(Object.entries(VARIABLES).map(([name, { value }]) => [name, value]))
  const { rows } = await engine.run(query, {
    projectId: PROJECT_ID,
    timezone: 'UTC',
    now: NOW,
    variables: bindVariables(query, values, 'UTC'),
    limit: query.page.ceiling ?? 1000,
    offset: query.page.offset,
    queryId: null,
  })
  return comparable(rows)
}

const compile = (sql: string) =>
  compileHogql(sql, {
    timezone: 'UTC',
    variables: Object.fromEntries(Object.entries(VARIABLES).map(([name, { type }]) => [name, type])),
    propertyTypes: propertyType,
    findCohort: () => 1,
    findAction: () => [{ event: '$autocapture', selector: 'button' }],
  }).catch((error: unknown) => {
    if (error instanceof HogqlError) return null
    throw error
  })

describe.each(PUBLISHED.map(({ source, queries }) => [source, queries] as const))('%s', (_, queries) => {
  it.each(queries)('%s', async (sql) => {
    const compiled = await compile(sql)
    if (!compiled) return
    const { sqlite, clickhouse } = compiled.queries
    if (!('sql' in sqlite) || !('sql' in clickhouse)) return
    expect(await rowsOn(engines.d1, sqlite)).toEqual(await rowsOn(engines.clickhouse, clickhouse))
  })
})
