// OpenFeature's SDKs with its OFREP providers, unmodified: for servers, which ask about one flag, and for pages, which ask about all.
import { OFREPProvider } from '@openfeature/ofrep-provider'
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { OpenFeature as OnServers } from '@openfeature/server-sdk'
import { OpenFeature as OnPages, ProviderEvents } from '@openfeature/web-sdk'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { open, property, variants, where } from '../support/filters'
import { flagsApi } from './posthog/flags-api'

const served = inject('served')
const flags = flagsApi(served)
const headers: [string, string][] = [['Authorization', `Bearer ${served.projectApiToken}`]]
const forAda = where(property({ operator: 'icontains', value: 'ada@' }))
const ADA = { targetingKey: 'of-ada', email: 'ada@example.com' }
const BOB = { targetingKey: 'of-bob', email: 'bob@example.com' }

beforeAll(async () => {
  await flags.create({ key: 'of-beta', filters: { ...forAda, payloads: { true: '"hi"' } } })
  await flags.create({ key: 'of-colour', filters: { ...variants({ green: 100 }), ...forAda } })
  await flags.create({
    key: 'of-limits',
    is_remote_configuration: true,
    filters: { ...forAda, payloads: { true: { seats: 3 } } },
  })
  await flags.create({
    key: 'of-count',
    is_remote_configuration: true,
    filters: open({ payloads: { true: '42' } }),
  })
  await flags.create({ key: 'of-off', active: false, filters: open() })
})
afterAll(async () => {
  await OnServers.close()
  await OnPages.close()
})

describe('the server SDK', () => {
  const client = async (given = headers) => {
    await OnServers.setProviderAndWait(new OFREPProvider({ baseUrl: served.url, headers: given }))
    return OnServers.getClient()
  }

  it('resolves booleans, strings, numbers and objects', async () => {
    const of = await client()
    expect(await of.getBooleanDetails('of-beta', false, ADA)).toMatchObject({
      value: true,
      reason: 'TARGETING_MATCH',
      flagMetadata: { reason: 'condition_match', payload: '"hi"' },
    })
    expect(await of.getBooleanDetails('of-beta', true, BOB)).toMatchObject({
      value: false,
      reason: 'DEFAULT',
    })
    expect(await of.getStringDetails('of-colour', 'none', ADA)).toMatchObject({
      value: 'green',
      variant: 'green',
      reason: 'SPLIT',
    })
    expect(await of.getObjectValue('of-limits', {}, ADA)).toEqual({ seats: 3 })
    expect(await of.getNumberValue('of-count', 0, BOB)).toBe(42)
    expect(await of.getBooleanDetails('of-off', true, ADA)).toMatchObject({
      value: false,
      reason: 'DISABLED',
    })
  })

  it("falls back to the application's default for flags without a value", async () => {
    const of = await client()
    expect(await of.getStringValue('of-colour', 'none', BOB)).toBe('none')
    expect(await of.getObjectValue('of-limits', { seats: 1 }, BOB)).toEqual({ seats: 1 })
    expect(await of.getBooleanDetails('of-nosuch', true, ADA)).toMatchObject({
      value: true,
      reason: 'ERROR',
      errorCode: 'FLAG_NOT_FOUND',
    })
    expect(await of.getBooleanDetails('of-beta', true, {})).toMatchObject({
      value: true,
      errorCode: 'TARGETING_KEY_MISSING',
    })
    expect(await of.getStringDetails('of-beta', 'x', ADA)).toMatchObject({
      value: 'x',
      errorCode: 'TYPE_MISMATCH',
    })
  })

  it('opens nothing with a token that is not known', async () => {
    const of = await client([['Authorization', 'Bearer phc_nobody']])
    expect(await of.getBooleanDetails('of-beta', true, ADA)).toMatchObject({
      value: true,
      errorCode: 'GENERAL',
    })
  })
})

describe('the web SDK', () => {
  it('loads all flags, again for another person, and sees a change by polling', async () => {
    const id = await flags.create({ key: 'of-moving', filters: open() })
    await OnPages.setContext(ADA)
    const provider = new OFREPWebProvider({
      baseUrl: served.url,
      headers,
      pollInterval: 100,
      cacheMode: 'disabled',
    })
    await OnPages.setProviderAndWait(provider)
    const of = OnPages.getClient()
    expect(of.getBooleanValue('of-beta', false)).toBe(true)
    expect(of.getStringValue('of-colour', 'none')).toBe('green')
    expect(of.getObjectValue('of-limits', {})).toEqual({ seats: 3 })
    expect(of.getBooleanDetails('of-off', true)).toMatchObject({ value: false, reason: 'DISABLED' })
    expect(of.getBooleanDetails('of-nosuch', true)).toMatchObject({
      value: true,
      errorCode: 'FLAG_NOT_FOUND',
    })

    const changed: string[] = []
    of.addHandler(ProviderEvents.ConfigurationChanged, (details) => {
      changed.push(...(details?.flagsChanged ?? []))
    })
    await expect.poll(() => of.getBooleanValue('of-moving', false), { timeout: 10_000 }).toBe(true)
    await flags.update(id, { filters: { groups: [{ properties: [], rollout_percentage: 0 }] } })
    await expect.poll(() => of.getBooleanValue('of-moving', true), { timeout: 10_000 }).toBe(false)
    expect(changed).toContain('of-moving')

    // A kill switch.
    await flags.update(id, { filters: open() })
    await expect.poll(() => of.getBooleanValue('of-moving', false), { timeout: 10_000 }).toBe(true)
    await flags.update(id, { active: false })
    await expect.poll(() => of.getBooleanValue('of-moving', true), { timeout: 10_000 }).toBe(false)

    await OnPages.setContext(BOB)
    expect(of.getBooleanValue('of-beta', true)).toBe(false)
    // A string flag that is off is the application's to decide, and no error.
    const off = of.getStringDetails('of-colour', 'none')
    expect([off.value, off.reason, off.errorCode]).toEqual(['none', 'DEFAULT', undefined])
  })
})
