// Which flags a response has: runtimes, contexts, keys, dependencies, and flags that are broken.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { FlagFilters } from '../../src/flags/filters/flag-filters'
import { runtimeOf } from '../../src/sdk/flags-request'
import { dependsOn, open, property, variants, where } from '../support/filters'
import { cohort, overwriteFlag } from '../support/database/rows'
import { createHarness } from '../support/harness'
import { createTenant, type Tenant } from '../support/tenant'
import { ask, publishSilently, valuesOf } from './flags-support'

/** Filters as a row has them. */
const stored = (...properties: Parameters<typeof where>) => where(...properties) as unknown as FlagFilters

const BROWSER = {
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
}

describe('the runtime of a caller', () => {
  const ALL = ['any', 'client', 'server', 'unsaid']

  it.each([
    ['says client', { evaluation_runtime: 'client' }, {}, ['any', 'client', 'unsaid']],
    ['says SERVER', { evaluation_runtime: 'SERVER' }, {}, ['any', 'server', 'unsaid']],
    ['says all', { evaluation_runtime: 'all' }, BROWSER, ALL],
    ['says something else', { evaluation_runtime: 'edge' }, BROWSER, ALL],
    ['says null, and is a browser', { evaluation_runtime: null }, BROWSER, ['any', 'client', 'unsaid']],
    ['says server from a browser', { evaluation_runtime: 'server' }, BROWSER, ['any', 'server', 'unsaid']],
    ['is posthog-node', {}, { 'User-Agent': 'posthog-node/5.70.0' }, ['any', 'server', 'unsaid']],
    ['is python', {}, { 'User-Agent': 'python-requests/2.32' }, ['any', 'server', 'unsaid']],
    ['is curl', {}, { 'User-Agent': 'curl/8.5.0' }, ['any', 'server', 'unsaid']],
    ['is a phone', {}, { 'User-Agent': 'posthog-ios/3.30.0' }, ['any', 'client', 'unsaid']],
    ['has an origin', {}, { Origin: 'https://shop.example' }, ['any', 'client', 'unsaid']],
    ['has a referrer', {}, { Referer: 'https://shop.example/cart' }, ['any', 'client', 'unsaid']],
    ['fetches from a page', {}, { 'Sec-Fetch-Mode': 'cors' }, ['any', 'client', 'unsaid']],
    ['is unknown', {}, {}, ['any', 'unsaid']],
    ['is another program', {}, { 'User-Agent': 'Go-http-client/2.0' }, ['any', 'unsaid']],
    ['is an SDK of Rust', {}, { 'User-Agent': 'posthog-rs/0.10.0' }, ['any', 'server', 'unsaid']],
  ])('that %s', async (_, body, headers, keys) => {
    const { ask: asks } = await runtimes()
    const response = await asks(body, headers)
    expect(Object.keys(response.body.flags).sort()).toEqual(keys)
    expect(response.body.errorsWhileComputingFlags).toBe(false)
  })

  it.each([
    ...[
      'python/3.0.0',
      'node/1.2.3',
      'ruby/2.0.0',
      'go/1.0.0',
      'php/3.1.0',
      'java/1.1.0',
      'dotnet/1.0.0',
    ].map((sdk) => [`posthog-${sdk}`, 'server']),
    ...['elixir/0.2.0', 'rs/0.10.0', 'server/1.0.0', 'server/3.2.1 (Android SDK)'].map((sdk) => [
      `posthog-${sdk}`,
      'server',
    ]),
    ['posthog-python/3.0.0 (Linux; Python 3.11)', 'server'],
    ...['js/1.88.0', 'android/3.0.0', 'ios/3.0.0', 'react-native/2.5.0', 'flutter/4.0.0'].map((sdk) => [
      `posthog-${sdk}`,
      'client',
    ]),
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'client'],
    ['Mozilla/5.0 (X11; Linux x86_64) Firefox/89.0', 'client'],
    ['Chrome/120.0.0.0 Safari/537.36', 'client'],
    ['curl/7.68.0', 'server'],
    ['python-requests/2.28.0', 'server'],
    ['HTTPie curl/7.68.0', 'server'],
    ['posthog-python', 'unknown'],
    ['posthog-python/', 'unknown'],
    ['posthog-/1.0.0', 'unknown'],
    ['posthog-unheard/1.0.0', 'unknown'],
    ['custom-client/1.0', 'unknown'],
    ['', 'unknown'],
  ])('with the user agent %j is %s', (agent, runtime) => {
    expect(runtimeOf(null, new Headers({ 'User-Agent': agent! }))).toBe(runtime)
  })

  /** One project for all: these only read. */
  let made: Promise<Tenant> | undefined
  async function runtimes() {
    made ??= (async () => {
      const tenant = await createTenant()
      await tenant.flag({ key: 'unsaid', filters: open() })
      await tenant.flag({ key: 'any', evaluation_runtime: 'all', filters: open() })
      await tenant.flag({ key: 'client', evaluation_runtime: 'client', filters: open() })
      await tenant.flag({ key: 'server', evaluation_runtime: 'server', filters: open() })
      return tenant
    })()
    const tenant = await made
    return {
      ask: (body: Record<string, unknown>, headers: Record<string, string>) =>
        ask(tenant, body, '/flags/?v=2', headers),
    }
  }
})

