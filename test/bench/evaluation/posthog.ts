// Wraps posthog-node with local evaluation. Its transport is replaced, so that definitions come from here and nothing is sent.

import { PostHog } from 'posthog-node'
import type { Engine } from './engine'
import { definitions } from './halyard'
import { contexts } from './subjects'

export async function posthog(): Promise<Engine> {
  const body = { flags: definitions, group_type_mapping: {}, cohorts: {}, property_matching_version: 1 }
  const client = new PostHog('phc_bench', {
    personalApiKey: 'phx_bench',
    host: 'http://localhost',
    featureFlagsPollingInterval: 3_600_000,
    fetch: async () => new Response(JSON.stringify(body), { status: 200 }),
  })
  await client.reloadFeatureFlags()
  const subject = contexts(({ id, ...rest }) => ({
    id,
    options: {
      onlyEvaluateLocally: true,
      sendFeatureFlagEvents: false,
      personProperties: rest as unknown as Record<string, string>,
    },
  }))
  const ask = (key: string) => async (index: number) => {
    const { id, options } = subject(index)
    return (await client.getFeatureFlag(key, id, options)) ?? 'unanswered'
  }
  return {
    name: 'posthog-node',
    rollout: ask('rollout'),
    targeting: ask('targeting'),
    variants: ask('variants'),
  }
}
