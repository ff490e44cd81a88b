import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { earlyAccessFeatures, experiments } from '../../../drizzle'
import { refused, seen } from '../../support/responses'
import { dependsOn, where } from '../../support/filters'
import {
  configureProject,
  earlyAccessFeature,
  experiment,
  overwriteFlag,
  runningExperiment,
  storedFlag,
} from '../../support/database/rows'
import { createTenant, database, type Tenant } from '../../support/tenant'

type Json = Record<string, unknown>

const update = async (tenant: Tenant, id: number, body: Json) =>
  seen(await tenant.patch(tenant.flags(id), body))
const remove = (tenant: Tenant, id: number) => update(tenant, id, { deleted: true })
const restore = (tenant: Tenant, id: number) => update(tenant, id, { deleted: false })

const EARLY_ACCESS = refused(
  null,
  'Cannot delete a feature flag that is in use with early access features. ' +
    'Please delete the early access feature before deleting the flag.',
)
const running = (experimentList: string) =>
  refused(
    null,
    `Cannot delete a feature flag that is linked to running experiment(s): ${experimentList}. ` +
      'Please stop the experiment(s) before deleting the flag.',
  )
const needed = (dependents: string) =>
  refused(
    null,
    `Cannot delete this feature flag because other flags depend on it: ${dependents}. ` +
      'Please update or disable the dependent flags first.',
  )
const REPLAY = refused(
  null,
  'This feature flag is used in session replay settings. Please remove it from replay settings before deleting.',
)

describe('PATCH {deleted: true}', () => {
  it('deletes the flag and leaves everything else of it', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'checkout', tags: ['a'], evaluation_contexts: ['web'] })
    expect(await remove(tenant, flag.id)).toEqual({
      status: 200,
      body: { ...flag, deleted: true, status: 'DELETED', version: 2 },
    })
    expect((await tenant.get(tenant.flags())).body.count).toBe(0)
  })

  it('may be repeated, and then changes the version only', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    await remove(tenant, flag.id)
    await earlyAccessFeature(tenant, flag.id)
    expect(await remove(tenant, flag.id)).toMatchObject({ status: 200, body: { deleted: true, version: 3 } })
  })

  it('is rejected while an early-access feature is linked', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    await earlyAccessFeature(tenant, flag.id)
    expect(await remove(tenant, flag.id)).toEqual(EARLY_ACCESS)
    expect((await tenant.get(tenant.flags(flag.id))).body).toMatchObject({ deleted: false, version: 1 })
  })

  it('is rejected while experiments run', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const first = await runningExperiment(tenant, flag.id, 'Blue')
    expect(await remove(tenant, flag.id)).toEqual(running(`"Blue" (ID: ${first})`))
    const second = await runningExperiment(tenant, flag.id, 'Red')
    expect(await remove(tenant, flag.id)).toEqual(running(`"Blue" (ID: ${first}), "Red" (ID: ${second})`))
  })

  it.each([
    ['drafts', {}],
    ['ended', { startDate: '2026-01-01T00:00:00.000000Z', endDate: '2026-02-01T00:00:00.000000Z' }],
    ['deleted', { startDate: '2026-01-01T00:00:00.000000Z', deleted: true }],
  ])('is not refused for experiments that are %s', async (_, fields) => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'checkout' })
    await experiment(tenant, flag.id, fields)
    expect(await remove(tenant, flag.id)).toMatchObject({
      status: 200,
      body: { key: `checkout:deleted:${flag.id}`, deleted: true },
    })
  })

  it('is rejected while active flags depend on it', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const made: { id: number; key: string }[] = []
    for (const key of ['f', 'c', 'a', 'e', 'b', 'd', 'g']) {
      made.push(await tenant.flag({ key, filters: where(dependsOn(flag.id)) }))
    }
    const inOrder = made.toSorted((a, b) => (a.key < b.key ? -1 : 1))
    const first = inOrder.slice(0, 5).map(({ key, id }) => `${key} (ID: ${id})`)
    expect(await remove(tenant, flag.id)).toEqual(needed(`${first.join(', ')}, and 2 more`))

    for (const { id } of inOrder.slice(5)) await update(tenant, id, { active: false })
    expect(await remove(tenant, flag.id)).toEqual(needed(first.join(', ')))
    for (const { id } of inOrder.slice(1, 5)) await remove(tenant, id)
    expect(await remove(tenant, flag.id)).toEqual(needed(first[0]!))
    await update(tenant, inOrder[0]!.id, { filters: { groups: [] } })
    expect(await remove(tenant, flag.id)).toMatchObject({ status: 200 })
  })

  it('is rejected while session replay looks at it', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    await configureProject(tenant, { sessionRecordingLinkedFlagId: flag.id })
    expect(await remove(tenant, flag.id)).toEqual(REPLAY)
    expect((await tenant.get(tenant.flags(flag.id))).body.is_used_in_replay_settings).toBe(true)
  })

  it('is rejected for the first of several reasons', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const featureId = await earlyAccessFeature(tenant, flag.id)
    const experimentId = await runningExperiment(tenant, flag.id)
    const dependent = await tenant.flag({ filters: where(dependsOn(flag.id)) })
    await configureProject(tenant, { sessionRecordingLinkedFlagId: flag.id })

    expect(await remove(tenant, flag.id)).toEqual(EARLY_ACCESS)
    await database().delete(earlyAccessFeatures).where(eq(earlyAccessFeatures.id, featureId))
    expect(await remove(tenant, flag.id)).toEqual(running(`"Trial" (ID: ${experimentId})`))
    await database().delete(experiments).where(eq(experiments.id, experimentId))
    expect(await remove(tenant, flag.id)).toEqual(needed(`${dependent.key} (ID: ${dependent.id})`))
    await remove(tenant, dependent.id)
    expect(await remove(tenant, flag.id)).toEqual(REPLAY)
  })
})

