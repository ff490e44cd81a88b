// What an isolate keeps between requests is bounded in bytes, whatever callers make it see.
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createKnownProperties,
  MAX_DEFINITIONS,
  MAX_KNOWN_BYTES,
} from '../../src/analytics/capture/learn-properties'
import type { AuthenticatedKey } from '../../src/auth/api-keys'
import { createKeyCache, MAX_KEY_CACHE_BYTES } from '../../src/auth/key-cache'
import { compile } from '../../src/evaluation/compile/compile'
import { EvaluationContext } from '../../src/evaluation/context'
import { evaluate } from '../../src/evaluation/evaluate'
import { MAX_CACHED_RESULTS, ResultTable } from '../../src/evaluation/results'
import { flagBytes, MAX_DEFINITION_BYTES } from '../../src/snapshots/definition-quota'
import { createRequestMemory } from '../../src/http/limits/request-memory'
import { createTokenCache, MAX_TOKEN_CACHE_BYTES } from '../../src/sdk/token-cache'
import { MAX_SNAPSHOT_CACHE_BYTES } from '../../src/snapshots/snapshot-cache'
import { DEFAULT_STORE } from '../../src/storage/shards'
import { reader } from '../snapshots/support'
import { createTenant, type Tenant } from '../support/tenant'

const NOW = new Date('2026-04-02T10:00:00Z')

describe('keys, tokens and names of properties', () => {
  it('are kept up to a number of bytes', () => {
    const keys = createKeyCache(100_000)
    const tokens = createTokenCache(100_000)
    const names = createKnownProperties(100_000)
    const entry = (index: number) =>
      ({
        actor: { keyId: String(index), scopes: Array.from({ length: 300 }, () => 'feature_flag:read') },
      }) as unknown as AuthenticatedKey
    const project = {
      id: 1,
      organizationId: 'o',
      timezone: 'UTC',
      store: DEFAULT_STORE,
    }
    for (let index = 0; index < 500; index += 1) {
      keys.set(`key-${index}`, entry(index), NOW, keys.revision)
      tokens.set(`phc_${index}`.padEnd(200, 'x'), project, NOW)
      names.add(index, [{ owner: 'event', name: `name-${index}`.padEnd(200, 'x'), type: 'Numeric' }])
      expect(Math.max(keys.bytes, tokens.bytes, names.bytes)).toBeLessThanOrEqual(100_000)
    }
    expect(keys.get('key-499', NOW)).toEqual(entry(499))
    expect(keys.get('key-0', NOW)).toBeNull()
    keys.forget({ keyId: '499' })
    expect(keys.get('key-499', NOW)).toBeNull()
    expect(tokens.get('phc_499'.padEnd(200, 'x'), NOW)).toEqual({ project, isFresh: true })
    expect(names.of(499).names.get('event')!.size).toBe(1)
  })

  it('leave room for one project with as many definitions as it may have', () => {
    const names = createKnownProperties()
    const longest = Array.from({ length: MAX_DEFINITIONS }, (_, index) => ({
      owner: 'event' as const,
      name: String(index).padEnd(200, 'é'),
      type: 'Numeric' as const,
    }))
    names.add(1, longest)
    expect(names.of(1).remaining).toBe(0)
  })

  it('fit into an isolate together with snapshots, patterns and requests', () => {
    const total = MAX_KEY_CACHE_BYTES * 2 + MAX_TOKEN_CACHE_BYTES + MAX_KNOWN_BYTES + MAX_SNAPSHOT_CACHE_BYTES
    expect(total).toBeLessThanOrEqual(64 * 1024 * 1024)
  })
})

