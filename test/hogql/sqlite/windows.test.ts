// Windows of a SELECT are written once and named where they are used, because the text of a statement is limited.
import { expect, it } from 'vitest'
import { compileHogql } from '../../../src/hogql/compile'

const QUERY = `SELECT max(n) OVER (ORDER BY n) FROM (
  SELECT number AS n, sum(number) OVER (ORDER BY number), min(number) OVER (ORDER BY number), max(number) OVER (PARTITION BY number)
  FROM numbers(3)
) ORDER BY n`

it.each(['sqlite', 'clickhouse'] as const)('each SELECT names its own windows in %s', async (dialect) => {
  const { queries } = await compileHogql(QUERY, {
    timezone: 'UTC',
    variables: {},
    propertyTypes: () => undefined,
  })
  const compiled = queries[dialect]
  if ('refusal' in compiled) throw new Error(compiled.refusal)
  const sql = compiled.sql.replaceAll('"', '')
  expect(sql.match(/OVER \w+/g)).toEqual(['OVER w0', 'OVER w0', 'OVER w0', 'OVER w1'])
  expect(sql).toContain(' AS s0 WINDOW w0 AS (ORDER BY s0.number), w1 AS (PARTITION BY s0.number)) AS s1 ')
  expect(sql).toContain(') AS s1 WINDOW w0 AS (ORDER BY s1.c0) ORDER BY s1.c0 LIMIT ')
})
