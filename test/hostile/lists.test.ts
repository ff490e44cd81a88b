// Lists whose length a caller, or the author of a flag, chooses: nothing is done for each pair of their members.
import { describe, expect, it } from 'vitest'
import { flagTags } from '../../drizzle'
import type { FeedDefinition } from '../../src/snapshots/definitions'
import { compile } from '../../src/evaluation/compile/compile'
import { evaluate } from '../../src/evaluation/evaluate'
import { applyRules } from '../../src/import/rules'
import { requirementsOf, unsettledFlags } from '../../src/evaluation/requirements'
import { createChains } from '../../src/sdk/dependency-chains'
import { MAX_TAGS } from '../../src/tags'
import { MAX_LIST_LENGTH } from '../../src/sdk/flags-request'
import { manyFlags } from '../support/database/rows'
import { refused, seen } from '../support/responses'
import { createTenant, database, type Tenant } from '../support/tenant'
import { expectLinear } from './growth-ratio'

/** A flag with its own person property, that depends on others. */
const flag = (id: number, dependsOn: readonly number[] = [], more: object = {}) => ({
  id,
  key: `flag-${id}`,
  active: true,
  filters: {
    groups: [
      {
        properties: [
          { key: `property-${id}`, type: 'person', operator: 'exact', value: 'x' },
          ...dependsOn.map((target) => ({
            key: String(target),
            type: 'flag',
            operator: 'flag_evaluates_to',
            value: true,
          })),
        ],
      },
    ],
  },
  ...more,
})
const setOf = (flags: object[]) =>
  compile({ flags: flags as never[], cohorts: [], group_type_mapping: {}, property_matching_version: 1 })

/** Each flag depends on the one before it. */
const CHAIN = Array.from({ length: 2_000 }, (_, index) => flag(index + 1, index === 0 ? [] : [index]))

describe('the evaluation contexts of a request', () => {
  it('are looked up, not searched: a flag reads its own', () => {
    const asked: string[] = []
    const contexts = new Set(Array.from({ length: 100_000 }, (_, index) => `context-${index}`))
    const has = contexts.has.bind(contexts)
    contexts.has = (name) => {
      asked.push(name)
      return has(name)
    }
    const flags = Array.from({ length: 40 }, (_, index) =>
      flag(index + 1, [], { evaluation_contexts: ['a', 'context-99999'] }),
    )
    const { flags: responses } = evaluate(
      setOf(flags),
      { distinctId: 'ada', personProperties: {} },
      { now: 0, timezone: 'UTC', evaluationContexts: contexts },
    )
    expect(responses.size).toBe(40)
    // Once to evaluate, once to collect, for each of two names.
    expect(asked.length).toBeLessThanOrEqual(40 * 2 * 2)
  })

  it.each(['evaluation_contexts', 'flag_keys'])('are at most 10,000, as are %s', async (field) => {
    const tenant = await createTenant()
    const ask = (length: number) =>
      tenant.send('POST', '/flags/?v=2', {
        body: {
          token: tenant.projectToken,
          distinct_id: 'ada',
          [field]: Array.from({ length }, (_, index) => String(index)),
        },
      })
    expect((await ask(MAX_LIST_LENGTH)).status).toBe(200)
    const response = await ask(MAX_LIST_LENGTH + 1)
    expect(response.status).toBe(400)
    expect(response.body).toEqual({
      type: 'validation_error',
      code: 'max_length',
      detail: 'Ensure this field has no more than 10000 elements.',
      attr: field,
    })
  })
})

