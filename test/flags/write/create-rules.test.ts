import { describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { configureProject } from '../../support/database/rows'
import { createTenant, type Tenant } from '../../support/tenant'

const create = async (tenant: Tenant, body: Record<string, unknown> = {}) =>
  seen(
    await tenant.post(tenant.flags(), {
      key: `flag-${crypto.randomUUID()}`,
      _should_create_usage_dashboard: false,
      ...body,
    }),
  )

const INCOMPATIBLE = refused(
  null,
  "Cannot enable 'persist across authentication steps' when using device ID bucketing. These features are incompatible.",
)
const NOT_REMOTE = refused(null, 'Encrypted payloads require the flag to be a remote configuration.')
const ENABLED = refused(
  null,
  'Cannot archive an enabled feature flag. Disable it first, or send active: false in the same request.',
)
const FULL = refused(
  null,
  'Maximum of 100,000 feature flags allowed per team. Please delete unused flags or contact support to increase this limit.',
)
const NO_CONTEXT = refused(null, 'At least one evaluation context is required to create a new feature flag.')

describe('a new flag as a whole', () => {
  it('is not bucketed by device and persistent', async () => {
    const tenant = await createTenant()
    const device = { bucketing_identifier: 'device_id' }
    expect(await create(tenant, { ...device, ensure_experience_continuity: true })).toEqual(INCOMPATIBLE)
    expect(await create(tenant, device)).toMatchObject({ status: 201 })
    expect(await create(tenant, { ...device, ensure_experience_continuity: null })).toMatchObject({
      status: 201,
    })
  })

  it('encrypts payloads only as a remote configuration', async () => {
    const tenant = await createTenant()
    expect(await create(tenant, { has_encrypted_payloads: true })).toEqual(NOT_REMOTE)
    expect(
      await create(tenant, { has_encrypted_payloads: true, is_remote_configuration: true }),
    ).toMatchObject({ status: 201 })
  })

  it('is archived only when it is inactive', async () => {
    const tenant = await createTenant()
    expect(await create(tenant, { archived: true })).toEqual(ENABLED)
    expect(await create(tenant, { archived: true, active: false })).toMatchObject({
      status: 201,
      body: { archived: true, active: false },
    })
  })

  it('reports the first rule that it breaks', async () => {
    const tenant = await createTenant()
    await configureProject(tenant, { requireEvaluationContexts: true, liveFlagCount: 100_000 })
    const broken = {
      bucketing_identifier: 'device_id',
      ensure_experience_continuity: true,
      has_encrypted_payloads: true,
      archived: true,
    }
    expect(await create(tenant, broken)).toEqual(INCOMPATIBLE)
    expect(await create(tenant, { ...broken, bucketing_identifier: null })).toEqual(NOT_REMOTE)
    expect(await create(tenant, { archived: true })).toEqual(ENABLED)
    expect(await create(tenant)).toEqual(FULL)
  })
})

describe('the number of flags of a project', () => {
  /** A project that may have three flags more. */
  async function crowded(): Promise<Tenant> {
    const tenant = await createTenant()
    await configureProject(tenant, { liveFlagCount: 99_997 })
    return tenant
  }

  it('is limited, deleted flags not counted', async () => {
    const tenant = await crowded()
    const first = await tenant.flag()
    await tenant.flag()
    await tenant.flag()
    expect(await create(tenant)).toEqual(FULL)

    await tenant.patch(tenant.flags(first.id), { deleted: true })
    expect(await create(tenant)).toMatchObject({ status: 201 })
    expect(await create(tenant)).toEqual(FULL)
    expect(await create(tenant, { deleted: true })).toMatchObject({ status: 201 })
  })

  it('does not count the flags of another project', async () => {
    const tenant = await crowded()
    const other = await createTenant({ harness: tenant })
    for (const each of [tenant, other]) {
      await each.flag()
      await each.flag()
    }
    expect(await create(tenant)).toMatchObject({ status: 201 })
  })

  it('is not exceeded by flags that are created concurrently', async () => {
    const tenant = await crowded()
    const responses = await Promise.all(Array.from({ length: 6 }, () => create(tenant)))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(responses.filter(({ status }) => status !== 201)).toEqual([FULL, FULL, FULL])
    expect((await tenant.get(tenant.flags())).body.count).toBe(100_000)
  })

  it('is checked when a flag is restored, not for other updates', async () => {
    const tenant = await crowded()
    const flag = await tenant.flag()
    await tenant.patch(tenant.flags(flag.id), { deleted: true })
    const others = [await tenant.flag(), await tenant.flag(), await tenant.flag()]
    expect(seen(await tenant.patch(tenant.flags(flag.id), { deleted: false }))).toEqual(FULL)
    for (const id of [flag.id, others[0].id]) {
      expect(
        await tenant.patch(tenant.flags(id), { name: 'renamed', deleted: id === flag.id }),
      ).toMatchObject({
        status: 200,
      })
    }
    await tenant.patch(tenant.flags(others[0].id), { deleted: true })
    expect(await tenant.patch(tenant.flags(flag.id), { deleted: false })).toMatchObject({ status: 200 })
  })

  it('is not exceeded by flags that are restored and created concurrently', async () => {
    const tenant = await crowded()
    const gone = [await tenant.flag(), await tenant.flag(), await tenant.flag()]
    await tenant.post(tenant.flags('bulk_delete'), { ids: gone.map(({ id }) => id) })
    await tenant.flag()
    const responses = await Promise.all([
      ...gone.map(async ({ id }) => seen(await tenant.patch(tenant.flags(id), { deleted: false }))),
      create(tenant),
      create(tenant),
    ])
    expect(responses.filter(({ status }) => status < 300)).toHaveLength(2)
    expect(responses.filter(({ status }) => status >= 300)).toEqual([FULL, FULL, FULL])
    expect((await tenant.get(tenant.flags())).body.count).toBe(100_000)
  })
})

describe('a project that requires evaluation contexts', () => {
  async function strictTenant() {
    const tenant = await createTenant()
    await configureProject(tenant, { requireEvaluationContexts: true })
    return tenant
  }

  it('rejects a flag without one', async () => {
    const tenant = await strictTenant()
    expect(await create(tenant)).toEqual(NO_CONTEXT)
    expect(await create(tenant, { evaluation_contexts: [] })).toEqual(NO_CONTEXT)
    expect(await create(tenant, { evaluation_contexts: null })).toEqual(NO_CONTEXT)
    expect(await create(tenant, { evaluation_contexts: ['web'] })).toMatchObject({ status: 201 })
  })

  it('does so at once for a key that was read before', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.flag({ evaluation_contexts: ['web'] })
    await configureProject(tenant, { requireEvaluationContexts: true })
    expect(await create(tenant)).toEqual(NO_CONTEXT)
    expect((await tenant.patch(tenant.flags(id), { evaluation_contexts: [] })).status).toBe(400)
  })

  it('lets surveys make theirs', async () => {
    const tenant = await strictTenant()
    expect(await create(tenant, { creation_context: 'surveys' })).toMatchObject({ status: 201 })
    expect(await create(tenant, { creation_context: 'experiments' })).toEqual(NO_CONTEXT)
  })
})
