// A record has every field of the specification's table in every state that its resource can be in.
import { beforeAll, describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { eq } from 'drizzle-orm'
import { users } from '../../drizzle'
import { hibernateUnused } from '../../src/endpoints/materialization/hibernate'
import { hogql, trends } from '../support/endpoints/endpoints'
import { createMaterializingTenant, type MaterializingTenant } from '../support/endpoints/materialization'
import { event, sendEach } from '../support/capture'
import { signIn } from '../support/session'
import { createTenant, database, type Tenant } from '../support/tenant'
import { giveSecondFactor } from '../support/two-factor'
import { accountSpec } from './account'
import { flagSpec } from './flags'
import { savedQuerySpec } from './saved-queries'
import { violations } from './violations'

const F = '/api/projects/:project_id/feature_flags/'
const E = '/api/projects/:project_id/endpoints/'

function schemaOf(method: string, path: string): z.ZodType | null {
  const found = [...flagSpec, ...accountSpec, ...savedQuerySpec].find(
    (each) => each.method === method && each.path === path,
  )
  if (!found) throw new Error(`The specification has no ${method} ${path}`)
  return found.success[1]
}

async function expectComplete(tenant: Tenant, path: string, specified: string, method = 'get') {
  const response = await tenant.get(path)
  expect([path, response.status, violations(schemaOf(method, specified), response.body)]).toEqual([
    path,
    200,
    [],
  ])
}

describe('a flag', () => {
  let tenant: Tenant
  beforeAll(async () => {
    tenant = await createTenant()
    await sendEach(tenant, [event('ada', { $set: { plan: 'pro' } })])
  })

  const edited = async (made: Record<string, unknown>, ...changes: object[]): Promise<number> => {
    const { id } = await tenant.flag(made)
    for (const change of changes) {
      const { status, body } = await tenant.patch(tenant.flags(id), change)
      expect({ status, body }).toMatchObject({ status: 200 })
    }
    return id
  }
  const VARIANTS = {
    groups: [{ rollout_percentage: 20, variant: 'b' }],
    multivariate: {
      variants: [
        { key: 'a', rollout_percentage: 50 },
        { key: 'b', rollout_percentage: 50 },
      ],
    },
    payloads: { a: '1' },
  }

  const STATES: Record<string, () => Promise<number>> = {
    'that was just created': () => edited({}),
    'with variants and payloads': () => edited({ filters: VARIANTS }),
    'that is edited': () => edited({}, { name: 'Renamed' }, { filters: VARIANTS }, { tags: ['web'] }),
    'that is off': () => edited({ active: false }),
    'that is off and on again': () => edited({}, { active: false }, { active: true }),
    'that is archived': () => edited({}, { active: false }, { archived: true }),
    'for groups': () =>
      edited({ filters: { groups: [{ rollout_percentage: 10 }], aggregation_group_type_index: 0 } }),
    'for devices': () => edited({ bucketing_identifier: 'device_id' }),
    'for servers': () => edited({ evaluation_runtime: 'server' }),
    'with continuity': () => edited({ ensure_experience_continuity: true }),
    'with a remote configuration': () =>
      edited({
        is_remote_configuration: true,
        filters: { groups: [{ rollout_percentage: 100 }], payloads: { true: '"x"' } },
      }),
    'with an encrypted payload': () =>
      edited({
        is_remote_configuration: true,
        has_encrypted_payloads: true,
        filters: { groups: [{ rollout_percentage: 100 }], payloads: { true: '"x"' } },
      }),
    'with a usage dashboard': async () => {
      const id = await edited({})
      await tenant.post(tenant.flags(`${id}/dashboard`))
      return id
    },
    'that is restored': async () => {
      const id = await edited({})
      await tenant.post(tenant.flags('bulk_delete'), { ids: [id] })
      expect(await tenant.post(tenant.flags('bulk_restore'), { ids: [id] })).toMatchObject({ status: 200 })
      return id
    },
    'that was called': async () => {
      const { id, key } = await tenant.flag({})
      const called = { ...event('ada', { $feature_flag: key, $feature_flag_response: true }) }
      await sendEach(tenant, [{ ...called, event: '$feature_flag_called' }])
      return id
    },
  }

  it.each(Object.entries(STATES))('%s', async (_, make) => {
    const id = await make()
    await expectComplete(tenant, tenant.flags(id), `${F}:id/`)
    await expectComplete(tenant, tenant.flags(), F)
    await expectComplete(tenant, tenant.flags(`${id}/status`), `${F}:id/status/`)
    await expectComplete(tenant, tenant.flags(`${id}/activity`), `${F}:id/activity/`)
    const { body } = await tenant.get(tenant.flags(id))
    // A flag for remote configuration has no versions to read.
    if (body.is_remote_configuration) return
    for (let version = 1; version <= body.version; version += 1) {
      await expectComplete(
        tenant,
        tenant.flags(`${id}/versions/${version}`),
        `${F}:id/versions/:version_number/`,
      )
    }
    if (
      body.active &&
      body.filters.aggregation_group_type_index === undefined &&
      body.filters.groups.length
    ) {
      const tested = await tenant.post(tenant.flags(`${id}/test_evaluation`), {
        distinct_id: 'ada',
        ...(body.bucketing_identifier === 'device_id' ? { device_id: 'd' } : {}),
      })
      expect(tested.status).toBe(200)
    }
  })

  it('that is deleted, in its versions', async () => {
    const id = await edited({}, { name: 'Renamed' })
    await tenant.post(tenant.flags('bulk_delete'), { ids: [id] })
    for (const version of [1, 2, 3]) {
      await expectComplete(
        tenant,
        tenant.flags(`${id}/versions/${version}`),
        `${F}:id/versions/:version_number/`,
      )
    }
  })
})

describe('a user', () => {
  const STATES: Record<string, () => Promise<Tenant>> = {
    'who has just been made': () => createTenant(),
    'who owns the organization': () => createTenant({ level: 15 }),
    'with a second factor': async () => {
      const tenant = await createTenant()
      await giveSecondFactor(tenant)
      return tenant
    },
    'with an unconfirmed address': async () => {
      const tenant = await createTenant()
      await database()
        .update(users)
        .set({ pendingEmail: 'new@example.com' })
        .where(eq(users.id, tenant.user.id))
      return tenant
    },
    'who skipped onboarding': async () => {
      const tenant = await createTenant()
      await tenant.post('/api/users/@me/onboarding/skip/', { reason: 'later' })
      return tenant
    },
    'with a dashboard for a scene': async () => {
      const tenant = await createTenant()
      const { id } = await tenant.flag({})
      await tenant.post(tenant.flags(`${id}/dashboard`))
      const { body } = await tenant.get(tenant.flags(id))
      await tenant.post('/api/users/@me/scene_personalisation/', {
        scene: 'Dashboard',
        dashboard: body.usage_dashboard,
      })
      return tenant
    },
  }

  it.each(Object.entries(STATES))('%s', async (_, make) => {
    const tenant = await make()
    await expectComplete(tenant, '/api/users/@me/', '/api/users/:uuid/onboarding/skip/', 'post')
  })

  it('in their sessions', async () => {
    const tenant = await createTenant()
    await signIn(tenant)
    const browser = await signIn(tenant)
    const { status, body } = await browser.get('/api/users/@me/login_sessions/')
    expect([status, violations(schemaOf('get', '/api/users/:uuid/login_sessions/'), body)]).toEqual([200, []])
  })
})

describe('a saved query', () => {
  let tenant: MaterializingTenant
  beforeAll(async () => {
    tenant = await createMaterializingTenant()
  })
  const NUMBER = hogql('SELECT count() AS n FROM events')

  const STATES: Record<string, () => Promise<string>> = {
    'that was just created': async () => (await tenant.endpoint({ query: NUMBER })).name,
    'of an insight': async () => (await tenant.endpoint({ query: trends() })).name,
    'that is off': async () => {
      const { name } = await tenant.endpoint({ query: NUMBER })
      await tenant.patch(tenant.endpoints(name), { is_active: false })
      return name
    },
    'with several versions': async () => {
      const { name } = await tenant.endpoint({ query: NUMBER })
      await tenant.patch(tenant.endpoints(name), { query: hogql('SELECT count() AS m FROM events') })
      return name
    },
    'that was run': async () => {
      const { name } = await tenant.endpoint({ query: NUMBER })
      await tenant.post(tenant.endpoints(`${name}/run`))
      return name
    },
    'that is being materialized': async () =>
      (await tenant.endpoint({ query: NUMBER, is_materialized: true })).name,
    'that is materialized': async () => {
      const { name } = await tenant.endpoint({ query: NUMBER, is_materialized: true })
      await tenant.consume()
      return name
    },
    'whose materialization was switched off': async () => {
      const { name } = await tenant.endpoint({ query: NUMBER, is_materialized: true })
      await tenant.consume()
      await tenant.patch(tenant.endpoints(name), { is_materialized: false })
      return name
    },
    'whose materialization sleeps': async () => {
      const { name } = await tenant.endpoint({ query: NUMBER, is_materialized: true })
      await tenant.consume()
      tenant.clock.advance({ days: 60 })
      await hibernateUnused(database(), tenant.clock.now())
      return name
    },
  }

  it.each(Object.entries(STATES))('%s', async (_, make) => {
    const name = await make()
    await expectComplete(tenant, tenant.endpoints(name), `${E}:name/`)
    await expectComplete(tenant, tenant.endpoints(), E)
    await expectComplete(tenant, tenant.endpoints(`${name}/versions`), `${E}:name/versions/`)
    await expectComplete(
      tenant,
      tenant.endpoints(`${name}/materialization_status`),
      `${E}:name/materialization_status/`,
    )
  })
})