describe('the tags of one thing', () => {
  const many = (length: number) => Array.from({ length }, (_, at) => `tag-${String(at).padStart(3, '0')}`)
  const query = { kind: 'HogQLQuery', query: 'SELECT 1' }

  const HOLDERS: Record<string, (tenant: Tenant, tags: string[]) => ReturnType<Tenant['post']>> = {
    'of a new flag': (tenant, tags) => tenant.post(tenant.flags(), { key: 'a', tags }),
    'of a flag': async (tenant, tags) => tenant.patch(tenant.flags((await tenant.flag()).id), { tags }),
    'of a new endpoint': (tenant, tags) => tenant.post(tenant.endpoints(), { name: 'a', query, tags }),
    'of an endpoint': async (tenant, tags) => {
      await tenant.post(tenant.endpoints(), { name: 'a', query })
      return tenant.patch(tenant.endpoints('a'), { tags })
    },
  }

  it.each(Object.entries(HOLDERS))('are at most 100: %s', async (_, send) => {
    expect((await send(await createTenant(), many(MAX_TAGS))).body.tags).toEqual(many(MAX_TAGS))
    expect(seen(await send(await createTenant(), many(MAX_TAGS + 1)))).toEqual(
      refused('tags', 'Ensure this field has no more than 100 elements.', 'max_length'),
    )
  })

  it('are at most 100 after a change of many flags, which changes all or none', async () => {
    const tenant = await createTenant()
    const [full, other] = [await tenant.flag({ tags: many(MAX_TAGS) }), await tenant.flag()]
    const change = (action: string, tags: string[]) =>
      tenant.post(tenant.flags('bulk_update_tags'), { ids: [full.id, other.id], action, tags })
    expect(seen(await change('add', ['x']))).toEqual(
      refused(
        'tags',
        'Ensure each flag has no more than 100 tags, of no more than 4,000 bytes together.',
        'max_length',
      ),
    )
    for (const each of [full, other]) expect((await tenant.get(tenant.flags(each.id))).body).toEqual(each)
    expect(await change('add', ['tag-007'])).toMatchObject({ status: 200 })
    expect(await change('set', many(MAX_TAGS))).toMatchObject({ status: 200 })
  })

  it('of a flag have at most 4,000 bytes, so that a tag for many flags writes little', async () => {
    const tenant = await createTenant()
    const long = (size: number) =>
      Array.from({ length: size }, (_, at) => `${at}`.padStart(2, '0').padEnd(100, 'é'))
    const bytes = (names: string[]) => new TextEncoder().encode(names.join('')).length
    const [most, more] = [long(20), long(21)]
    expect([bytes(most), bytes(more)]).toEqual([3_960, 4_158])
    const tooLong = refused(
      'tags',
      'Ensure the tags of a flag have no more than 4,000 bytes together.',
      'max_length',
    )
    expect(seen(await tenant.post(tenant.flags(), { key: 'a', tags: more }))).toEqual(tooLong)
    const { id } = await tenant.flag({ tags: most })
    expect(seen(await tenant.patch(tenant.flags(id), { tags: more }))).toEqual(tooLong)
    const change = (action: string, tags: string[]) =>
      tenant.post(tenant.flags('bulk_update_tags'), { ids: [id], action, tags })
    expect(seen(await change('set', more))).toEqual(tooLong)
    expect(seen(await change('add', [more.at(-1)!]))).toEqual(
      refused(
        'tags',
        'Ensure each flag has no more than 100 tags, of no more than 4,000 bytes together.',
        'max_length',
      ),
    )
    // Tags from before the limit stay, and can become fewer.
    await database()
      .insert(flagTags)
      .values({ flagId: id, projectId: tenant.projectId, name: more.at(-1)! })
    expect((await tenant.patch(tenant.flags(id), { name: 'Renamed', tags: more })).body.tags).toEqual(more)
    expect((await change('remove', [most[0]!])).body.updated).toEqual([{ id, tags: more.slice(1) }])
  })

  it('are read in proportion to their number by a change of many flags', async () => {
    const tenant = await createTenant()
    const ids = await manyFlags(tenant, 20)
    const rows = async (count: number) => {
      const change = (action: string, tags: string[]) =>
        tenant.post(tenant.flags('bulk_update_tags'), { ids, action, tags })
      await change('set', many(count))
      return (await change('add', ['x'])).line.d1_rows_read
    }
    const [few, all] = [await rows(9), await rows(MAX_TAGS - 1)]
    expect(all).toBeLessThan(11 * few)
  })
})

