// Flags that a bulk delete rejects, and what it says about each: docs/reference/flags.md#bulk-operations.
import { describe, expect, it } from 'vitest'
import { partOf, replaceDatabase, withBatch } from '../../project/support'
import { dependsOn, where } from '../../support/filters'
import {
  configureProject,
  earlyAccessFeature,
  experiment,
  runningExperiment,
  storedFlag,
  survey,
} from '../../support/database/rows'
import { writeElsewhere } from '../../support/faults/flag-writer'
import { createTenant, type Tenant } from '../../support/tenant'

interface Flag {
  id: number
  key: string
}

const bulkDelete = async (tenant: Tenant, ...flags: Flag[]) =>
  (await tenant.post(tenant.flags('bulk_delete'), { ids: flags.map(({ id }) => id) })).body

const IN_FEATURES = 'Cannot delete a feature flag that is in use with early access features'
const IN_REPLAY =
  'This feature flag is used in session replay settings. Please remove it from replay settings before deleting.'
const running = (names: string) => `Cannot delete a feature flag linked to running experiment(s): ${names}`
const needed = (names: string) => `Cannot delete because other flags depend on it: ${names}`
const named = ({ id, key }: Flag) => `${key} (ID: ${id})`

/** A flag that looks at others. */
const dependent = (tenant: Tenant, key: string, ...on: Flag[]): Promise<Flag> =>
  tenant.flag({ key, filters: where(...on.map(({ id }) => dependsOn(String(id)))) })

const idsOf = (flags: Flag[]) => flags.map(({ id }) => id)

describe('bulk_delete rejects', () => {
  it('a flag behind an early-access feature', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'a' })
    await earlyAccessFeature(tenant, flag.id)
    await earlyAccessFeature(tenant, flag.id, 'Another')
    expect(await bulkDelete(tenant, flag)).toEqual({
      deleted: [],
      errors: [{ id: flag.id, key: 'a', reason: IN_FEATURES }],
    })
    expect(await storedFlag(flag.id)).toMatchObject({ deleted: false, key: 'a' })
  })

  it('a flag of running experiments, and names those that run', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'a' })
    const start = '2026-01-01T00:00:00.000000Z'
    await experiment(tenant, flag.id, { name: 'Draft' })
    const first = await runningExperiment(tenant, flag.id, 'First "quoted"')
    await experiment(tenant, flag.id, { name: 'Over', startDate: start, endDate: start })
    await experiment(tenant, flag.id, { name: 'Removed', startDate: start, deleted: true })
    const second = await runningExperiment(tenant, flag.id, 'Second')
    expect(await bulkDelete(tenant, flag)).toEqual({
      deleted: [],
      errors: [
        {
          id: flag.id,
          key: 'a',
          reason: running(`"First "quoted"" (ID: ${first}), "Second" (ID: ${second})`),
        },
      ],
    })
  })

  it('a flag that replay settings use', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'a' })
    await configureProject(tenant, { sessionRecordingLinkedFlagId: flag.id })
    expect(await bulkDelete(tenant, flag)).toEqual({
      deleted: [],
      errors: [{ id: flag.id, key: 'a', reason: IN_REPLAY }],
    })
  })

  it('a flag that others look at, and names three', async () => {
    const tenant = await createTenant()
    const [one, many] = [await tenant.flag({ key: 'one' }), await tenant.flag({ key: 'many' })]
    const by: Flag[] = []
    for (const key of ['d', 'b', 'a', 'e', 'c']) by.push(await dependent(tenant, key, many))
    const [d, b, a] = by as [Flag, Flag, Flag]
    const single = await dependent(tenant, 'single', one)
    expect(await bulkDelete(tenant, one, many)).toEqual({
      deleted: [],
      errors: [
        { id: one.id, key: 'one', reason: needed(named(single)) },
        {
          id: many.id,
          key: 'many',
          reason: needed(`${named(a)}, ${named(b)}, c (ID: ${by[4]!.id}), and 2 more`),
        },
      ],
    })
    await bulkDelete(tenant, d, b)
    expect((await bulkDelete(tenant, many)).errors[0].reason).toBe(
      needed([a, by[4]!, by[3]!].map(named).join(', ')),
    )
  })

  it('for the first reason in the order of the reference', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'a' })
    const by = await dependent(tenant, 'by', flag)
    await configureProject(tenant, { sessionRecordingLinkedFlagId: flag.id })
    const reason = async () => (await bulkDelete(tenant, flag)).errors[0].reason
    expect(await reason()).toBe(needed(named(by)))
    const id = await runningExperiment(tenant, flag.id)
    expect(await reason()).toBe(running(`"Trial" (ID: ${id})`))
    await earlyAccessFeature(tenant, flag.id)
    expect(await reason()).toBe(IN_FEATURES)
  })

  it('some flags of many, after unknown ids', async () => {
    const tenant = await createTenant()
    const [kept, gone] = [await tenant.flag({ key: 'kept' }), await tenant.flag({ key: 'gone' })]
    await earlyAccessFeature(tenant, kept.id)
    await survey(tenant, gone.id)
    const response = await tenant.post(tenant.flags('bulk_delete'), {
      ids: [kept.id, 999_999_999, gone.id, 'x'],
    })
    expect(response.body).toEqual({
      deleted: [{ id: gone.id, key: 'gone', rollout_state: 'not_rolled_out', active_variant: null }],
      errors: [
        { id: null, key: 'x', reason: 'Invalid flag ID format' },
        { id: 999_999_999, key: '', reason: 'Flag not found' },
        { id: kept.id, key: 'kept', reason: IN_FEATURES },
      ],
    })
  })
})