describe('the answers of a flag', () => {
  it('are kept up to a number, and the same ones beyond it', () => {
    const table = new ResultTable(
      {},
      Array.from({ length: 100 }, (_, index) => `variant-${index}`),
    )
    const ask = (condition: number, variant: number) => table.match(condition, variant)
    const first = ask(0, 0)
    for (let condition = 0; condition < 100; condition += 1)
      for (let variant = 0; variant < 100; variant += 1) ask(condition, variant)
    expect(ask(0, 0)).toBe(first)
    // A result that is not kept is made each time.
    expect(ask(99, 99)).not.toBe(ask(99, 99))
    fc.assert(
      fc.property(fc.nat(99), fc.nat(99), (condition, variant) => {
        expect(ask(condition, variant)).toMatchObject({
          value: `variant-${variant}`,
          reason: { code: 'condition_match', condition_index: condition },
        })
        expect(table.rolledOut(condition).reason).toEqual({
          code: 'out_of_rollout_bound',
          condition_index: condition,
        })
        expect(table.unmatched(condition, null).reason).toEqual({
          code: 'no_condition_match',
          condition_index: condition,
        })
      }),
    )
    expect(MAX_CACHED_RESULTS).toBeLessThanOrEqual(64)
  })
})

describe('the key of a group', () => {
  const set = compile({
    flags: Array.from({ length: 200 }, (_, index) => ({
      id: index + 1,
      key: `flag-${index}`,
      active: true,
      filters: { groups: [{ properties: [], rollout_percentage: 50 }], aggregation_group_type_index: 0 },
    })),
    cohorts: [],
    group_type_mapping: { 0: 'company' },
    property_matching_version: 1,
  })
  const responses = (key: string) =>
    evaluate(
      set,
      { distinctId: 'ada', personProperties: {}, groups: { company: key } },
      { now: 0, timezone: 'UTC' },
    )

  it('is hashed by as many flags as the work of one evaluation allows', () => {
    const { flags, errorsWhileComputingFlags } = responses('x'.repeat(1_000_000))
    const failed = [...flags.values()].filter((flag) => flag.failed)
    expect(failed.length).toBeGreaterThan(100)
    expect(failed[0]!.reason.code).toBe('timeout')
    expect(errorsWhileComputingFlags).toBe(true)
    expect(responses('x'.repeat(1_000)).errorsWhileComputingFlags).toBe(false)
    expect(
      new EvaluationContext(
        set,
        { distinctId: '', personProperties: {} },
        { now: 0, timezone: 'UTC' },
      ).groupKey(0),
    ).toBe('')
  })
})

describe('snapshots', () => {
  async function tenantWith(flags: number, values: number): Promise<Tenant> {
    const tenant = await createTenant()
    for (let index = 0; index < flags; index += 1) {
      const value = Array.from({ length: values }, (_, place) => `value-${index}-${place}`)
      await tenant.flag({
        key: `flag-${index}`,
        filters: { groups: [{ properties: [{ key: 'plan', type: 'person', operator: 'exact', value }] }] },
      })
    }
    return tenant
  }

  it('are kept up to a number of bytes; one that is larger is kept alone', async () => {
    const [small, large] = [await tenantWith(1, 5), await tenantWith(1, 2_000)]
    const memory = createRequestMemory()
    const edge = reader(small, { maxBytes: 50_000, memory: memory.open() })
    expect((await edge.load(large.projectId))!.snapshot.flags).toHaveLength(1)
    expect([edge.cache.snapshots.size, edge.cache.snapshots.weight]).toEqual([1, 50_000])
    await edge.load(large.projectId)
    expect(edge.calls.filter((call) => call === 'document')).toHaveLength(1)
    expect(memory.reserved).toBeGreaterThan(50_000)
    expect((await edge.load(small.projectId))!.snapshot.flags).toHaveLength(1)
    expect(edge.cache.snapshots.size).toBe(1)
    expect(edge.cache.snapshots.weight).toBeLessThanOrEqual(50_000)
  })

  it('that are larger than the cache are compiled one at a time', async () => {
    const large = await tenantWith(1, 2_000)
    const memory = createRequestMemory(100_000)
    const other = memory.open()
    other.take(200_000)
    const edge = reader(large, { maxBytes: 50_000, memory: memory.open() })
    await expect(edge.load(large.projectId)).rejects.toMatchObject({ status: 503, code: 'overloaded' })
    other.release()
    expect((await edge.load(large.projectId))!.snapshot.flags).toHaveLength(1)
  })

  it('weigh more by their values than by their text', async () => {
    const [texts, values] = [await tenantWith(1, 1), await tenantWith(1, 1_000)]
    const edge = reader(texts)
    await edge.load(values.projectId)
    const { weight } = edge.cache.snapshots
    const text = JSON.stringify((await edge.load(values.projectId))!.snapshot)
    expect(weight).toBeGreaterThan(text.length + 1_000 * 50)
  })
})

