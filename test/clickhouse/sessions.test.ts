// Sessions that views of pages do not begin, or that have none, on both engines: the same rows.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compileHogql } from '../../src/hogql/compile'
import { NOW, propertyType } from '../hogql/corpus/dataset'
import { SESSION_QUERIES, SESSIONS_PROJECT } from '../hogql/corpus/session-events'
import { type Engines, startEngines } from './differential/engines'

const PROJECT_ID = 24

let engines: Engines
beforeAll(async () => {
  engines = await startEngines('sessions')
  await engines.load(PROJECT_ID, SESSIONS_PROJECT)
})
afterAll(() => engines?.stop())

it.each(SESSION_QUERIES)(
  'has the first and last view of a session, if it has any: $sql',
  async ({ sql, rows }) => {
    const { queries } = await compileHogql(sql, {
      timezone: 'UTC',
      variables: {},
      propertyTypes: propertyType,
    })
    for (const [engine, query] of [
      [engines.d1, queries.sqlite],
      [engines.clickhouse, queries.clickhouse],
    ] as const) {
      if ('refusal' in query) throw new Error(query.refusal)
      const { rows: found } = await engine.run(query, {
        projectId: PROJECT_ID,
        timezone: 'UTC',
        now: NOW,
        variables: new Map(),
        limit: 100,
        offset: 0,
        queryId: null,
      })
      expect({ dialect: engine.dialect, found }).toEqual({ dialect: engine.dialect, found: rows })
    }
  },
)