describe('dependents', () => {
  it('in the same batch do not count', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag({ key: 'base' })
    const middle = await dependent(tenant, 'middle', base)
    const top = await dependent(tenant, 'top', middle, base)
    const { deleted, errors } = await bulkDelete(tenant, base, top, middle)
    expect(errors).toEqual([])
    expect(idsOf(deleted)).toEqual(idsOf([base, middle, top]))
  })

  it('that are disabled or deleted do not count', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag({ key: 'base' })
    const off = await dependent(tenant, 'off', base)
    const gone = await dependent(tenant, 'gone', base)
    await tenant.patch(tenant.flags(off.id), { active: false })
    await tenant.patch(tenant.flags(gone.id), { deleted: true })
    expect(await bulkDelete(tenant, base)).toMatchObject({ deleted: [{ id: base.id }], errors: [] })
  })

  it('that are rejected themselves count, through any number of levels', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag({ key: 'base' })
    const middle = await dependent(tenant, 'middle', base)
    const top = await dependent(tenant, 'top', middle)
    const apart = await tenant.flag({ key: 'apart' })
    await earlyAccessFeature(tenant, top.id)
    const { deleted, errors } = await bulkDelete(tenant, base, middle, top, apart)
    expect(idsOf(deleted)).toEqual([apart.id])
    expect(errors).toEqual([
      { id: base.id, key: 'base', reason: needed(named(middle)) },
      { id: middle.id, key: 'middle', reason: needed(named(top)) },
      { id: top.id, key: 'top', reason: IN_FEATURES },
    ])
  })

  it('are all named, also those that turn out to stay', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag({ key: 'base' })
    const outside = await dependent(tenant, 'outside', base)
    const refused = await dependent(tenant, 'inside', base)
    const outer = await dependent(tenant, 'outer', refused)
    expect((await bulkDelete(tenant, base, refused)).errors).toEqual([
      { id: base.id, key: 'base', reason: needed(`${named(refused)}, ${named(outside)}`) },
      { id: refused.id, key: 'inside', reason: needed(named(outer)) },
    ])
  })

  it('that replay settings keep do count', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag({ key: 'base' })
    const top = await dependent(tenant, 'top', base)
    await configureProject(tenant, { sessionRecordingLinkedFlagId: top.id })
    expect((await bulkDelete(tenant, base, top)).errors).toEqual([
      { id: base.id, key: 'base', reason: needed(named(top)) },
      { id: top.id, key: 'top', reason: IN_REPLAY },
    ])
  })

  it('may be deleted before their dependencies', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag({ key: 'base' })
    const top = await dependent(tenant, 'top', base)
    await configureProject(tenant, { sessionRecordingLinkedFlagId: base.id })
    expect(await bulkDelete(tenant, base, top)).toMatchObject({
      deleted: [{ id: top.id }],
      errors: [{ id: base.id, key: 'base', reason: IN_REPLAY }],
    })
    expect(await storedFlag(base.id)).toMatchObject({ deleted: false })
  })

  it('that come into being between the decision and the write do count', async () => {
    const tenant = await createTenant()
    const [base, apart] = [await tenant.flag({ key: 'base' }), await tenant.flag({ key: 'apart' })]
    const top = await dependent(tenant, 'top', base)
    await tenant.patch(tenant.flags(top.id), { active: false })
    let isOvertaken = false
    await replaceDatabase(tenant, (real) =>
      withBatch(real, async (texts, run) => {
        if (partOf(texts) === 'deletion' && !isOvertaken) {
          isOvertaken = true
          expect(await writeElsewhere(tenant, { update: top.id, with: { active: true } })).toBe(200)
        }
        return run()
      }),
    )
    expect(await bulkDelete(tenant, base, apart)).toEqual({
      deleted: [{ id: apart.id, key: 'apart', rollout_state: 'not_rolled_out', active_variant: null }],
      errors: [{ id: base.id, key: 'base', reason: needed(named(top)) }],
    })
    expect(await storedFlag(base.id)).toMatchObject({ deleted: false })
  })

  it('never lose their dependencies, in any order of requests', async () => {
    for (let round = 0; round < 4; round += 1) {
      const tenant = await createTenant()
      const base = await tenant.flag({ key: 'base' })
      const [result, created] = await Promise.all([
        bulkDelete(tenant, base),
        tenant.post(tenant.flags(), { key: 'top', filters: where(dependsOn(String(base.id))) }),
      ])
      const isCreated = created.status === 201
      expect((await storedFlag(base.id))?.deleted).toBe(!isCreated)
      expect(idsOf(result.deleted)).toEqual(isCreated ? [] : [base.id])
    }
  })
})