describe('the key of a deleted flag', () => {
  it('is kept when no experiment refers to it', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'checkout' })
    expect(await remove(tenant, flag.id)).toMatchObject({ body: { key: 'checkout' } })
    expect(await restore(tenant, flag.id)).toEqual({ status: 200, body: { ...flag, version: 3 } })
  })

  it('is set aside and given back when one does', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'checkout' })
    await experiment(tenant, flag.id)
    await remove(tenant, flag.id)
    expect(await storedFlag(flag.id)).toMatchObject({ key: `checkout:deleted:${flag.id}` })
    expect(await update(tenant, flag.id, { name: 'still gone' })).toMatchObject({
      body: { key: `checkout:deleted:${flag.id}`, deleted: true },
    })
    expect(await restore(tenant, flag.id)).toMatchObject({
      status: 200,
      body: { key: 'checkout', deleted: false, status: 'ACTIVE' },
    })
  })

  it('gets a number when another flag has the key', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'checkout' })
    await experiment(tenant, flag.id)
    await remove(tenant, flag.id)
    await tenant.flag({ key: 'checkout' })
    expect(await restore(tenant, flag.id)).toMatchObject({ body: { key: 'checkout-2' } })

    await remove(tenant, flag.id)
    const other = await tenant.flag({ key: 'checkout-2' })
    await overwriteFlag(flag.id, { key: `checkout:deleted:${flag.id}` })
    await remove(tenant, other.id)
    await tenant.flag({ key: 'checkout-30' })
    await tenant.flag({ key: 'checkout-4' })
    expect(await restore(tenant, flag.id)).toMatchObject({ body: { key: 'checkout-3' } })
  })

  it('may be another key in the restoring request', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'checkout' })
    await experiment(tenant, flag.id)
    await remove(tenant, flag.id)
    expect(await update(tenant, flag.id, { deleted: false, key: 'fresh' })).toMatchObject({
      status: 200,
      body: { key: 'fresh', deleted: false },
    })
  })

  it('may be echoed by the restoring request', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'checkout' })
    await experiment(tenant, flag.id)
    const { body: gone } = await remove(tenant, flag.id)
    expect(await update(tenant, flag.id, { ...gone, deleted: false })).toMatchObject({
      status: 200,
      body: { key: 'checkout', deleted: false },
    })
  })
})
