// posthog-node, unmodified, asking the served Worker for flags, and evaluating its definitions by itself: both agree.
import { PostHog, type PostHogOptions } from 'posthog-node'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { open, variants } from '../../support/filters'
import { serveWorker, type ServedWorker } from '../../support/server/served-worker'
import { type FlagsApi, flagsApi } from './flags-api'
import { createFlagsOfEveryKind, PARTLY, PEOPLE, SHARES } from './flags-of-every-kind'

let served: ServedWorker
let flags: FlagsApi
let ids: Record<string, number>

beforeAll(async () => {
  // The client recommends its newest methods; both are tried here.
  vi.spyOn(console, 'warn').mockReturnValue()
  served = await serveWorker()
  flags = flagsApi({ ...served, personalApiKey: served.credentials.personalApiKey })
  // Groups come to be by being described.
  await withClient({}, (client) =>
    client.groupIdentify({ groupType: 'company', groupKey: 'acme', properties: { plan: 'paid' } }),
  )
  ids = await createFlagsOfEveryKind(served, flags)
})
afterAll(() => served.stop())

/** Runs `work` with a client, and ends the client as a process would. Throws whatever went wrong inside of it. */
async function withClient<T>(
  options: PostHogOptions,
  work: (client: PostHog) => Promise<T> | T,
  expected: unknown[] = [],
  token = served.credentials.projectApiToken,
): Promise<T> {
  const client = new PostHog(token, {
    host: served.url,
    fetchRetryCount: 0,
    featureFlagsRequestTimeoutMs: 20_000,
    ...options,
  })
  const errors: unknown[] = []
  client.on('error', (error: unknown) => errors.push(error))
  const result = await work(client)
  await client.shutdown()
  expect(errors).toMatchObject(expected)
  return result
}

const local = (featureFlagsPollingInterval = 60_000): PostHogOptions => ({
  personalApiKey: served.credentials.personalApiKey,
  featureFlagsPollingInterval,
})

describe('posthog-node, asking the service', () => {
  it('gets values, results and payloads', async () => {
    await withClient({}, async (client) => {
      expect(await client.isFeatureEnabled('everybody', 'ada')).toBe(true)
      expect(await client.getFeatureFlag('nobody', 'ada')).toBe(false)
      expect(['red', 'green', 'blue']).toContain(await client.getFeatureFlag('colour', 'ada'))
      expect(await client.getFeatureFlag('inactive', 'ada')).toBeUndefined()
      expect(await client.getFeatureFlag('nosuch', 'ada')).toBeUndefined()
      expect(await client.getFeatureFlagPayload('everybody', 'ada')).toEqual({ welcome: true })
      expect(await client.getFeatureFlagPayload('nobody', 'ada')).toBeFalsy()
      expect(await client.getFeatureFlagResult('everybody', 'ada')).toMatchObject({
        key: 'everybody',
        enabled: true,
        payload: { welcome: true },
      })
    })
  })

  it('gets all flags that are meant for servers', async () => {
    await withClient({}, async (client) => {
      const { featureFlags, featureFlagPayloads } = await client.getAllFlagsAndPayloads('ada')
      expect(Object.keys(featureFlags!).sort()).toEqual(
        Object.keys(ids)
          .filter((key) => key !== 'inactive' && key !== 'on-client')
          .sort(),
      )
      expect(featureFlagPayloads).toMatchObject({ everybody: { welcome: true } })
      expect(await client.getAllFlags('ada', { flagKeys: ['everybody', 'nobody'] })).toEqual({
        everybody: true,
        nobody: false,
      })
      const snapshot = await client.evaluateFlags('ada')
      expect([snapshot.isEnabled('everybody'), snapshot.getFlagPayload('everybody')]).toEqual([
        true,
        { welcome: true },
      ])
    })
  })

  it('sends groups and properties, which win over captured ones', async () => {
    await withClient({ flushAt: 1 }, async (client) => {
      await client.captureImmediate({
        distinctId: 'grace',
        event: 'joined',
        properties: { $set: { age: 70 } },
      })
      expect(await client.getFeatureFlag('adult', 'grace')).toBe(true)
      expect(await client.getFeatureFlag('adult', 'grace', { personProperties: { age: '12' } })).toBe(false)
      expect(await client.getFeatureFlag('adult', 'stranger')).toBe(false)
      const acme = { groups: { company: 'acme' } }
      const paid = await client.getFeatureFlag('company', 'grace', acme)
      const free = { ...acme, groupProperties: { company: { plan: 'free' } } }
      expect(await client.getFeatureFlag('company', 'grace', free)).toBe(false)
      expect(paid).toBe(
        await client.getFeatureFlag('company', 'somebody-else', {
          ...acme,
          groupProperties: { company: { plan: 'paid' } },
        }),
      )
    })
  })

  it('captures flag calls with their version', async () => {
    await withClient({}, async (client) => {
      await client.getFeatureFlag('everybody', 'caller')
    })
    const events = await served.storedEvents('caller')
    expect(events).toMatchObject([{ flag_key: 'everybody' }])
    expect(events[0]!.properties).toMatchObject({
      $feature_flag: 'everybody',
      $feature_flag_response: true,
      $feature_flag_id: ids.everybody,
      $feature_flag_version: 1,
      $feature_flag_reason: 'Matched condition set 1',
      $feature_flag_request_id: expect.stringMatching(/^[\da-f-]{36}$/),
    })
  })

  it('survives a token that is not known', async () => {
    const client = new PostHog('phc_nobody', { host: served.url, fetchRetryCount: 0 })
    expect(await client.getAllFlags('ada')).toEqual({})
    await client.shutdown()
  })
})

