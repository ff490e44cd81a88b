import { beforeAll, describe, expect, it } from 'vitest'
import { flagDependencies } from '../../../drizzle'
import { refused, seen } from '../../support/responses'
import { dependsOn, open, variants, where } from '../../support/filters'
import { overwriteFlag } from '../../support/database/rows'
import { createTenant, database, type Tenant } from '../../support/tenant'

type Json = Record<string, unknown>

const create = async (tenant: Tenant, ...properties: Json[]) =>
  seen(
    await tenant.post(tenant.flags(), {
      key: 'top',
      _should_create_usage_dashboard: false,
      filters: where(...properties),
    }),
  )

const point = async (tenant: Tenant, from: number, ...to: number[]) =>
  seen(await tenant.patch(tenant.flags(from), { filters: where(...to.map((id) => dependsOn(id))) }))

const missing = (id: unknown) =>
  refused('filters', `Flag dependency references non-existent flag with ID ${id}`)
const disabled = ({ id, key }: { id: number; key: string }) =>
  refused(
    'filters',
    `Cannot create dependency on disabled flag '${key}' (ID: ${id}). Flag dependencies must reference active flags only.`,
  )
const circular = (...keys: string[]) =>
  refused('filters', `Circular dependency detected: ${keys.join(' → ')}`)

describe('a flag that looks at another', () => {
  let empty: Tenant
  beforeAll(async () => {
    empty = await createTenant()
  })

  it('names it by id, as a number or as text', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag({ filters: variants({ 'variant-a': 100 }) })
    for (const value of [true, false, 'variant-a']) {
      const flag = await tenant.flag({
        filters: where(
          dependsOn(base.id, { value }),
          dependsOn(String(base.id), { value }),
          dependsOn(`00${base.id}`, { value }),
        ),
      })
      expect(flag.filters.groups[0].properties).toEqual([
        dependsOn(String(base.id), { value }),
        dependsOn(String(base.id), { value }),
        dependsOn(String(base.id), { value }),
      ])
    }
  })

  it.each([['checkout'], ['1.5'], [''], ['-1'], [' 1'], ['0x1'], [1.5], ['9'.repeat(40)]])(
    'does not name it %j',
    async (key) => {
      expect(await create(empty, dependsOn(key))).toEqual(
        refused(
          'filters',
          `Flag dependencies must reference flag IDs (integers), not flag keys. Invalid reference: '${key}'`,
        ),
      )
    },
  )

  it('finds it among the live flags of its project', async () => {
    const tenant = await createTenant()
    const gone = await tenant.flag()
    await tenant.patch(tenant.flags(gone.id), { deleted: true })
    const foreign = await (await createTenant()).flag()
    for (const id of [gone.id, foreign.id, 999_999]) {
      expect(await create(tenant, dependsOn(id))).toEqual(missing(id))
    }
  })

  it('finds it enabled', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag({ active: false })
    expect(await create(tenant, dependsOn(base.id))).toEqual(disabled(base))
  })

  it('finds everything enabled and present that it leads to', async () => {
    const tenant = await createTenant()
    const bottom = await tenant.flag()
    const middle = await tenant.flag({ filters: where(dependsOn(bottom.id)) })
    await overwriteFlag(bottom.id, { active: false })
    expect(await create(tenant, dependsOn(middle.id))).toEqual(disabled(bottom))
    await overwriteFlag(bottom.id, { active: true, deleted: true })
    expect(await create(tenant, dependsOn(middle.id))).toEqual(missing(bottom.id))
  })

  it('reports the first error', async () => {
    const tenant = await createTenant()
    const off = await tenant.flag({ active: false })
    expect(await create(tenant, dependsOn(999_998), dependsOn(off.id))).toEqual(missing(999_998))
    expect(await create(tenant, dependsOn(off.id), dependsOn(999_998))).toEqual(disabled(off))
  })

  it('may reach the same flag on two ways', async () => {
    const tenant = await createTenant()
    const bottom = await tenant.flag()
    const left = await tenant.flag({ filters: where(dependsOn(bottom.id)) })
    const right = await tenant.flag({ filters: where(dependsOn(bottom.id)) })
    expect(await create(tenant, dependsOn(left.id), dependsOn(right.id))).toMatchObject({ status: 201 })
  })

  it('may be inactive itself', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag()
    expect(await tenant.flag({ active: false, filters: where(dependsOn(base.id)) })).toMatchObject({
      active: false,
    })
  })
})

