// Visitors of posthog-js in `cookieless_mode`, who all send the same distinct id.
import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { testClock } from '../support/clock'
import { event, eventsOf, sendBatch } from '../support/capture'
import { createHarness } from '../support/harness'
import { createTenant, type Tenant } from '../support/tenant'

const COOKIELESS = '$posthog_cookieless'

interface Visitor {
  address?: string
  agent?: string
  page?: string
}

const headersOf = ({
  address = '192.0.2.1',
  agent = 'Mozilla/5.0',
  page = 'https://shop.example.com',
}: Visitor) => ({
  'CF-Connecting-IP': address,
  'User-Agent': agent,
  Origin: page,
})

/** The distinct id under which an event of a visitor is stored. */
async function idOf(tenant: Tenant, visitor: Visitor = {}, properties: object = {}): Promise<string> {
  const uuid = crypto.randomUUID()
  const batch = [{ ...event(COOKIELESS, { $cookieless_mode: true, ...properties }), uuid }]
  const body = { api_key: tenant.projectToken, batch }
  expect(await tenant.send('POST', '/batch/', { body, headers: headersOf(visitor) })).toMatchObject({
    status: 200,
  })
  return (await eventsOf(tenant)).find((stored) => stored.uuid === uuid)!.distinctId
}

async function isOn(tenant: Tenant, visitor: Visitor, fields: object = {}): Promise<boolean> {
  const { body } = await tenant.send('POST', '/flags/?v=2', {
    body: { token: tenant.projectToken, distinct_id: COOKIELESS, ...fields },
    headers: headersOf(visitor),
  })
  return body.flags.half.enabled
}

const FORM = /^cookieless_[\w-]{22}$/

describe('a visitor who lets no identity be stored', () => {
  it('has one id a day, which address, browser and page decide', async () => {
    const tenant = await createTenant({ harness: createHarness() })
    const id = await idOf(tenant)
    expect(id).toMatch(FORM)
    expect(await idOf(tenant)).toBe(id)
    const others = [
      await idOf(tenant, { address: '192.0.2.2' }),
      await idOf(tenant, { agent: 'Mozilla/4.0' }),
      await idOf(tenant, { page: 'https://docs.example.com' }),
      await idOf(tenant, {}, { $cookieless_extra: 'kiosk 2' }),
    ]
    expect(new Set([id, ...others]).size).toBe(5)
    tenant.clock.advance({ hours: 11 })
    expect(await idOf(tenant)).toBe(id)
    tenant.clock.advance({ hours: 1 })
    expect(await idOf(tenant)).not.toBe(id)
  })

  it('has the same id in every isolate, and another in every project', async () => {
    const [one, other] = [await createTenant(), await createTenant()]
    const id = await idOf(one)
    expect(await idOf({ ...other, projectToken: one.projectToken, projectId: one.projectId })).toBe(id)
    expect(await idOf(other)).not.toBe(id)
  })

  it('has a result of flags that is that of its events', async () => {
    const tenant = await createTenant()
    const filters = { groups: [{ properties: [], rollout_percentage: 50 }] }
    await tenant.post(tenant.flags(), { key: 'half', active: true, filters })
    const visitors = Array.from({ length: 40 }, (_, index) => ({ address: `192.0.2.${index + 1}` }))
    const results = await Promise.all(visitors.map((visitor) => isOn(tenant, visitor)))
    const on = results.filter(Boolean).length
    expect(on).toBeGreaterThan(5)
    expect(on).toBeLessThan(35)
    const [visitor] = visitors
    const distinct_id = await idOf(tenant, visitor)
    expect(await isOn(tenant, visitor!, { distinct_id })).toBe(results[0])
  })

  it('leaves nothing of what its id is computed from', async () => {
    const tenant = await createTenant()
    await idOf(
      tenant,
      {},
      { $ip: '192.0.2.1', $raw_user_agent: 'Mozilla/5.0', $cookieless_extra: 'x', page: '/' },
    )
    expect((await eventsOf(tenant))[0]!.properties).toEqual({ $cookieless_mode: true, page: '/' })
  })

  it('may be named in the properties, and as the anonymous id of a sign-in', async () => {
    const tenant = await createTenant()
    const id = await idOf(tenant)
    await tenant.send('POST', '/e/', {
      body: {
        api_key: tenant.projectToken,
        event: '$identify',
        properties: { distinct_id: 'ada', $anon_distinct_id: COOKIELESS },
      },
      headers: headersOf({}),
    })
    const stored = (await eventsOf(tenant)).find(({ event: name }) => name === '$identify')!
    expect([stored.distinctId, stored.properties.$anon_distinct_id]).toEqual(['ada', id])
  })

  it('changes no event of anyone else', async () => {
    const tenant = await createTenant()
    await sendBatch(tenant, [event('ada', { $ip: '192.0.2.1' })])
    const [stored] = await eventsOf(tenant)
    expect([stored!.distinctId, stored!.properties]).toEqual(['ada', { $ip: '192.0.2.1' }])
  })
})

it('one salt is stored a day', async () => {
  const day = '2031-05-06'
  const harness = () => createHarness({ clock: testClock(`${day}T23:00:00Z`) })
  const [one, other] = [
    await createTenant({ harness: harness() }),
    await createTenant({ harness: harness() }),
  ]
  await Promise.all([idOf(one), idOf(other), idOf(one, { agent: 'x' })])
  const { results } = await env.DB.prepare('SELECT day FROM visitor_salts WHERE day = ?').bind(day).all()
  expect(results).toEqual([{ day }])
})
