// Insights on the real ClickHouse engine: the same numbers as on D1.
import { beforeAll, expect, it } from 'vitest'
import { createClickhouseEngine } from '../../src/analytics/engine/clickhouse-engine'
import { bindVariables } from '../../src/endpoints/values/bind-variables'
import { printClickhouse } from '../../src/hogql/clickhouse/print'
import { INSIGHTS, prepare } from '../endpoints/insights/reference-insights'
import { TOLD } from '../endpoints/insights/reference-results'
import { NOW, PROJECT } from '../hogql/corpus/dataset'
import { loadIntoClickhouse } from './support/load-corpus'
import { makeWarehouse, type Warehouse } from './support/warehouse'

let warehouse: Warehouse
beforeAll(async () => {
  warehouse = await makeWarehouse('insights')
  await loadIntoClickhouse(warehouse.server, 21, PROJECT)
})

it.each(Object.keys(INSIGHTS))('%s', async (name) => {
  const { resolved, values, page, tell } = await prepare(INSIGHTS[name]!)
  const query = printClickhouse(resolved, { timezone: 'UTC' })
  const { rows } = await createClickhouseEngine(warehouse.server).run(query, {
    projectId: 21,
    timezone: 'UTC',
    now: NOW,
    variables: bindVariables(query, values, 'UTC'),
    ...page,
    queryId: null,
  })
  expect(tell(rows)).toEqual(TOLD[name])
})