describe('the value of another flag', () => {
  it('is one that it can have', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag({
      key: 'base',
      filters: variants({ a: 50, b: 50 }, { holdout: { id: 7, exclusion_percentage: 10 } }),
    })
    const plain = await tenant.flag({ key: 'plain' })
    for (const value of ['A', 'c', 'true', 'false', '', 1, null, ['a'], {}]) {
      expect(
        await create(tenant, dependsOn(base.id, { value: true }), dependsOn(base.id, { value })),
      ).toEqual(
        refused(
          'filters',
          `groups[0].properties[1].value: Flag 'base' (ID: ${base.id}) never evaluates to ${JSON.stringify(value)}. ` +
            'Valid values: true, false, "a", "b", "holdout-7".',
          'invalid_value',
        ),
      )
    }
    expect(await create(tenant, dependsOn(plain.id, { value: 'a' }))).toEqual(
      refused(
        'filters',
        `groups[0].properties[0].value: Flag 'plain' (ID: ${plain.id}) never evaluates to "a". Valid values: true, false.`,
        'invalid_value',
      ),
    )
    expect(await create(tenant, dependsOn(base.id, { value: 'holdout-7' }))).toMatchObject({ status: 201 })
  })

  it('names twenty of many', async () => {
    const tenant = await createTenant()
    const shares = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`v${at}`, 4]))
    const base = await tenant.flag({ filters: variants(shares) })
    expect(await create(tenant, dependsOn(base.id, { value: 'w' }))).toMatchObject({
      body: { detail: expect.stringMatching(/"v16", "v17", and 7 more\.$/) },
    })
  })

  it('stays while an enabled flag expects it', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag({ filters: variants({ a: 50, b: 50 }) })
    const top = await tenant.flag({ key: 'top', filters: where(dependsOn(base.id, { value: 'b' })) })
    const change = async (filters: Json) => seen(await tenant.patch(tenant.flags(base.id), { filters }))
    const kept = refused(
      'filters',
      `Cannot remove the variant 'b' because other flags depend on it: top (ID: ${top.id}). ` +
        'Please update or disable the dependent flags first.',
    )
    expect(await change(variants({ a: 100 }))).toEqual(kept)
    expect(await change(open())).toEqual(kept)
    expect(await change(variants({ b: 100 }))).toMatchObject({ status: 200 })

    await tenant.patch(tenant.flags(top.id), { active: false })
    expect(await change(variants({ a: 100 }))).toMatchObject({ status: 200 })
    expect(seen(await tenant.patch(tenant.flags(top.id), { active: true }))).toEqual(
      refused(
        null,
        `Cannot enable this feature flag because it depends on missing variants: b of ${base.key} (ID: ${base.id}). ` +
          'Please add the variants first, or change the conditions in the same request.',
      ),
    )
    const filters = where(dependsOn(base.id, { value: 'a' }))
    expect(await tenant.patch(tenant.flags(top.id), { active: true, filters })).toMatchObject({ status: 200 })
  })
})

describe('a circle of flags', () => {
  it('is rejected for one flag', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'a' })
    expect(await point(tenant, flag.id, flag.id)).toEqual(
      refused('filters', "Feature flag 'a' cannot depend on itself"),
    )
  })

  it('is rejected for two and for more', async () => {
    const tenant = await createTenant()
    const a = await tenant.flag({ key: 'a' })
    const b = await tenant.flag({ key: 'b', filters: where(dependsOn(a.id)) })
    const c = await tenant.flag({ key: 'c', filters: where(dependsOn(b.id)) })
    expect(await point(tenant, a.id, b.id)).toEqual(circular('a', 'b', 'a'))
    expect(await point(tenant, a.id, c.id)).toEqual(circular('a', 'c', 'b', 'a'))
    expect(await point(tenant, b.id, c.id)).toEqual(circular('b', 'c', 'b'))
    expect((await tenant.get(tenant.flags(a.id))).body).toMatchObject({ filters: { groups: [] }, version: 1 })
  })

  it('uses the key that the flag is about to get', async () => {
    const tenant = await createTenant()
    const a = await tenant.flag({ key: 'a' })
    const b = await tenant.flag({ key: 'b', filters: where(dependsOn(a.id)) })
    const response = await tenant.patch(tenant.flags(a.id), { key: 'z', filters: where(dependsOn(b.id)) })
    expect(seen(response)).toEqual(circular('z', 'b', 'z'))
  })

  it('is rejected where it was stored by other means, without an endless loop', async () => {
    const tenant = await createTenant()
    const a = await tenant.flag({ key: 'a' })
    const b = await tenant.flag({ key: 'b', filters: where(dependsOn(a.id)) })
    await database().insert(flagDependencies).values({ flagId: a.id, dependsOnId: b.id })
    expect(await create(tenant, dependsOn(a.id))).toEqual(circular('a', 'b', 'a'))
  })

  it('cannot be closed by two concurrent writes', async () => {
    const tenant = await createTenant()
    const [a, b] = [await tenant.flag({ key: 'a' }), await tenant.flag({ key: 'b' })]
    const responses = await Promise.all([point(tenant, a.id, b.id), point(tenant, b.id, a.id)])
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400])
    const lost = responses.find(({ status }) => status === 400)
    expect([circular('a', 'b', 'a'), circular('b', 'a', 'b')]).toContainEqual(lost)
  })
})

describe('two concurrent writes', () => {
  it('never leave a new flag on a disabled one', async () => {
    const tenant = await createTenant()
    for (let round = 0; round < 5; round += 1) {
      const base = await tenant.flag()
      const [off, made] = await Promise.all([
        tenant.patch(tenant.flags(base.id), { active: false }),
        tenant.post(tenant.flags(), { key: `top-${round}`, filters: where(dependsOn(base.id)) }),
      ])
      expect([
        [200, 400],
        [400, 201],
      ]).toContainEqual([off.status, made.status])
    }
  })

  it('never leave a changed flag on a deleted one', async () => {
    const tenant = await createTenant()
    for (let round = 0; round < 5; round += 1) {
      const [base, top] = [await tenant.flag(), await tenant.flag()]
      const [gone, pointed] = await Promise.all([
        tenant.patch(tenant.flags(base.id), { deleted: true }),
        point(tenant, top.id, base.id),
      ])
      expect([gone.status, pointed.status].toSorted()).toEqual([200, 400])
    }
  })
})

describe('a flag that looks at none', () => {
  it('forgets the flags that it looked at', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag()
    const top = await tenant.flag({ filters: where(dependsOn(base.id)) })
    expect((await tenant.get(tenant.flags(`${base.id}/dependent_flags`))).body).toHaveLength(1)
    await tenant.patch(tenant.flags(top.id), { filters: open() })
    expect((await tenant.get(tenant.flags(`${base.id}/dependent_flags`))).body).toEqual([])
  })
})
