// How many of the published queries each engine answers, of which D1 prepares the SQL: `npm run bench -- published` says why the others are
// rejected.
import { expect, it } from 'vitest'
import { compileHogql } from '../../../src/hogql/compile'
import { HogqlError } from '../../../src/hogql/error'
import { plansOnD1 } from '../corpus/ask'
import { propertyType } from '../corpus/dataset'
import { PUBLISHED, VARIABLES } from '../published/published'

const findAction = () => [{ event: '$autocapture', selector: 'button' }]

/** At least; more are welcome. */
const ANSWERED = { sqlite: 252, clickhouse: 263 }

it('answers the published queries that it answered before, and names what it rejects', async () => {
  const variables = Object.fromEntries(Object.entries(VARIABLES).map(([name, { type }]) => [name, type]))
  const context = { timezone: 'UTC', variables, propertyTypes: propertyType, findCohort: () => 1, findAction }
  const answered = { sqlite: 0, clickhouse: 0 }
  for (const sql of PUBLISHED.flatMap(({ queries }) => queries)) {
    try {
      const { queries } = await compileHogql(sql, context)
      if ('sql' in queries.sqlite) {
        await plansOnD1(queries.sqlite)
        answered.sqlite += 1
      }
      answered.clickhouse += Number('sql' in queries.clickhouse)
    } catch (error) {
      expect(error).toBeInstanceOf(HogqlError)
      expect((error as HogqlError).message).toMatch(/supported|Unable to resolve|cannot|slice/i)
    }
  }
  expect(answered.sqlite).toBeGreaterThanOrEqual(ANSWERED.sqlite)
  expect(answered.clickhouse).toBeGreaterThanOrEqual(ANSWERED.clickhouse)
}, 60_000)
