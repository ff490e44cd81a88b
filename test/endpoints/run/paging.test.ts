// The rows of a run that a request asks for (docs/reference/endpoints.md#pages-of-a-run).
import * as fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { pageWindowOf, removeExtraRow } from '../../../src/endpoints/run/hogql-run'
import { run } from '../../support/endpoints/runs'
import {
  compiledVersion,
  numbers,
  storedEndpoint,
  type StoredVersion,
} from '../../support/endpoints/saved-queries'
import { createTenant, type Tenant } from '../../support/tenant'

let tenant: Tenant
beforeEach(async () => {
  tenant = await createTenant()
})

describe('limit and offset', () => {
  const ceiling = (count: number, offset = 0): StoredVersion => ({
    compiled: compiledVersion(numbers({ page: { ceiling: count, offset, pageable: true } })),
  })
  const page = async (version: StoredVersion, body: object, query = '') => {
    const { name } = await storedEndpoint(tenant, version)
    const response = await run(tenant, name, body, query)
    const { results, hasMore, limit, offset } = response.body
    return [results.flat(), hasMore, limit, offset]
  }

  it.each<[what: string, version: StoredVersion, body: object, query: string, answer: unknown[]]>([
    ['a page', {}, { limit: 2 }, '', [[1, 2], true, 2, 0]],
    ['the next one', {}, { limit: 2, offset: 2 }, '', [[3, 4], true, 2, 2]],
    ['the last one', {}, { limit: 2, offset: 4 }, '', [[5], false, 2, 4]],
    ['exactly what there is', {}, { limit: 5 }, '', [[1, 2, 3, 4, 5], false, 5, 0]],
    ['past the end', {}, { limit: 5, offset: 9 }, '', [[], false, 5, 9]],
    ['of the query string', {}, {}, '?limit=2&offset=1', [[2, 3], true, 2, 1]],
    ['the body before the query string', {}, { limit: 1 }, '?limit=2&offset=1', [[2], true, 1, 1]],
    ['all that LIMIT allows', ceiling(3), {}, '', [[1, 2, 3], false, undefined, undefined]],
    ['a page below LIMIT', ceiling(3), { limit: 2 }, '', [[1, 2], true, 2, 0]],
    ['a page that ends at LIMIT', ceiling(3), { limit: 2, offset: 1 }, '', [[2, 3], false, 2, 1]],
    ['a page that LIMIT cuts', ceiling(3), { limit: 2, offset: 2 }, '', [[3], false, 2, 2]],
    ['a page past LIMIT', ceiling(3), { limit: 2, offset: 3 }, '', [[], false, 2, 3]],
    ['more than LIMIT', ceiling(3), { limit: 10 }, '', [[1, 2, 3], false, 10, 0]],
    ["behind the query's own OFFSET", ceiling(3, 1), { limit: 2, offset: 1 }, '', [[3, 4], false, 2, 1]],
  ])('give %s', async (_, version, body, query, response) => {
    expect(await page(version, body, query)).toEqual(response)
  })

  /** A query of `count` rows. */
  const many = (count: number, limit: number | null): StoredVersion => ({
    compiled: compiledVersion(
      numbers({
        sql: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) SELECT i AS c0 FROM n LIMIT ?2 OFFSET ?3',
        parameters: [{ kind: 'literal', value: count }, { kind: 'limit' }, { kind: 'offset' }],
        page: { ceiling: limit, offset: 0, pageable: true },
      }),
    ),
  })

  it('default to 100 and 0', async () => {
    const [rows, hasMore] = await page(many(150, null), {})
    expect([rows.length, hasMore]).toEqual([100, true])
  })

  it('return 50,000 rows at most, with a warning', async () => {
    const { name } = await storedEndpoint(tenant, many(50_002, 60_000))
    const warning = {
      warnings: [
        { message: 'The result was cut off at 50000 rows. Use limit and offset to read the others.' },
      ],
    }
    for (const isCached of [false, true]) {
      const { body } = await run(tenant, name)
      expect(body.results.length).toBe(50_000)
      expect(body).toMatchObject({ hasMore: true, metadata: warning, is_cached: isCached })
    }
    const paged = await run(tenant, name, { limit: 100_000 })
    expect(paged.body.results.length).toBe(50_000)
    expect(paged.body).toMatchObject({ hasMore: true, limit: 50_000, offset: 0, metadata: warning })
    const rest = await run(tenant, name, { limit: 100_000, offset: 50_000 })
    expect(rest.body).toMatchObject({ results: [[50_001], [50_002]], hasMore: false, metadata: null })
    const { name: exact } = await storedEndpoint(tenant, many(50_000, 60_000))
    expect((await run(tenant, exact)).body).toMatchObject({ hasMore: false, metadata: null })
  })
})

const count = fc.nat({ max: 60_000 })

const endsOf = (rows: unknown[][]) => [rows.length, rows[0], rows.at(-1)]

describe('a window', () => {
  it('selects the page of the rows within LIMIT, for any numbers', () => {
    const sizes = fc.record({
      rows: count,
      ceiling: fc.option(count),
      own: fc.nat({ max: 5 }),
      limit: fc.option(fc.integer({ min: 1, max: 60_000 })),
      offset: count,
    })
    fc.assert(
      fc.property(sizes, ({ rows, ceiling, own, limit, offset }) => {
        const asked = { limit, offset: limit === null ? null : offset }
        const window = pageWindowOf({ ceiling, offset: own, pageable: true }, asked)
        // What the engine would give of so many rows.
        const all = Array.from({ length: rows }, (_, n) => [n])
        const given = all.slice(window.offset, window.offset + window.limit)
        const hasMore = removeExtraRow(given, window)

        const within = all.slice(own, own + (ceiling ?? Infinity)).slice(asked.offset ?? 0)
        const kept = Math.min(limit ?? ceiling ?? 100, 50_000)
        // Both are consecutive rows of the same.
        expect(endsOf(given)).toEqual(endsOf(within.slice(0, kept)))
        const more = within.length > kept
        expect(hasMore).toBe(more)
      }),
      { numRuns: 300 },
    )
  })
})