describe('a chain of 2,000 flags', () => {
  it('has requirements of the size of its flags', () => {
    const set = setOf(CHAIN)
    const requirements = requirementsOf(set)
    const keys = [...requirements.values()].reduce((sum, { personKeys }) => sum + personKeys.size, 0)
    expect(keys).toBe(2_000)
    let asked = 0
    const unsettled = unsettledFlags(set, requirements, ({ personKeys }) => {
      asked += 1
      return !personKeys.has('property-1000')
    })
    expect(asked).toBe(2_000)
    expect(unsettled.size).toBe(1_001)
  })

  it('is named in the feed as far as its bound allows', () => {
    const byId = new Map((CHAIN as unknown as FeedDefinition[]).map((each) => [each.id, each]))
    const chains = createChains(byId, 100_000)
    const lengths = CHAIN.map(({ id }) => chains.to(byId.get(id)!).length)
    expect(lengths.slice(0, 3)).toEqual([1, 2, 3])
    expect(lengths.at(-1)).toBe(0)
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(100_000 / 9)
  })
})

describe('flags in a circle', () => {
  it('wait for what any of them requires', () => {
    const set = setOf([flag(1, [2]), flag(2, [3]), flag(3, [1, 4], { active: false }), flag(4), flag(5)])
    const wanting = (key: string) => {
      const unsettled = unsettledFlags(set, requirementsOf(set), ({ personKeys }) => !personKeys.has(key))
      return [...unsettled].map(({ definition }) => definition.id).sort()
    }
    expect(wanting('property-2')).toEqual([1, 2, 3])
    // The third is off for everybody: nothing behind it counts.
    expect(wanting('property-3')).toEqual([])
    expect(wanting('property-4')).toEqual([4])
    expect(wanting('property-5')).toEqual([5])
  })
})

describe('a condition with many filters on one flag that failed', () => {
  it('is decided in one pass', () => {
    const filters = Array.from({ length: 20_000 }, () => ({
      key: '1',
      type: 'flag',
      operator: 'flag_evaluates_to',
      value: 'variant',
    }))
    const broken = { id: 1, key: 'broken', active: true, filters: 'nothing' }
    const dependent = (last: unknown) => ({
      id: 2,
      key: 'dependent',
      active: true,
      filters: { groups: [{ properties: [...filters, { ...filters[0], value: last }] }] },
    })
    const response = (last: unknown) =>
      evaluate(
        setOf([broken, dependent(last)]),
        { distinctId: 'ada', personProperties: {} },
        { now: 0, timezone: 'UTC' },
      ).flags.get('dependent')
    expect(response('variant')).toMatchObject({ failed: true })
    expect(response(true)).toMatchObject({ failed: true })
    // No variant is both: the flag is off, whatever the other one would have said.
    expect(response('other')).toMatchObject({ failed: false, enabled: false })
    expect(response(false)).toMatchObject({ failed: false, enabled: false })
  })
})

describe('cohorts of one name in an import', () => {
  const cohort = (key: string, names: readonly string[] = []) => ({
    kind: 'cohort' as const,
    key,
    value: {
      name: 'all',
      is_static: names.length === 0,
      filters: {
        properties: { type: 'AND', values: names.map((value) => ({ key: 'id', type: 'cohort', value })) },
      },
    },
    changes: [],
    problem: null,
  })

  it('keep their order, after those that they name', () => {
    const items = [cohort('all', ['all-4']), cohort('all-2'), cohort('all-3', ['all']), cohort('all-4')]
    const written = applyRules(items, () => [])
    expect(written.map(({ key }) => key)).toEqual(['all-2', 'all-4', 'all', 'all-3'])
    expect(written.filter(({ problem }) => problem !== null)).toEqual([])
  })

  it('take time in proportion to their number', () => {
    const many = (size: number) => Array.from({ length: size }, (_, at) => cohort(`all-${at}`))
    expectLinear(many, (items) => applyRules(items, () => []), 500)
  })
})