describe('evaluation contexts', () => {
  it('leave out flags with dependencies, for each name of the field', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'everywhere', filters: open() })
    await tenant.flag({ key: 'shop', filters: open(), evaluation_contexts: ['shop', 'checkout'] })
    await tenant.flag({ key: 'docs', filters: open(), evaluation_contexts: ['docs'] })
    for (const [contexts, keys] of [
      [[], ['docs', 'everywhere', 'shop']],
      [['checkout'], ['everywhere', 'shop']],
      [
        ['docs', 'shop'],
        ['docs', 'everywhere', 'shop'],
      ],
      [['Docs'], ['everywhere']],
      [['nowhere'], ['everywhere']],
    ] as const) {
      for (const name of ['evaluation_contexts', 'evaluation_environments']) {
        expect(Object.keys((await ask(tenant, { [name]: contexts })).body.flags).sort()).toEqual(keys)
      }
    }
  })
})

describe('flag_keys', () => {
  it('include transitive dependencies, and nothing else', async () => {
    const tenant = await createTenant()
    const base = await tenant.flag({ key: 'base', filters: open() })
    const middle = await tenant.flag({ key: 'middle', filters: where(dependsOn(String(base.id))) })
    await tenant.flag({ key: 'top', filters: where(dependsOn(String(middle.id))) })
    await tenant.flag({ key: 'other', filters: open() })
    expect(valuesOf(await ask(tenant, { flag_keys: ['top', 'nosuch'] }))).toEqual({
      base: true,
      middle: true,
      top: true,
    })
    expect(valuesOf(await ask(tenant, { flag_keys: ['middle'] }))).toEqual({ base: true, middle: true })
    expect(valuesOf(await ask(tenant, { flag_keys: [] }))).toEqual({})
    expect(Object.keys((await ask(tenant, { flag_keys: null })).body.flags)).toHaveLength(4)
  })

  it('never include flags that other filters leave out', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'server', evaluation_runtime: 'server', filters: open() })
    await tenant.flag({ key: 'docs', evaluation_contexts: ['docs'], filters: open() })
    await tenant.flag({ key: 'off', active: false, filters: open() })
    const body = {
      flag_keys: ['server', 'docs', 'off'],
      evaluation_runtime: 'client',
      evaluation_contexts: ['shop'],
    }
    expect(await ask(tenant, body)).toMatchObject({
      status: 200,
      body: { flags: {}, errorsWhileComputingFlags: false },
    })
  })
})

describe('hidden flags', () => {
  it('are the inactive, the archived, the deleted and those with secrets; they count as off for others', async () => {
    const tenant = await createTenant()
    const ids: Record<string, number> = {}
    for (const key of ['inactive', 'archived', 'secret']) {
      ids[key] = (await tenant.flag({ key, filters: open() })).id
    }
    for (const [key, id] of Object.entries(ids)) {
      await tenant.flag({ key: `on-${key}`, filters: where(dependsOn(String(id))) })
      await tenant.flag({ key: `not-${key}`, filters: where(dependsOn(String(id), { value: false })) })
    }
    const gone = await tenant.flag({ key: 'gone', filters: open() })
    await tenant.flag({ key: 'on-gone', filters: where(dependsOn(String(gone.id))) })
    await overwriteFlag(ids.inactive!, { active: false })
    await overwriteFlag(ids.archived!, { archived: true })
    await overwriteFlag(ids.secret!, { hasEncryptedPayloads: true })
    await overwriteFlag(gone.id, { deleted: true })
    await publishSilently(tenant)
    const response = await ask(tenant)
    expect(valuesOf(response)).toEqual({
      'on-inactive': false,
      'not-inactive': true,
      'on-archived': false,
      'not-archived': true,
      'on-secret': false,
      'not-secret': true,
      'on-gone': false,
    })
    expect(response.body.flags['on-gone'].reason.code).toBe('missing_dependency')
    expect(response.body.errorsWhileComputingFlags).toBe(false)
  })
})

