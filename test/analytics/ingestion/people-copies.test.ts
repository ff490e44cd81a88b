// Copies of people whom a task names, in pages that fit into memory.
import { expect, it } from 'vitest'
import { readPeopleCopies } from '../../../src/analytics/ingestion/people-copies'
import { MAX_PAGE_BYTES } from '../../../src/storage/byte-page'
import { createTenant, database } from '../../support/tenant'

/** As many and as long ones as a person may have. */
const DISTINCT_IDS = 10_000
const LENGTH = 200

it('reads persons with very many distinct ids in pages of some megabytes', async () => {
  const { projectId, env } = await createTenant()
  const persons = Array.from({ length: 7 }, () => crypto.randomUUID())
  const gone = crypto.randomUUID()
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO persons (project_id, uuid, created_at, properties)
        SELECT ?, value, '2026-03-01T00:00:00.000000Z', jsonb('{}') FROM json_each(?)`,
    ).bind(projectId, JSON.stringify(persons)),
    env.DB.prepare(
      `INSERT INTO person_distinct_ids (project_id, person_id, distinct_id)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${DISTINCT_IDS})
        SELECT project_id, id, format('%0${LENGTH}d', id * 100000 + i) FROM persons CROSS JOIN n WHERE project_id = ?`,
    ).bind(projectId),
  ])
  const pages = await Array.fromAsync(
    readPeopleCopies(database(), projectId, { persons: [...persons, gone], groups: [] }),
  )
  expect(pages.length).toBeGreaterThan(1)
  for (const page of pages) expect(page.distinctIds.length * LENGTH).toBeLessThanOrEqual(MAX_PAGE_BYTES)
  const ids = pages.flatMap(({ distinctIds }) => distinctIds)
  expect(new Set(ids.map(({ distinctId }) => distinctId)).size).toBe(persons.length * DISTINCT_IDS)
  expect(pages.flatMap((page) => page.persons).map(({ uuid, isDeleted }) => [uuid, isDeleted])).toEqual([
    ...persons.map((uuid) => [uuid, false]),
    [gone, true],
  ])
})
