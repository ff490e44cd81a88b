// posthog-js, unmodified, in pages of another origin: jsdom enforces CORS as browsers do, loads scripts, and has no fetch, so that the
// client falls back to what the eldest browsers have.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { JSDOM, VirtualConsole } from 'jsdom'
import type { PostHog, PostHogConfig } from 'posthog-js'
import { afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { open, property, variants, where } from '../../support/filters'
import { flagsApi } from './flags-api'

const served = inject('served')
const CLIENT = readFileSync(createRequire(import.meta.url).resolve('posthog-js'), 'utf8')
const TENTHS = Object.fromEntries(Array.from({ length: 10 }, (_, number) => [`v${number}`, 10]))

beforeAll(async () => {
  const flags = flagsApi(served)
  // A group type comes to be by the first group.
  await fetch(`${served.url}/batch/`, {
    method: 'POST',
    body: JSON.stringify({
      api_key: served.projectApiToken,
      batch: [
        {
          event: '$groupidentify',
          distinct_id: 'js-owner',
          properties: { $group_type: 'company', $group_key: 'js-acme', $group_set: { plan: 'paid' } },
        },
      ],
    }),
  })
  await flags.create({ key: 'js-open', filters: open({ payloads: { true: { color: 'blue' } } }) })
  await flags.create({
    key: 'js-colour',
    filters: variants({ red: 0, green: 100 }, { payloads: { green: '[1]' } }),
  })
  await flags.create({ key: 'js-off', filters: { groups: [{ properties: [], rollout_percentage: 0 }] } })
  await flags.create({
    key: 'js-email',
    filters: where(property({ operator: 'icontains', value: '@example.com' })),
  })
  await flags.create({ key: 'js-server', evaluation_runtime: 'server', filters: open() })
  await flags.create({ key: 'js-client', evaluation_runtime: 'client', filters: open() })
  await flags.create({ key: 'js-kept', ensure_experience_continuity: true, filters: variants(TENTHS) })
  await flags.create({
    key: 'js-company',
    filters: {
      ...where(
        property({ key: 'plan', type: 'group', operator: 'exact', group_type_index: 0, value: 'paid' }),
      ),
      aggregation_group_type_index: 0,
    },
  })
})

interface Page {
  posthog: PostHog
  /** Method, path and status of every request that the page has sent. */
  requests: string[]
  /** Waits until flags have arrived that satisfy a condition. */
  until(condition: () => boolean): Promise<void>
}

const pages: { close(): void }[] = []
afterEach(() => {
  for (const page of pages.splice(0)) page.close()
})

/** Opens a page of a shop and starts the client in it, as its owner would. */
function openPage(config: Partial<PostHogConfig> = {}): Page {
  const dom = new JSDOM('<!doctype html><body></body>', {
    url: 'http://shop.example/',
    runScripts: 'dangerously',
    resources: 'usable',
    pretendToBeVisual: true,
    // A console of its own: a script that is not there is no news.
    virtualConsole: new VirtualConsole(),
  })
  pages.push(dom.window)
  const requests: string[] = []
  Object.assign(dom.window, { observed: (line: string) => requests.push(line) })
  dom.window.eval(`{
    const { open } = XMLHttpRequest.prototype
    XMLHttpRequest.prototype.open = function (method, url, ...rest) {
      this.addEventListener('loadend', () => observed(method + ' ' + new URL(url).pathname + ' ' + this.status))
      return open.call(this, method, url, ...rest)
    }
    globalThis.page = {}
  }`)
  dom.window.eval(`(function (exports) {${CLIENT}\n})(page)`)
  const { posthog } = dom.window.eval('page') as { posthog: PostHog }
  posthog.init(served.projectApiToken, { api_host: served.url, ...config })
  return {
    posthog,
    requests,
    until: (condition) => expect.poll(condition, { timeout: 10_000, interval: 20 }).toBe(true),
  }
}

/** Opens a page and waits for its flags. */
async function openLoaded(config: Partial<PostHogConfig> = {}) {
  const page = openPage(config)
  const told = await new Promise<{ keys: string[]; values: Record<string, unknown> }>((resolve) =>
    page.posthog.onFeatureFlags((keys, values) => resolve({ keys, values })),
  )
  return { ...page, told }
}

describe('posthog-js', () => {
  it('loads flags and payloads when it starts', async () => {
    const { posthog, told, requests, until } = await openLoaded()
    expect(told.keys).toEqual(expect.arrayContaining(['js-open', 'js-colour', 'js-client']))
    expect(told.values).toMatchObject({ 'js-open': true, 'js-colour': 'green' })
    expect(posthog.isFeatureEnabled('js-open')).toBe(true)
    expect(posthog.isFeatureEnabled('js-off')).toBe(false)
    expect(posthog.isFeatureEnabled('js-email')).toBe(false)
    expect(posthog.isFeatureEnabled('js-client')).toBe(true)
    expect(posthog.isFeatureEnabled('js-server')).toBeUndefined()
    expect(posthog.getFeatureFlag('js-colour')).toBe('green')
    expect(posthog.getFeatureFlagPayload('js-open')).toEqual({ color: 'blue' })
    expect(posthog.getFeatureFlagPayload('js-colour')).toEqual([1])
    expect(posthog.getFeatureFlagPayload('js-off')).toBeFalsy()

    // Whatever it asks for is there, and it asks for nothing that would not be.
    await until(() => requests.some((line) => line.startsWith('POST /e/')))
    expect(requests.filter((line) => !line.endsWith(' 200'))).toEqual([])
    // Its configuration is a script, which is no request of the page.
    expect(new Set(requests)).toEqual(new Set(['POST /flags/ 200', 'POST /e/ 200']))
  })

  it('loads flags again after identify', async () => {
    const { posthog, until } = await openLoaded()
    expect(posthog.isFeatureEnabled('js-email')).toBe(false)
    posthog.identify('js-ada', { email: 'ada@example.com' })
    await until(() => posthog.isFeatureEnabled('js-email') === true)
    posthog.reset()
    posthog.reloadFeatureFlags()
    await until(() => posthog.isFeatureEnabled('js-email') === false)
  })

  it('loads flags again for properties and groups', async () => {
    const { posthog, until } = await openLoaded()
    posthog.setPersonPropertiesForFlags({ email: 'visitor@example.com' })
    await until(() => posthog.isFeatureEnabled('js-email') === true)
    expect(posthog.isFeatureEnabled('js-company')).toBe(false)
    posthog.group('company', 'js-acme')
    await until(() => posthog.isFeatureEnabled('js-company') === true)
  })

  // That other devices know too is up to whether $identify or the next question arrives first; test/sdk/flags-bucketing.test.ts has both.
  it('keeps the variant after identify', async () => {
    const { posthog, until } = await openLoaded()
    const before = posthog.getFeatureFlag('js-kept')
    expect(before).toMatch(/^v\d$/)
    // Somebody who would see another one if nobody knew who she was before.
    let name = ''
    for (let number = 0; name === ''; number += 1) {
      const candidate = `js-grace-${number}`
      if ((await valueElsewhere(candidate, 'js-kept')) !== before) name = candidate
    }
    posthog.identify(name, { email: 'grace@example.com' })
    await until(() => posthog.isFeatureEnabled('js-email') === true)
    expect(posthog.getFeatureFlag('js-kept')).toBe(before)
  })

  it('uses bootstrapped flags until it reloads', async () => {
    const page = openPage({ bootstrap: { featureFlags: { 'js-open': false, 'js-colour': 'red' } } })
    expect(page.posthog.getFeatureFlag('js-colour')).toBe('red')
    page.posthog.reloadFeatureFlags()
    await page.until(() => page.posthog.getFeatureFlag('js-colour') === 'green')
    expect(page.posthog.isFeatureEnabled('js-open')).toBe(true)
  })
})

/** What another device is told about somebody. */
async function valueElsewhere(distinctId: string, key: string): Promise<unknown> {
  const response = await fetch(`${served.url}/flags/?v=1`, {
    method: 'POST',
    body: JSON.stringify({ token: served.projectApiToken, distinct_id: distinctId, flag_keys: [key] }),
  })
  return ((await response.json()) as { featureFlags: Record<string, unknown> }).featureFlags[key]
}