describe('posthog-node, evaluating by itself', () => {
  it('agrees with the service for every person', async () => {
    await withClient(local(), (evaluating) =>
      withClient({}, async (asking) => {
        expect(await evaluating.waitForLocalEvaluationReady()).toBe(true)
        const seen: Record<string, Set<unknown>> = {}
        for (const { distinctId, ...options } of PEOPLE) {
          const here = await evaluating.getAllFlags(distinctId, { ...options, onlyEvaluateLocally: true })
          const there = await asking.getAllFlags(distinctId, options)
          // Inactive flags are false where definitions are known, and absent where they are not.
          const { inactive, 'on-client': _other, ...rest } = here
          expect(inactive).toBe(false)
          expect([distinctId, rest]).toEqual([distinctId, there])
          for (const [key, value] of Object.entries(there)) (seen[key] ??= new Set()).add(value)
        }
        // The people are as different as the flags ask for.
        const constant = new Set(['everybody', 'nobody', 'on-server'])
        const told = Object.entries(seen).map(([key, values]) => [key, values.size > 1 || constant.has(key)])
        expect(told.filter(([, differs]) => !differs)).toEqual([])
      }),
    )
  })

  it('finds payloads, and the runtimes of flags', async () => {
    await withClient(local(), async (client) => {
      await client.waitForLocalEvaluationReady()
      const only = { onlyEvaluateLocally: true }
      expect(await client.getFeatureFlagPayload('everybody', 'ada', undefined, only)).toEqual({
        welcome: true,
      })
      expect(client.getFeatureFlagEvaluationRuntime('on-server')).toBe('server')
      expect(client.getFeatureFlagKeysByEvaluationRuntime('client')).toContain('on-client')
    })
  })

  it('takes over a change within a poll', async () => {
    const id = await flags.create({ key: 'moving', filters: PARTLY(0) })
    await withClient(local(100), async (client) => {
      await client.waitForLocalEvaluationReady()
      const value = () => client.getFeatureFlag('moving', 'ada', { onlyEvaluateLocally: true })
      // A change is published behind its response.
      await expect.poll(value, { timeout: 5_000 }).toBe(false)
      await flags.update(id, { filters: PARTLY(100) })
      await expect.poll(value, { timeout: 5_000 }).toBe(true)
      await flags.update(id, { active: false })
      await expect.poll(value, { timeout: 5_000 }).toBe(false)
    })
  })

  it('reloads on request', async () => {
    const id = await flags.create({ key: 'reloaded', filters: PARTLY(0) })
    await withClient(local(), async (client) => {
      await client.waitForLocalEvaluationReady()
      await flags.update(id, { filters: PARTLY(100) })
      const reloaded = async () => {
        await client.reloadFeatureFlags()
        return client.getFeatureFlag('reloaded', 'ada', { onlyEvaluateLocally: true })
      }
      await expect.poll(reloaded, { timeout: 5_000 }).toBe(true)
    })
  })

  it('calls the service for flags that it cannot evaluate locally', async () => {
    await flags.create({ key: 'continuous', ensure_experience_continuity: true, filters: variants(SHARES) })
    await withClient(local(), async (client) => {
      await client.waitForLocalEvaluationReady()
      expect(await client.getFeatureFlag('continuous', 'ada', { onlyEvaluateLocally: true })).toBeUndefined()
      expect(['red', 'green', 'blue']).toContain(await client.getFeatureFlag('continuous', 'ada'))
    })
  })

  it('hears that its key opens nothing', async () => {
    await withClient(
      { ...local(), personalApiKey: 'phx_nobody' },
      async (client) => {
        expect(await client.waitForLocalEvaluationReady(300)).toBe(false)
        expect(await client.getFeatureFlag('everybody', 'ada')).toBe(true)
      },
      [{ message: expect.stringContaining('invalid') }],
    )
  })
})

describe('posthog-node, reading remote configuration', () => {
  it('gets a payload that is encrypted where it is stored', async () => {
    await flags.create({
      key: 'vault',
      is_remote_configuration: true,
      has_encrypted_payloads: true,
      filters: open({ payloads: { true: '{"secret": "rope"}' } }),
    })
    await withClient(local(), async (client) => {
      expect(await client.getRemoteConfigPayload('vault')).toEqual({ secret: 'rope' })
      expect(await client.getFeatureFlag('vault', 'ada')).toBeUndefined()
    })
  })

  it('gets that of its own project, whichever is the current one of the user', async () => {
    const call = async (method: string, path: string, body: unknown) => {
      const response = await fetch(`${served.url}${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${served.credentials.personalApiKey}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify(body),
      })
      expect(response.ok).toBe(true)
      return (await response.json()) as { id: number; api_token: string }
    }
    const enter = (project: number) => call('PATCH', '/api/users/@me/', { set_current_team: project })
    const rates = (payload: string) => ({
      key: 'rates',
      is_remote_configuration: true,
      filters: open({ payloads: { true: payload } }),
    })
    const staging = await call('POST', '/api/projects/', { name: 'Staging' })
    await flags.create(rates('"production"'))
    await call('POST', `/api/projects/${staging.id}/feature_flags/`, rates('"staging"'))
    for (const current of [served.projectId, staging.id]) {
      await enter(current)
      await withClient(local(), async (client) => {
        expect(await client.getRemoteConfigPayload('rates')).toBe('production')
      })
      await withClient(
        local(),
        async (client) => {
          expect(await client.getRemoteConfigPayload('rates')).toBe('staging')
          expect((await client.getAllFlagsAndPayloads('ada')).featureFlagPayloads).toEqual({
            rates: 'staging',
          })
        },
        [],
        staging.api_token,
      )
    }
    await enter(served.projectId)
  })
})
