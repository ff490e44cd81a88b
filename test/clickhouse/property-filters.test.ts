// Property filters on both engines over the data set of the corpus: the same rows.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { QueryEngine } from '../../src/analytics/engine/query-engine'
import { compileHogql } from '../../src/hogql/compile'
import type { CompiledQuery } from '../../src/hogql/compiled'
import { NOW, PROJECT, propertyType } from '../hogql/corpus/dataset'
import { type Engines, startEngines } from './differential/engines'

const PROJECT_ID = 22

let engines: Engines
beforeAll(async () => {
  engines = await startEngines('filters')
  await engines.load(PROJECT_ID, PROJECT)
})
afterAll(() => engines?.stop())

async function rowsOn(engine: QueryEngine, query: CompiledQuery | { refusal: string }): Promise<unknown> {
  if (!('sql' in query)) return query.refusal
  const { rows } = await engine.run(query, {
    projectId: PROJECT_ID,
    timezone: 'UTC',
    now: NOW,
    variables: new Map(),
    limit: 1000,
    offset: 0,
    queryId: null,
  })
  return rows
}

it.each([
  { key: 'plan', operator: 'regex', value: '^(pro|free)$' },
  { key: 'plan', operator: 'not_regex', value: 'r+' },
  { key: 'amount', operator: 'between', value: [1, 30] },
  { key: 'amount', operator: 'not_between', value: [1, 30] },
  { key: '$browser', operator: 'icontains_multi', value: ['CHROME', 'fire'] },
  { key: '$lib_version', operator: 'semver_gte', value: '1.2.0' },
  { key: '$lib_version', operator: 'semver_neq', value: '1.2.0' },
  { key: '$lib_version', operator: 'semver_caret', value: '1.0.0' },
  { key: "length(event) > 6 OR properties.plan = 'pro'", type: 'hogql' },
  { key: 'text', type: 'element', operator: 'not_icontains', value: 'x' },
  { key: 'beta', type: 'flag', operator: 'flag_evaluates_to', value: true },
])('$type $key $operator $value', async (filter) => {
  const { queries } = await compileHogql('SELECT uuid FROM events WHERE {filters} ORDER BY uuid', {
    timezone: 'UTC',
    variables: {},
    propertyTypes: propertyType,
    filters: { properties: [filter] },
  })
  expect(await rowsOn(engines.d1, queries.sqlite)).toEqual(
    await rowsOn(engines.clickhouse, queries.clickhouse),
  )
})
