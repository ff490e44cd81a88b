// What insights tell of the corpus' data set, on D1; test/clickhouse holds the other engine to the same.
import { beforeAll, expect, it } from 'vitest'
import { shardEngine } from '../../support/database/d1-engine'
import { bindVariables } from '../../../src/endpoints/values/bind-variables'
import { printSqlite } from '../../../src/hogql/sqlite/print'
import { NOW, PROJECT } from '../../hogql/corpus/dataset'
import { loadIntoD1 } from '../../hogql/corpus/load-d1'
import { createTenant } from '../../support/tenant'
import { INSIGHTS, prepare } from './reference-insights'
import { TOLD } from './reference-results'

let projectId: number
beforeAll(async () => {
  projectId = (await createTenant()).projectId
  await loadIntoD1(projectId, PROJECT)
})

it.each(Object.keys(INSIGHTS))('%s', async (name) => {
  const { resolved, values, page, tell } = await prepare(INSIGHTS[name]!)
  const query = printSqlite(resolved, { timezone: 'UTC' })
  const { rows } = await shardEngine().run(query, {
    projectId,
    timezone: 'UTC',
    now: NOW,
    variables: bindVariables(query, values, 'UTC'),
    ...page,
    queryId: null,
  })
  expect(tell(rows)).toEqual(TOLD[name])
})
