// Pages of large rows: they end early, so that the Worker never holds more than a page's bytes, and their links lead to every row once.
import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mayBeMore, type RelatedRows, selectPersonsAfter } from '../../src/analytics/evaluation-subject'
import {
  withRunningTotal,
  fitsInPage,
  sortByPlace,
  isWithinBytes,
  MAX_PAGE_BYTES,
} from '../../src/storage/byte-page'
import { propertyRuns } from '../support/property-runs'
import { createTenant, database, type Tenant } from '../support/tenant'

const MIB = 1024 * 1024
/** As SQL, a text of so many MiB. */
const text = (mib: number) => `hex(zeroblob(${(mib * MIB) / 2}))`
const numbers = (count: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`
const at = `strftime('%Y-%m-%dT%H:%M:%S.000000Z', '2026-03-01', i || ' seconds')`

const insert = (tenant: Tenant, statement: string) => env.DB.prepare(statement).bind(tenant.projectId).run()

/** Follows `next` from a path, and gives the pages. */
async function pagesFrom(tenant: Tenant, path: string) {
  const pages: { results: Record<string, unknown>[]; bytes: number; limit: number }[] = []
  for (let next: string | null = path; next !== null;) {
    const url = new URL(next, 'https://halyard.test')
    const { status, body } = await tenant.get(url.pathname + url.search)
    expect(status).toBe(200)
    pages.push({
      results: body.results,
      bytes: JSON.stringify(body).length,
      limit: Number(url.searchParams.get('limit')),
    })
    next = body.next
    expect(pages.length).toBeLessThan(100)
  }
  return pages
}

const lengths = (pages: Awaited<ReturnType<typeof pagesFrom>>) => pages.map(({ results }) => results.length)

describe('a page of flags', () => {
  it.each(['', '&order=key'])(
    'ends when its flags are 8 MiB together, and the next begins there%s',
    async (order) => {
      const tenant = await createTenant()
      await insert(
        tenant,
        `INSERT INTO feature_flags (project_id, key, filters, search_text, created_at, updated_at) ${numbers(20)}
        SELECT ?1, printf('flag-%02d', i), '{"groups":[],"payloads":{"true":"' || ${text(1)} || '"}}', '', ${at}, ${at} FROM n`,
      )
      const pages = await pagesFrom(tenant, `${tenant.flags()}?limit=15${order}`)
      expect(lengths(pages)).toEqual([7, 7, 6])
      for (const { bytes } of pages) expect(bytes).toBeLessThanOrEqual(MAX_PAGE_BYTES + 64 * 1024)
      const keys = pages.flatMap(({ results }) => results.map(({ key }) => key))
      const expected = Array.from({ length: 20 }, (_, index) => `flag-${String(index + 1).padStart(2, '0')}`)
      expect(keys).toEqual(order ? expected : expected.toReversed())
    },
  )
})

describe('a page of activity', () => {
  it('ends early, and is followed by pages that are as much shorter', async () => {
    const tenant = await createTenant()
    await insert(
      tenant,
      `INSERT INTO activity_log (id, project_id, activity, scope, item_id, detail, created_at) ${numbers(30)}
        SELECT printf('entry-%02d-', i) || ?1, ?1, 'updated', 'FeatureFlag', i, '{"name":"' || ${text(1)} || '","changes":[]}', ${at} FROM n`,
    )
    const pages = await pagesFrom(tenant, `${tenant.flags('activity')}?limit=20`)
    // Of 20 entries 7 fit; 5 is the largest divisor of 20 that is not above it.
    expect(lengths(pages)).toEqual([5, 5, 5, 5, 5, 5])
    expect(pages.map(({ limit }) => limit)).toEqual([20, 5, 5, 5, 5, 5])
    const items = pages.flatMap(({ results }) => results.map(({ item_id: item }) => Number(item)))
    expect(items).toEqual(Array.from({ length: 30 }, (_, index) => 30 - index))
  })
})

describe('a page of endpoints', () => {
  it('ends when its queries are 8 MiB together, as does a page of versions', async () => {
    const tenant = await createTenant()
    const id = `printf('00000000-0000-7000-9000-%04d%08d', ?1, i)`
    await insert(
      tenant,
      `INSERT INTO endpoints (id, project_id, name, current_version, created_at, updated_at) ${numbers(20)}
        SELECT ${id}, ?1, 'many-' || i, 1, ${at}, ${at} FROM n`,
    )
    const query = `'{"kind":"HogQLQuery","query":"' || ${text(1)} || '","variables":null}'`
    const columns = `id, endpoint_id, project_id, version, query, columns, data_freshness_seconds, optional_breakdown_properties, created_at`
    await insert(
      tenant,
      `INSERT INTO endpoint_versions (${columns}) ${numbers(20)}
        SELECT ${id} || '-1', ${id}, ?1, 1, ${query}, '[]', 86400, '[]', ${at} FROM n`,
    )
    const pages = await pagesFrom(tenant, `${tenant.endpoints()}?limit=15`)
    expect(lengths(pages)).toEqual([7, 7, 6])
    const names = pages.flatMap(({ results }) => results.map(({ name }) => name))
    expect(names).toEqual(Array.from({ length: 20 }, (_, index) => `many-${20 - index}`))

    await insert(
      tenant,
      `INSERT INTO endpoint_versions (${columns}) ${numbers(12)}
        SELECT printf('00000000-0000-7000-9000-%04d%08d', ?1, 1) || '-' || (i + 1), printf('00000000-0000-7000-9000-%04d%08d', ?1, 1), ?1,
          i + 1, ${query}, '[]', 86400, '[]', ${at} FROM n`,
    )
    await insert(
      tenant,
      `UPDATE endpoints SET current_version = 13 WHERE project_id = ?1 AND name = 'many-1'`,
    )
    const versions = await pagesFrom(tenant, `${tenant.endpoints('many-1/versions')}?limit=10`)
    expect(lengths(versions)).toEqual([7, 6])
    expect(versions.flatMap(({ results }) => results.map(({ version }) => version))).toEqual(
      Array.from({ length: 13 }, (_, index) => 13 - index),
    )
  })
})

describe('a chunk of people', () => {
  const insertPeople = (tenant: Tenant, properties: string) =>
    insert(
      tenant,
      `INSERT INTO persons (project_id, uuid, properties, created_at) ${numbers(20)}
        SELECT ?1, printf('00000000-0000-7000-a000-%04d%08d', ?1, i), ${properties}, ${at} FROM n`,
    )

  /** Returns the number of people of each chunk. Together they have every person once. */
  async function chunksOf(tenant: Tenant, related: RelatedRows): Promise<number[]> {
    const seen: string[] = []
    const chunks: number[] = []
    let after = 0
    while (chunks.length <= 20) {
      const people = await selectPersonsAfter(database(), tenant.projectId, related, after, 1_000)
      chunks.push(people.length)
      seen.push(...people.map(({ uuid }) => uuid))
      after = people.at(-1)?.id ?? after
      if (!mayBeMore(people, 1_000)) break
    }
    expect(new Set(seen).size).toBe(20)
    return chunks
  }

  const NOTHING = { needsCohorts: false, needsOverrides: false }

  it('ends at 8 MiB in total, and reports that there may be more', async () => {
    const tenant = await createTenant()
    await insertPeople(tenant, `'{"text":"' || ${text(1)} || '"}'`)
    expect((await chunksOf(tenant, NOTHING)).slice(0, 3)).toEqual([7, 7, 6])
    const all = await chunksOf(tenant, { needsCohorts: true, needsOverrides: true })
    expect(all.slice(0, 3)).toEqual([7, 7, 6])
    expect(mayBeMore([{ properties: '{}', found: 1 }], 1_000)).toBe(false)
  })

  it('counts what continuity stored, and reads it only where it may decide', async () => {
    const tenant = await createTenant()
    await insertPeople(tenant, `'{}'`)
    await insert(
      tenant,
      `INSERT INTO flag_hash_key_overrides (person_id, project_id, flag_key, hash_key)
        SELECT id, ?1, 'flag', ${text(1)} FROM persons WHERE project_id = ?1`,
    )
    expect(await chunksOf(tenant, NOTHING)).toEqual([20])
    expect(await chunksOf(tenant, { ...NOTHING, needsOverrides: true })).toEqual([7, 7, 6])
  })

  it('counts memberships', async () => {
    const tenant = await createTenant()
    await insertPeople(tenant, `'{}'`)
    const member = `SELECT id FROM persons WHERE project_id = ?1 ORDER BY id LIMIT 1`
    await insert(
      tenant,
      `INSERT INTO cohorts (project_id, name, is_static, created_at) ${numbers(50)} SELECT ?1, 'c' || i, 1, ${at} FROM n`,
    )
    await insert(
      tenant,
      `INSERT INTO cohort_members (cohort_id, person_id) SELECT id, (${member}) FROM cohorts WHERE project_id = ?1`,
    )
    const [first] = await selectPersonsAfter(
      database(),
      tenant.projectId,
      { ...NOTHING, needsCohorts: true },
      0,
      1,
    )
    expect(JSON.parse(first!.cohortIds)).toHaveLength(50)
    const [unread] = await selectPersonsAfter(database(), tenant.projectId, NOTHING, 0, 1)
    expect(unread!.cohortIds).toBe('[]')
  })
})

describe('withRunningTotal', () => {
  it('gives the rows that fit, in their order, and one at least', async () => {
    const rows = fc.array(fc.nat(20), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(rows, fc.nat(40), async (sizes, maxBytes) => {
        const page = sql`SELECT key AS id, value AS bytes FROM json_each(${JSON.stringify(sizes)}) ORDER BY key`
        const db = database()
        const [within, whole] = await db.batch([
          db
            .select({ id: sql<number>`picked.id`.as('id'), place: sql<number>`picked.place`.as('place') })
            .from(withRunningTotal(page))
            .where(isWithinBytes(maxBytes)),
          db.select({ fits: sql<number>`${fitsInPage(page, maxBytes)}`.as('fits') }).from(sql`(SELECT 1)`),
        ])
        let total = 0
        const expected = sizes.findIndex((size, index) => (total += size) > maxBytes && index > 0)
        const count = expected === -1 ? sizes.length : expected
        expect(sortByPlace(within).map(({ id }) => id)).toEqual(
          sizes.slice(0, count).map((_, index) => index),
        )
        expect(whole[0]!.fits === 1).toBe(sizes.reduce((sum, size) => sum + size, 0) <= maxBytes)
      }),
      { numRuns: propertyRuns(20, 60) },
    )
  })
})

describe('variables of queries', () => {
  const path = (tenant: Tenant) => `/api/projects/${tenant.projectId}/insight_variables/`

  it('are listed by pages of 8 MiB', async () => {
    const tenant = await createTenant()
    await insert(
      tenant,
      `INSERT INTO query_variables (id, project_id, name, code_name, type, default_value, created_at) ${numbers(20)}
        SELECT printf('variable-%02d-', i) || ?1, ?1, i, printf('v%02d', i), 'String', '"' || ${text(1)} || '"', ${at} FROM n`,
    )
    const pages = await pagesFrom(tenant, `${path(tenant)}?limit=15`)
    expect(lengths(pages)).toEqual([7, 7, 6])
    const names = pages.flatMap(({ results }) => results.map(({ code_name: name }) => name))
    expect(names).toEqual(Array.from({ length: 20 }, (_, index) => `v${String(index + 1).padStart(2, '0')}`))
  })

  it.each(['default_value', 'values'])('have at most 65,536 bytes of %s', async (field) => {
    const tenant = await createTenant()
    const sent = (bytes: number) => {
      const value = 'x'.repeat(bytes - (field === 'values' ? 4 : 2))
      return { name: 'a', type: 'List', [field]: field === 'values' ? [value] : value }
    }
    const refused = {
      status: 400,
      body: {
        type: 'validation_error',
        code: 'max_length',
        detail: 'Ensure this field has no more than 65536 bytes of JSON.',
        attr: field,
      },
    }
    expect(await tenant.post(path(tenant), sent(65_537))).toMatchObject(refused)
    const { status, body } = await tenant.post(path(tenant), sent(65_536))
    expect(status).toBe(201)
    expect(await tenant.patch(`${path(tenant)}${body.id}/`, sent(65_537))).toMatchObject(refused)
  })

  it.each([
    [
      'in its text',
      { query: `SELECT ${Array.from({ length: 101 }, (_, n) => `{variables.v${n}}`).join(', ')}` },
    ],
    [
      'beside it',
      {
        query: 'SELECT 1',
        variables: Object.fromEntries(
          Array.from({ length: 101 }, (_, n) => {
            const variableId = `019d4d7e-0e00-7232-b37a-${String(n).padStart(12, '0')}`
            return [variableId, { variableId, code_name: `v${n}` }]
          }),
        ),
      },
    ],
  ])('are at most 100 of a query, %s', async (_, query) => {
    const tenant = await createTenant()
    const sent = { name: 'many', query: { kind: 'HogQLQuery', ...query } }
    expect(await tenant.post(`/api/projects/${tenant.projectId}/endpoints/`, sent)).toMatchObject({
      status: 400,
      body: { attr: 'query', detail: 'A query has at most 100 variables, and this one has 101.' },
    })
  })
})
