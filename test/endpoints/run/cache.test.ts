// Answers that are given again (docs/reference/endpoints.md#where-a-run-finds-its-rows).
import { env } from 'cloudflare:workers'
import { eq, inArray, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { endpointVersions } from '../../../drizzle'
import { endpointResults } from '../../../drizzle/events'
import { type NewResult, storeResult } from '../../../src/endpoints/run/result-cache'
import { toStoredTimestamp } from '../../../src/timestamps'
import { run, withVariable } from '../../support/endpoints/runs'
import {
  compiledVersion,
  numbers,
  storedEndpoint,
  storedVersion,
} from '../../support/endpoints/saved-queries'
import { configureProject } from '../../support/database/rows'
import { createTenant, database, shard, type Tenant } from '../../support/tenant'

let tenant: Tenant
beforeEach(async () => {
  tenant = await createTenant()
})

describe('the cache', () => {
  const stateOf = async (name: string, body: object = {}) => {
    const response = await run(tenant, name, body)
    return [response.body.is_cached, response.body.last_refresh]
  }

  it('returns a stored result until it expires', async () => {
    const { name } = await storedEndpoint(tenant)
    expect(await stateOf(name)).toEqual([false, '2026-03-10T12:00:00Z'])
    tenant.clock.advance({ minutes: 14, seconds: 59 })
    const { body } = await run(tenant, name)
    expect(body).toMatchObject({
      results: [[1], [2], [3], [4], [5]],
      is_cached: true,
      last_refresh: '2026-03-10T12:00:00Z',
      cache_target_age: '2026-03-10T12:15:00Z',
    })
    tenant.clock.advance({ seconds: 1 })
    expect(await stateOf(name)).toEqual([false, '2026-03-10T12:15:00Z'])
    expect(await stateOf(name)).toEqual([true, '2026-03-10T12:15:00Z'])
  })

  it('gives each run its own id', async () => {
    const { name } = await storedEndpoint(tenant)
    const [first, second] = [(await run(tenant, name)).body, (await run(tenant, name)).body]
    expect(second.is_cached).toBe(true)
    expect(second.execution_id).not.toBe(first.execution_id)
  })

  it('follows a freshness that has changed', async () => {
    const { name, versionId } = await storedEndpoint(tenant)
    await run(tenant, name)
    tenant.clock.advance({ minutes: 20 })
    await database()
      .update(endpointVersions)
      .set({ dataFreshnessSeconds: 3600 })
      .where(eq(endpointVersions.id, versionId))
    expect(await stateOf(name)).toEqual([true, '2026-03-10T12:00:00Z'])
  })

  it('is bypassed with `force`, which stores its result', async () => {
    const { name } = await storedEndpoint(tenant)
    await run(tenant, name)
    tenant.clock.advance({ minutes: 1 })
    expect(await stateOf(name, { refresh: 'force' })).toEqual([false, '2026-03-10T12:01:00Z'])
    expect(await stateOf(name, { refresh: 'cache' })).toEqual([true, '2026-03-10T12:01:00Z'])
    expect(await stateOf(name, { refresh: null })).toEqual([true, '2026-03-10T12:01:00Z'])
  })

  describe('of an organization', () => {
    const at = new Date('2026-03-10T12:00:00Z')
    const expiresAt = new Date(at.getTime() + 60_000)

    /** Stores so many results in another project of the organization, and a result in this one, which evicts. Returns the keys of both. */
    async function store(others: number, body: string, own: Env = env) {
      const { projectId: sibling } = await createTenant()
      await configureProject({ projectId: sibling }, { organizationId: tenant.organizationId })
      await shard()
        .run(sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${others})
        INSERT INTO endpoint_results (project_id, result_key, version_id, compilation, body, row_count, has_more, stored_at, expires_at)
        SELECT ${sibling}, 'key' || i, 'v', 1, ${body}, 0, 0, ${toStoredTimestamp(at)}, ${toStoredTimestamp(expiresAt)} FROM n`)
      const result: NewResult = {
        projectId: tenant.projectId,
        key: '0000',
        versionId: 'v',
        compilation: 1,
        body,
        rowCount: 0,
        hasMore: false,
        source: 'm_1',
        computedAt: at,
        expiresAt,
      }
      const databases = { db: database(), shard: shard(), env: own }
      for (const statement of await storeResult(databases, tenant.organizationId, result)) await statement
      const isOurs = inArray(endpointResults.projectId, [tenant.projectId, sibling])
      const stored = await shard().select({ key: endpointResults.key }).from(endpointResults).where(isOurs)
      return stored.map(({ key }) => key)
    }

    it('keeps the newest 10,000 of all projects, also where all expire at the same time', async () => {
      const keys = await store(10_080, '[]')
      expect(keys).toHaveLength(10_000)
      expect(keys).toEqual(expect.arrayContaining(['0000', 'key10080', 'key82']))
    })

    it('takes at most a twentieth of the shard', async () => {
      const keys = await store(12, 'é'.repeat(500), { ...env, DATABASE_MAX_BYTES: '200000' })
      expect(keys.toSorted()).toEqual(
        ['0000', ...[4, 5, 6, 7, 8, 9, 10, 11, 12].map((n) => `key${n}`)].toSorted(),
      )
    })
  })

  it('distinguishes different requests', async () => {
    const { name } = await storedEndpoint(tenant, withVariable)
    const requests = [
      {},
      { limit: 2 },
      { limit: 2, offset: 1 },
      { version: 1 },
      { variables: { v: 'a' } },
      { variables: { v: 'b' } },
      { variables: { v: null } },
    ]
    for (const expected of [false, true]) {
      for (const body of requests) expect((await run(tenant, name, body)).body.is_cached).toBe(expected)
    }
  })

  it('never returns the result of another version', async () => {
    const { name, id } = await storedEndpoint(tenant)
    await run(tenant, name)
    const two = numbers({
      sql: 'SELECT 2 AS c0 LIMIT ?1 OFFSET ?2',
      parameters: [{ kind: 'limit' }, { kind: 'offset' }],
    })
    await storedVersion(tenant, id, 2, { compiled: compiledVersion(two) })
    expect((await run(tenant, name)).body).toMatchObject({
      results: [[2]],
      is_cached: false,
      endpoint_version: 2,
    })
    expect((await run(tenant, name)).body).toMatchObject({
      results: [[2]],
      is_cached: true,
      endpoint_version: 2,
    })
  })

  it('never returns the result of another tenant', async () => {
    const other = await createTenant({ harness: tenant })
    const project = numbers({
      sql: 'SELECT ?1 AS c0 LIMIT ?2 OFFSET ?3',
      parameters: [{ kind: 'project' }, { kind: 'limit' }, { kind: 'offset' }],
    })
    for (const each of [tenant, other]) {
      await storedEndpoint(each, { compiled: compiledVersion(project) }, { name: 'same' })
    }
    for (const isCached of [false, true]) {
      for (const each of [tenant, other]) {
        const { body } = await each.post(`/api/projects/${each.projectId}/endpoints/same/run/`)
        expect(body).toMatchObject({ results: [[each.projectId]], is_cached: isCached })
      }
    }
  })

  it('stores no large results', async () => {
    const text = (bytes: number) =>
      numbers({
        sql: 'SELECT hex(zeroblob(?1 / 2)) AS c0 LIMIT ?2 OFFSET ?3',
        parameters: [{ kind: 'literal', value: bytes }, { kind: 'limit' }, { kind: 'offset' }],
      })
    for (const [bytes, isKept] of [
      [900_000, true],
      [1_100_000, false],
    ] as const) {
      const { name } = await storedEndpoint(tenant, { compiled: compiledVersion(text(bytes)) })
      await run(tenant, name)
      expect((await run(tenant, name)).body.is_cached).toBe(isKept)
    }
  })

  it('stores one row for two concurrent runs', async () => {
    const { name } = await storedEndpoint(tenant)
    const responses = await Promise.all([run(tenant, name), run(tenant, name)])
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    const rows = await shard()
      .select()
      .from(endpointResults)
      .where(eq(endpointResults.projectId, tenant.projectId))
    expect(rows).toHaveLength(1)
    expect((await run(tenant, name)).body.is_cached).toBe(true)
  })
})
