// Code that asks for a flag, by SDK. Pure.

interface SampleInput {
  key: string
  token: string
  /** Origin of the service. */
  host: string
  variants: readonly string[]
  isConfig: boolean
  projectId: number
}

export interface Sample {
  name: string
  install?: string
  code: string
}

export function samplesOf({ key, token, host, variants, isConfig, projectId }: SampleInput): Sample[] {
  const variant = variants.at(-1)
  const test = (read: string) =>
    variant === undefined
      ? `if (${read}) {\n  // new behaviour\n}`
      : `if (${read} === '${variant}') {\n  // ${variant}\n}`
  const browser: Sample = {
    name: 'JavaScript',
    install: 'npm install posthog-js',
    code: `import posthog from 'posthog-js'

posthog.init('${token}', { api_host: '${host}' })
posthog.onFeatureFlags(() => {
  ${isConfig ? `const config = posthog.getFeatureFlagPayload('${key}')` : test(variant === undefined ? `posthog.isFeatureEnabled('${key}')` : `posthog.getFeatureFlag('${key}')`).replaceAll('\n', '\n  ')}
})`,
  }
  const react: Sample = {
    name: 'React',
    install: 'npm install posthog-js @posthog/react',
    code: isConfig
      ? `import { useFeatureFlagPayload } from '@posthog/react'

export function Banner() {
  const config = useFeatureFlagPayload('${key}')
  return config ? <p>{config.title}</p> : null
}`
      : `import { useFeatureFlag${variant === undefined ? 'Enabled' : 'VariantKey'} } from '@posthog/react'

export function Feature() {
  const value = useFeatureFlag${variant === undefined ? 'Enabled' : 'VariantKey'}('${key}')
  return ${variant === undefined ? 'value' : `value === '${variant}'`} ? <New /> : <Old />
}`,
  }
  const node: Sample = {
    name: 'Node',
    install: 'npm install posthog-node',
    code: `import { PostHog } from 'posthog-node'

const client = new PostHog('${token}', { host: '${host}' })
${isConfig ? `const config = await client.getFeatureFlagPayload('${key}', distinctId)` : test(`await client.getFeatureFlag('${key}', distinctId)`)}`,
  }
  const python: Sample = {
    name: 'Python',
    install: 'pip install posthog',
    code: `from posthog import Posthog

posthog = Posthog('${token}', host='${host}')
${isConfig ? `config = posthog.get_feature_flag_payload('${key}', distinct_id)` : variant === undefined ? `if posthog.feature_enabled('${key}', distinct_id):\n    ...` : `if posthog.get_feature_flag('${key}', distinct_id) == '${variant}':\n    ...`}`,
  }
  const openFeature: Sample = {
    name: 'OpenFeature',
    install: 'npm install @openfeature/web-sdk @openfeature/ofrep-web-provider',
    code: `import { OpenFeature } from '@openfeature/web-sdk'
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'

const provider = new OFREPWebProvider({
  baseUrl: '${host}',
  fetchImplementation: (input, init) => {
    const request = new Request(input, init)
    request.headers.set('Authorization', 'Bearer ${token}')
    return fetch(request)
  },
})
await OpenFeature.setProviderAndWait(provider, { targetingKey: distinctId })
const value = OpenFeature.getClient().${variant === undefined ? `getBooleanValue('${key}', false)` : `getStringValue('${key}', '${variants[0]}')`}`,
  }
  const curl: Sample = {
    name: 'curl',
    code: isConfig
      ? `# $KEY: a personal API key with the scope feature_flag:read
curl '${host}/api/projects/${projectId}/feature_flags/${key}/remote_config/' \\
  -H "Authorization: Bearer $KEY"`
      : `curl '${host}/flags/?v=2' \\
  -H 'Content-Type: application/json' \\
  -d '{"token": "${token}", "distinct_id": "user-1"}'`,
  }
  return [browser, react, node, python, ...(isConfig ? [] : [openFeature]), curl]
}