describe('malformed flags', () => {
  it('in a cycle are absent, with their dependents, and set the error flag', async () => {
    const tenant = await createTenant()
    const one = await tenant.flag({ key: 'one', filters: open() })
    const two = await tenant.flag({ key: 'two', filters: where(dependsOn(String(one.id))) })
    await tenant.flag({ key: 'behind', filters: where(dependsOn(String(two.id))) })
    await tenant.flag({ key: 'sound', filters: open() })
    await overwriteFlag(one.id, { filters: stored(dependsOn(String(two.id))) })
    await publishSilently(tenant)
    const response = await ask(tenant)
    expect(valuesOf(response)).toEqual({ sound: true })
    expect(response.body.errorsWhileComputingFlags).toBe(true)
    // Who does not ask for them is not bothered.
    expect((await ask(tenant, { flag_keys: ['sound'] })).body.errorsWhileComputingFlags).toBe(false)

    // A flag that is off breaks the cycle, and then what others look at is looked up again.
    await overwriteFlag(two.id, {
      active: false,
      filters: stored(dependsOn(String(one.id)), property({ key: 'plan', value: 'paid' })),
    })
    await overwriteFlag(one.id, {
      filters: stored(dependsOn(String(two.id), { value: false }), property({ key: 'plan', value: 'paid' })),
    })
    await publishSilently(tenant)
    await tenant.send('POST', '/batch/', {
      body: {
        api_key: tenant.projectToken,
        batch: [{ event: '$set', distinct_id: 'ada', properties: { $set: { plan: 'paid' } } }],
      },
    })
    expect((await ask(tenant, { person_properties: { email: 'x' } })).body).toMatchObject({
      flags: { one: { enabled: true }, sound: { enabled: true } },
      errorsWhileComputingFlags: false,
    })
  })

  it.each([['{"groups": ['], ['{"groups": 5}'], ['[]']])('by filters like %j fail alone', async (text) => {
    const tenant = await createTenant()
    const poisoned = await tenant.flag({ key: 'poisoned', filters: open() })
    await tenant.flag({ key: 'sound', filters: open() })
    await tenant.flag({ key: 'dependent', filters: where(dependsOn(String(poisoned.id))) })
    await env.DB.prepare('UPDATE feature_flags SET filters = ? WHERE id = ?').bind(text, poisoned.id).run()
    await publishSilently(tenant)
    const { body } = await ask(tenant)
    expect(body.errorsWhileComputingFlags).toBe(true)
    expect(body.flags.poisoned).toEqual({
      key: 'poisoned',
      enabled: false,
      variant: null,
      failed: true,
      reason: { code: 'data_parsing_error', condition_index: null },
      metadata: { id: poisoned.id, version: 1, description: null, payload: null, has_experiment: false },
    })
    expect(body.flags.sound).toMatchObject({ enabled: true })
    expect(body.flags.dependent).toMatchObject({ enabled: false, failed: true })
    const legacy = (await ask(tenant, {}, '/flags/?v=1')).body
    expect(legacy).toMatchObject({
      errorsWhileComputingFlags: true,
      featureFlags: { poisoned: false, sound: true, dependent: false },
    })
  })

  it('by their cohort fail alone', async () => {
    const tenant = await createTenant()
    const id = await cohort(tenant, [property({ value: 'a@b.c' })])
    await tenant.flag({
      key: 'cohort',
      filters: where({ key: 'id', type: 'cohort', operator: 'in', value: id }),
    })
    await tenant.flag({ key: 'sound', filters: open() })
    await env.DB.prepare('UPDATE cohorts SET deleted = 1 WHERE id = ?').bind(id).run()
    await publishSilently(tenant)
    expect(valuesOf(await ask(tenant))).toEqual({ cohort: 'dependency_not_found_cohort', sound: true })
  })
})

describe('a holdout', () => {
  it('comes before conditions, with a payload of its own', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.flag({
      key: 'experiment',
      filters: variants({ test: 100 }, { holdout: { id: 3, exclusion_percentage: 100 } }),
    })
    expect((await ask(tenant)).body.flags.experiment).toEqual({
      key: 'experiment',
      enabled: true,
      variant: 'holdout-3',
      reason: {
        code: 'holdout_condition_value',
        condition_index: null,
        description: expect.any(String),
      },
      metadata: { id, version: 1, description: null, payload: null, has_experiment: false },
    })
  })
})

describe('a change', () => {
  it('changes the next response here, and within 60 s in another isolate', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.flag({ key: 'beta', filters: open() })
    const other = { ...createHarness({ clock: tenant.clock }), projectToken: tenant.projectToken }
    expect([valuesOf(await ask(tenant)), valuesOf(await ask(other))]).toEqual([
      { beta: true },
      { beta: true },
    ])

    const secondsUntil = async (values: object) => {
      let seconds = 0
      const isOld = async () => JSON.stringify(valuesOf(await ask(other))) !== JSON.stringify(values)
      for (; seconds <= 60 && (await isOld()); seconds += 1) tenant.clock.advance({ seconds: 1 })
      return seconds
    }
    const filters = { groups: [{ properties: [], rollout_percentage: 0 }] }
    expect((await tenant.patch(tenant.flags(id), { filters })).status).toBe(200)
    expect(valuesOf(await ask(tenant))).toEqual({ beta: false })

    expect(await secondsUntil({ beta: false })).toBeLessThanOrEqual(60)

    expect((await tenant.patch(tenant.flags(id), { deleted: true })).status).toBe(200)
    expect(valuesOf(await ask(tenant))).toEqual({})
    expect(await secondsUntil({})).toBeLessThanOrEqual(60)
  })
})
