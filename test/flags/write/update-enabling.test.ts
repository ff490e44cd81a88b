import { describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { dependsOn, inCohort, open, where } from '../../support/filters'
import { overwriteFlag } from '../../support/database/rows'
import { createTenant, type Tenant } from '../../support/tenant'

type Json = Record<string, unknown>

const update = async (tenant: Tenant, id: number, body: Json) =>
  seen(await tenant.patch(tenant.flags(id), body))

const needed = (dependents: string) =>
  refused(
    null,
    `Cannot disable this feature flag because other flags depend on it: ${dependents}. ` +
      'Please update or disable the dependent flags first.',
  )
const standsOn = (targets: string) =>
  refused(
    null,
    `Cannot enable this feature flag because it depends on disabled flags: ${targets}. ` +
      'Please enable the dependency flags first.',
  )

const keysOf = (tenant: Tenant, count: number, body: Json = {}) =>
  Promise.all(Array.from({ length: count }, (_, index) => tenant.flag({ key: `flag-${index}`, ...body })))

const printed = (flags: { id: number; key: string }[]) =>
  flags.map(({ id, key }) => `${key} (ID: ${id})`).join(', ')

describe('PATCH {active: false}', () => {
  it('is rejected while active flags depend on the flag', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag()
    const dependents = await keysOf(tenant, 6, { filters: where(dependsOn(base.id)) })
    expect(await update(tenant, base.id, { active: false })).toEqual(
      needed(`${printed(dependents.slice(0, 5))}, and 1 more`),
    )
    expect((await tenant.get(tenant.flags(base.id))).body).toMatchObject({ active: true, version: 1 })

    await update(tenant, dependents[1]!.id, { active: false })
    for (const { id } of dependents.slice(2)) await overwriteFlag(id, { active: false })
    expect(await update(tenant, base.id, { active: false })).toEqual(needed(printed(dependents.slice(0, 1))))
    await update(tenant, dependents[0]!.id, { deleted: true })
    expect(await update(tenant, base.id, { active: false })).toMatchObject({ status: 200 })
  })

  it('is rejected as disabling when it archives, too', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag()
    const top = await tenant.flag({ filters: where(dependsOn(base.id)) })
    expect(await update(tenant, base.id, { active: false, archived: true })).toEqual(needed(printed([top])))
  })

  it('needs no approval when the flag is inactive already', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag()
    await tenant.flag({ filters: where(dependsOn(base.id)) })
    await overwriteFlag(base.id, { active: false })
    expect(await update(tenant, base.id, { active: false })).toMatchObject({ status: 200 })
  })
})