describe('the flags of a project', () => {
  const payload = (bytes: number) => ({
    groups: [{ properties: [] }],
    payloads: { true: JSON.stringify('x'.repeat(bytes)) },
  })

  it('are bounded together when they are written', async () => {
    const tenant = await createTenant()
    const count = Math.floor(MAX_DEFINITION_BYTES / 1_505_000)
    for (let index = 0; index < count; index += 1)
      await tenant.flag({ key: `large-${index}`, filters: payload(500_000) })
    const response = await tenant.post(tenant.flags(), { key: 'one-more', filters: payload(500_000) })
    expect(response.status).toBe(400)
    const stored = await env.DB.prepare('SELECT definition_bytes AS bytes FROM projects WHERE id = ?')
      .bind(tenant.projectId)
      .first<{ bytes: number }>()
    const bytes = ((count + 1) / count) * stored!.bytes
    expect(response.body).toEqual({
      type: 'validation_error',
      code: 'invalid_input',
      detail:
        `The flags and cohorts of this project would count for ${bytes} bytes, and may count for 50000000 at most: ` +
        'a flag for 4000, a cohort for 1000, and their text for 3 a byte, or, where it is more, for 1 a byte and 50 for each JSON value of filters. ' +
        'Delete flags and cohorts that are not used, or shorten payloads and lists of values.',
      attr: 'filters',
    })
    // A small flag needs no look at the others, and a large one may become smaller.
    const small = await tenant.flag({ key: 'small' })
    expect((await tenant.patch(tenant.flags(small.id), { filters: payload(500_000) })).status).toBe(400)
    const [large] = (await tenant.get(`${tenant.flags()}?search=large-0`)).body.results
    expect((await tenant.patch(tenant.flags(large.id), { filters: payload(400_000) })).status).toBe(200)
    // A deleted flag counts again when it is restored.
    await tenant.patch(tenant.flags(large.id), { deleted: true })
    expect((await tenant.patch(tenant.flags(small.id), { filters: payload(500_000) })).status).toBe(200)
    expect((await tenant.patch(tenant.flags(large.id), { deleted: false })).status).toBe(400)
  })

  it('are bounded with their evaluation contexts', async () => {
    const tenant = await createTenant()
    const count = Math.floor(MAX_DEFINITION_BYTES / 1_505_000)
    for (let index = 0; index < count; index += 1) await tenant.flag({ filters: payload(500_000) })
    const { id } = await tenant.flag({
      filters: payload((MAX_DEFINITION_BYTES - count * 1_504_300 - 20_000) / 3),
    })
    const contexts = Array.from({ length: 50 }, (_, index) => String(index).padStart(250, 'x'))
    const refused = await tenant.patch(tenant.flags(id), { evaluation_contexts: contexts })
    expect({ status: refused.status, attr: refused.body.attr }).toEqual({ status: 400, attr: 'filters' })
    const taken = await tenant.patch(tenant.flags(id), { evaluation_contexts: contexts.slice(0, 5) })
    expect(taken.status).toBe(200)
  })

  it('are bounded together when they are written and restored concurrently', async () => {
    const tenant = await createTenant()
    const most = Math.floor(MAX_DEFINITION_BYTES / 1_505_000)
    const gone: { id: number }[] = []
    for (let index = 0; index < 4; index += 1) gone.push(await tenant.flag({ filters: payload(500_000) }))
    await tenant.post(tenant.flags('bulk_delete'), { ids: gone.map(({ id }) => id) })
    for (let index = 0; index < most - 2; index += 1) await tenant.flag({ filters: payload(500_000) })
    const responses = await Promise.all([
      ...gone.map(({ id }) => tenant.patch(tenant.flags(id), { deleted: false })),
      ...[1, 2].map((index) =>
        tenant.post(tenant.flags(), { key: `new-${index}`, filters: payload(500_000) }),
      ),
    ])
    expect(responses.filter(({ status }) => status < 300)).toHaveLength(2)
    for (const { status, body } of responses.filter((response) => response.status >= 300)) {
      expect([status, body.attr]).toEqual([400, 'filters'])
    }
  })

  it('are refused when they grow and exceeded the bound before, and served', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.flag({ key: 'old', filters: payload(2_000) })
    await env.DB.prepare('UPDATE projects SET definition_bytes = ? WHERE id = ?')
      .bind(2 * MAX_DEFINITION_BYTES, tenant.projectId)
      .run()
    for (const filters of [payload(2_000), payload(1_000)])
      expect((await tenant.patch(tenant.flags(id), { filters })).status).toBe(200)
    const grown = await tenant.patch(tenant.flags(id), { filters: payload(1_001) })
    const added = await tenant.post(tenant.flags(), { key: 'new' })
    const cohort = await tenant.post(`/api/projects/${tenant.projectId}/cohorts/`, {
      is_static: true,
      _create_static_person_ids: [],
    })
    for (const { status, body } of [grown, added, cohort]) {
      expect([status, body.attr]).toEqual([400, 'filters'])
      expect(body.detail).toContain(`may count for ${MAX_DEFINITION_BYTES} at most`)
    }
    expect((await reader(tenant).load(tenant.projectId))!.snapshot.flags).toHaveLength(1)
  })

  it('are compiled once for many requests, as many as they may be', async () => {
    const tenant = await createTenant()
    const value = Array.from({ length: 58_000 }, (_, index) => `${index}`)
    const short = { groups: [{ properties: [{ key: 'plan', type: 'person', operator: 'exact', value }] }] }
    const create = (key: string, filters: object) => tenant.post(tenant.flags(), { key, filters })
    let created = 0
    while ((await create(`short-${created}`, short)).status === 201) created += 1
    for (let [index, bytes] = [0, 500_000]; bytes > 1_000; index += 1)
      if ((await create(`payload-${index}`, payload(bytes))).status === 400) bytes = Math.floor(bytes / 2)
    const edge = reader(tenant)
    for (let reads = 0; reads < 3; reads += 1)
      expect((await edge.load(tenant.projectId))!.compiled.flags.length).toBeGreaterThan(created)
    expect(edge.calls.filter((call) => call === 'document')).toHaveLength(1)
    expect(edge.cache.snapshots.weight).toBeGreaterThan(0.99 * MAX_DEFINITION_BYTES)
    expect(edge.cache.snapshots.weight).toBeLessThanOrEqual(MAX_SNAPSHOT_CACHE_BYTES)
  }, 60_000)

  it('may be 2,000 flags with 8 MiB of conditions', () => {
    const properties = Array.from({ length: 5 }, (_, index) => ({
      key: `property_${index}`,
      type: 'person',
      operator: 'exact',
      value: ['first value', 'second value'],
    }))
    const groups = Array.from({ length: 8 }, () => ({ properties, rollout_percentage: 50, variant: null }))
    const filters = { groups, multivariate: null, payloads: {}, aggregation_group_type_index: null }
    expect(2_000 * JSON.stringify(filters).length).toBeGreaterThan(8 * 1024 * 1024)
    expect(2_000 * flagBytes({ filters, name: 'A flag with a name', contexts: [] })).toBeLessThanOrEqual(
      MAX_DEFINITION_BYTES,
    )
  })
})
