import { describe, expect, it } from 'vitest'
import { samplesOf } from '../../src/console/flag/samples/code-samples'
import type { SampleInput } from '../../src/console/flag/samples/sample'

const BASE: SampleInput = {
  key: 'new-checkout',
  token: 'phc_1',
  host: 'https://flags.example.com',
  projectId: 7,
}
const codes = (change: Partial<SampleInput>) =>
  Object.fromEntries(samplesOf({ ...BASE, ...change }).map(({ name, code }) => [name, code]))
const GROUPS = { groupTypes: ['company'], contexts: ['web', 'app'] }

describe('code that evaluates a flag', () => {
  it.each([
    [
      {},
      ['JavaScript', 'React', 'Node', 'Python', 'Go', 'Ruby', 'PHP', 'iOS', 'Android', 'OpenFeature', 'curl'],
    ],
    [
      { isConfig: true },
      ['JavaScript', 'React', 'Node', 'Python', 'Go', 'Ruby', 'PHP', 'iOS', 'Android', 'curl'],
    ],
    [{ isConfig: true, isEncrypted: true }, ['Node', 'Python', 'curl']],
    [{ runtime: 'server' }, ['Node', 'Python', 'Go', 'Ruby', 'PHP', 'curl']],
    [{ runtime: 'client' }, ['JavaScript', 'React', 'iOS', 'Android', 'OpenFeature', 'curl']],
    [
      { contexts: ['web'] },
      ['JavaScript', 'React', 'Node', 'Python', 'Go', 'Ruby', 'PHP', 'iOS', 'Android', 'OpenFeature', 'curl'],
    ],
    [
      { variants: ['control', 'test'], groupTypes: ['company'] },
      ['JavaScript', 'React', 'Node', 'Python', 'Go', 'Ruby', 'PHP', 'iOS', 'Android', 'OpenFeature', 'curl'],
    ],
  ] as [Partial<SampleInput>, string[]][])('%j: only SDKs that get it, with the address', (change, names) => {
    const samples = codes(change)
    expect(Object.keys(samples)).toEqual(names)
    for (const [name, code] of Object.entries(samples)) {
      for (const text of [BASE.key, BASE.host]) expect(code, name).toContain(text)
      // A personal API key takes the place of the token.
      expect(code, name).toContain(change.isEncrypted && name === 'curl' ? '/api/projects/7/' : BASE.token)
      if (change.variants) expect(code, name).toMatch(name === 'curl' ? /flags/ : /control|test/)
    }
  })

  it('names groups and evaluation contexts', () => {
    const samples = codes(GROUPS)
    expect(samples.JavaScript).toBe(`import posthog from 'posthog-js'

posthog.init('phc_1', { api_host: 'https://flags.example.com', evaluation_contexts: ['web', 'app'] })
posthog.group('company', 'key-of-the-company')
posthog.onFeatureFlags(() => {
  if (posthog.isFeatureEnabled('new-checkout')) {
    // new behaviour
  }
})`)
    expect(samples.React)
      .toBe(`import { PostHogProvider, useFeatureFlagEnabled, usePostHog } from '@posthog/react'
import { useEffect } from 'react'

export const App = () => (
  <PostHogProvider apiKey="phc_1" options={{ api_host: 'https://flags.example.com', evaluation_contexts: ['web', 'app'] }}>
    <Feature />
  </PostHogProvider>
)

function Feature() {
  const posthog = usePostHog()
  useEffect(() => {
    posthog.group('company', 'key-of-the-company')
  }, [posthog])
  const value = useFeatureFlagEnabled('new-checkout')
  return value ? <New /> : <Old />
}`)
    expect(samples.Node).toBe(`import { PostHog } from 'posthog-node'

const client = new PostHog('phc_1', { host: 'https://flags.example.com', evaluationContexts: ['web', 'app'] })
if (await client.getFeatureFlag('new-checkout', distinctId, { groups: { company: 'key-of-the-company' } })) {
  // new behaviour
}`)
    expect(samples.OpenFeature).toContain(
      "{ targetingKey: distinctId, groups: { company: 'key-of-the-company' }, evaluation_contexts: ['web', 'app'] }",
    )
    const body: unknown = JSON.parse(/-d '(.*)'$/.exec(samples.curl!)![1]!)
    expect(body).toEqual({
      token: 'phc_1',
      distinct_id: 'user-1',
      flag_keys_to_evaluate: ['new-checkout'],
      groups: { company: 'key-of-the-company' },
      evaluation_contexts: ['web', 'app'],
    })
  })

  it('asks for a variant with groups, in every language', () => {
    const { Go, Ruby, PHP, iOS, Android } = codes({ ...GROUPS, variants: ['control', 'test'] })
    expect(Go).toBe(`import "github.com/posthog/posthog-go"

client, err := posthog.NewWithConfig("phc_1", posthog.Config{Endpoint: "https://flags.example.com"})
if err != nil {
	return err
}
defer client.Close()
value, err := client.GetFeatureFlag(posthog.FeatureFlagPayload{Key: "new-checkout", DistinctId: distinctID, Groups: posthog.NewGroups().Set("company", "key-of-the-company")})
if err == nil && value == "test" {
	// test
}`)
    expect(Ruby).toBe(`require 'posthog'

posthog = PostHog::Client.new(api_key: 'phc_1', host: 'https://flags.example.com')
if posthog.get_feature_flag('new-checkout', distinct_id, groups: { 'company' => 'key-of-the-company' }) == 'test'
  # test
end`)
    expect(PHP).toBe(`use PostHog\\PostHog;

PostHog::init('phc_1', ['host' => 'https://flags.example.com']);
if (PostHog::getFeatureFlag('new-checkout', $distinctId, ['company' => 'key-of-the-company']) === 'test') {
    // test
}`)
    expect(iOS).toBe(`import PostHog

PostHogSDK.shared.setup(PostHogConfig(apiKey: "phc_1", host: "https://flags.example.com"))
PostHogSDK.shared.group(type: "company", key: "key-of-the-company")
PostHogSDK.shared.reloadFeatureFlags {
    if PostHogSDK.shared.getFeatureFlag("new-checkout") as? String == "test" {
        // test
    }
}`)
    expect(Android).toBe(`import com.posthog.PostHog
import com.posthog.android.PostHogAndroid
import com.posthog.android.PostHogAndroidConfig

PostHogAndroid.setup(this, PostHogAndroidConfig(apiKey = "phc_1", host = "https://flags.example.com"))
PostHog.group(type = "company", key = "key-of-the-company")
PostHog.reloadFeatureFlags {
    if (PostHog.getFeatureFlag("new-checkout") == "test") {
        // test
    }
}`)
  })

  it('passes groups where a payload is read', () => {
    const samples = codes({ isConfig: true, groupTypes: ['company'] })
    expect(samples.Node).toContain(
      "getFeatureFlagPayload('new-checkout', distinctId, undefined, { groups: { company: 'key-of-the-company' } })",
    )
    expect(samples.Python).toContain(
      "get_feature_flag_payload('new-checkout', distinct_id, groups={'company': 'key-of-the-company'})",
    )
    expect(samples.PHP).toContain(
      "getFeatureFlagPayload('new-checkout', $distinctId, ['company' => 'key-of-the-company'])",
    )
  })
})