describe('PATCH {active: true}', () => {
  /** Flags that are off, and one that looks at all of them and is off too. */
  async function sleeping(count: number) {
    const tenant = await createTenant()
    const targets = await keysOf(tenant, count)
    const top = await tenant.flag({ filters: where(...targets.map(({ id }) => dependsOn(id))) })
    for (const { id } of [top, ...targets]) await overwriteFlag(id, { active: false })
    return { tenant, targets, top }
  }

  it('ends a rollback', async () => {
    const tenant = await createTenant()
    const rolledBack = { active: false, performed_rollback: true }
    const flag = await tenant.flag(rolledBack)
    expect(flag).toMatchObject(rolledBack)
    const enabled = { active: true, performed_rollback: false }
    expect(await update(tenant, flag.id, { active: true })).toMatchObject({ status: 200, body: enabled })
  })

  it('is rejected while the flag depends on disabled flags', async () => {
    const { tenant, targets, top } = await sleeping(7)
    expect(await update(tenant, top.id, { active: true })).toEqual(
      standsOn(`${printed(targets.slice(0, 5))}, and 2 more`),
    )
    await update(tenant, targets[1]!.id, { active: true })
    for (const { id } of targets.slice(2)) await overwriteFlag(id, { active: true })
    expect(await update(tenant, top.id, { active: true })).toEqual(standsOn(printed(targets.slice(0, 1))))
    await update(tenant, targets[0]!.id, { active: true })
    expect(await update(tenant, top.id, { active: true })).toMatchObject({
      status: 200,
      body: { active: true },
    })
  })

  it('is not rejected for those that depend on the flag', async () => {
    const { tenant, targets } = await sleeping(1)
    expect(await update(tenant, targets[0]!.id, { active: true })).toMatchObject({ status: 200 })
  })

  it('is rejected while the flag depends on a deleted flag', async () => {
    const { tenant, targets, top } = await sleeping(1)
    const [base] = targets
    await update(tenant, base!.id, { deleted: true })
    const gone = (verb: string, named = printed([base!])) =>
      refused(
        null,
        `Cannot ${verb} this feature flag because it depends on deleted flags: ${named}. ` +
          'Please restore the dependency flags first, or change the conditions in the same request.',
      )
    expect(await update(tenant, top.id, { active: true })).toEqual(gone('enable'))
    // Whichever field turns it on.
    expect(await update(tenant, top.id, { deleted: true })).toMatchObject({ status: 200 })
    expect(await update(tenant, top.id, { active: true })).toMatchObject({ status: 200 })
    expect(await update(tenant, top.id, { deleted: false })).toEqual(gone('restore'))
    expect(await update(tenant, top.id, { deleted: false, active: false })).toMatchObject({ status: 200 })
    // Another flag takes the key of the deleted one, whose row goes.
    await tenant.flag({ key: base!.key })
    expect(await update(tenant, top.id, { active: true })).toEqual(gone('enable', `ID: ${base!.id}`))
    expect(await update(tenant, top.id, { active: true, filters: open() })).toMatchObject({ status: 200 })
  })

  it('is rejected while the flag depends on a deleted cohort', async () => {
    const tenant = await createTenant()
    const values = [{ type: 'OR', values: [{ type: 'person', key: 'a', operator: 'exact', value: ['b'] }] }]
    const cohorts = `/api/projects/${tenant.projectId}/cohorts/`
    const cohort = (
      await tenant.post(cohorts, { name: 'Staff', filters: { properties: { type: 'OR', values } } })
    ).body
    const top = await tenant.flag({ filters: where(inCohort(cohort.id)), active: false })
    expect((await tenant.patch(`${cohorts}${cohort.id}/`, { deleted: true })).status).toBe(200)
    const gone = (verb: string) =>
      refused(
        null,
        `Cannot ${verb} this feature flag because it depends on deleted cohorts: Staff (ID: ${cohort.id}). ` +
          'Please restore the cohorts first, or change the conditions in the same request.',
      )
    expect(await update(tenant, top.id, { active: true })).toEqual(gone('enable'))
    await update(tenant, top.id, { deleted: true, active: true })
    expect(await update(tenant, top.id, { deleted: false })).toEqual(gone('restore'))
    await tenant.patch(`${cohorts}${cohort.id}/`, { deleted: false })
    expect(await update(tenant, top.id, { deleted: false })).toMatchObject({ status: 200 })
  })

  it('goes by the conditions that come with it', async () => {
    const { tenant, targets, top } = await sleeping(1)
    expect(await update(tenant, top.id, { active: true, filters: where(dependsOn(targets[0]!.id)) })).toEqual(
      refused(
        'filters',
        `Cannot create dependency on disabled flag 'flag-0' (ID: ${targets[0]!.id}). ` +
          'Flag dependencies must reference active flags only.',
      ),
    )
    expect(await update(tenant, top.id, { active: true, filters: open() })).toMatchObject({ status: 200 })
  })

  it('needs no approval when the flag is active already', async () => {
    const { tenant, top } = await sleeping(1)
    await overwriteFlag(top.id, { active: true })
    expect(await update(tenant, top.id, { active: true })).toMatchObject({ status: 200 })
  })

  it('never meets a disabling that it would forbid', async () => {
    const { tenant, targets, top } = await sleeping(1)
    const base = targets[0]!
    for (let round = 0; round < 5; round += 1) {
      await update(tenant, base.id, { active: true })
      await Promise.all([
        update(tenant, top.id, { active: true }),
        update(tenant, base.id, { active: false }),
      ])
      const [above, below] = await Promise.all([top, base].map(({ id }) => tenant.get(tenant.flags(id))))
      expect(above!.body.active && !below!.body.active).toBe(false)
      await update(tenant, top.id, { active: false })
    }
  })
})

describe('PATCH {archived}', () => {
  const ENABLED = refused(
    null,
    'Cannot archive an enabled feature flag. Disable it first, or send active: false in the same request.',
  )
  const ARCHIVED = refused(null, 'Cannot enable an archived feature flag. Unarchive it first.')

  it('archives a flag that is inactive, or becomes it', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    expect(await update(tenant, flag.id, { archived: true })).toEqual(ENABLED)
    expect(await update(tenant, flag.id, { archived: true, active: false })).toMatchObject({
      status: 200,
      body: { archived: true, active: false, status: 'ARCHIVED' },
    })
  })

  it('leaves an archived flag inactive until it is unarchived', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ active: false, archived: true })
    expect(await update(tenant, flag.id, { active: true })).toEqual(ARCHIVED)
    expect(await update(tenant, flag.id, { archived: false })).toMatchObject({
      status: 200,
      body: { archived: false, active: false, status: 'ACTIVE' },
    })
    expect(await update(tenant, flag.id, { active: true })).toMatchObject({ status: 200 })
  })

  it('unarchives and enables in one update', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ active: false, archived: true })
    expect(await update(tenant, flag.id, { archived: false, active: true })).toMatchObject({
      status: 200,
      body: { archived: false, active: true },
    })
  })
})

describe('the flag as a whole', () => {
  const INCOMPATIBLE = refused(
    null,
    "Cannot enable 'persist across authentication steps' when using device ID bucketing. These features are incompatible.",
  )

  it('does not become bucketed by device and persistent', async () => {
    const tenant = await createTenant()
    const persistent = await tenant.flag({ ensure_experience_continuity: true })
    expect(await update(tenant, persistent.id, { bucketing_identifier: 'device_id' })).toEqual(INCOMPATIBLE)
    const byDevice = await tenant.flag({ bucketing_identifier: 'device_id' })
    expect(await update(tenant, byDevice.id, { ensure_experience_continuity: true })).toEqual(INCOMPATIBLE)
    expect(
      await update(tenant, byDevice.id, {
        ensure_experience_continuity: true,
        bucketing_identifier: 'distinct_id',
      }),
    ).toMatchObject({ status: 200 })
  })

  it('may stay so where it is stored', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ bucketing_identifier: 'device_id' })
    await overwriteFlag(flag.id, { ensureExperienceContinuity: true })
    expect(
      await update(tenant, flag.id, {
        name: 'x',
        bucketing_identifier: 'device_id',
        ensure_experience_continuity: true,
      }),
    ).toMatchObject({ status: 200 })
  })
})
