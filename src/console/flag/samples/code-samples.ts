// Writes code that evaluates a flag, by SDK. The functions are pure.
import { groupsOf, lastVariant, listOf, type Sample, type SampleInput } from './sample'
import { android, go, ios, javaScript, node, optionsOf, php, python, ruby, sampleBy, type Sdk } from './sdks'

/** Returns the samples that work for the flag. SDKs that do not get it are left out. */
export function samplesOf(input: SampleInput): Sample[] {
  if (input.isEncrypted) return [encryptedNode(input), encryptedPython(input), encryptedCurl(input)]
  const { runtime = 'all', isConfig = false } = input
  const forClients = runtime !== 'server'
  const forServers = runtime !== 'client'
  const by = (...sdks: readonly Sdk[]) => sdks.map((sdk) => sampleBy(sdk, input))
  return [
    ...(forClients ? [...by(javaScript), react(input)] : []),
    // The samples after Node name no contexts, so that these SDKs get flags with any.
    ...(forServers ? by(node, python, go, ruby, php) : []),
    ...(forClients ? by(ios, android) : []),
    ...(forClients && !isConfig ? [openFeature(input)] : []),
    curl(input),
  ]
}

function react(input: SampleInput): Sample {
  const { key, token, isConfig } = input
  const variant = lastVariant(input)
  const hook = isConfig
    ? 'useFeatureFlagPayload'
    : `useFeatureFlag${variant === undefined ? 'Enabled' : 'VariantKey'}`
  const groups = groupsOf(input)
  const component = isConfig
    ? `  const config = ${hook}('${key}')
  return config ? <p>{config.title}</p> : null`
    : `  const value = ${hook}('${key}')
  return ${variant === undefined ? 'value' : `value === '${variant}'`} ? <New /> : <Old />`
  const grouping = `  const posthog = usePostHog()
  useEffect(() => {
${groups.map(([type, group]) => `    posthog.group('${type}', '${group}')\n`).join('')}  }, [posthog])
`
  return {
    name: 'React',
    install: 'npm install posthog-js @posthog/react',
    code: `import { PostHogProvider, ${hook}${groups.length > 0 ? ', usePostHog' : ''} } from '@posthog/react'
${groups.length > 0 ? `import { useEffect } from 'react'\n` : ''}
export const App = () => (
  <PostHogProvider apiKey="${token}" options={${optionsOf(input, 'api_host', 'evaluation_contexts')}}>
    <Feature />
  </PostHogProvider>
)

function Feature() {
${groups.length > 0 ? grouping : ''}${component}
}`,
  }
}

function openFeature(input: SampleInput): Sample {
  const { key, token, host, variants = [], contexts = [] } = input
  const groups = groupsOf(input).map(([type, group]) => `${type}: '${group}'`)
  const context = [
    'targetingKey: distinctId',
    ...(groups.length > 0 ? [`groups: { ${groups.join(', ')} }`] : []),
    ...(contexts.length > 0 ? [`evaluation_contexts: ${listOf(contexts)}`] : []),
  ]
  const read =
    variants.length === 0 ? `getBooleanValue('${key}', false)` : `getStringValue('${key}', '${variants[0]}')`
  return {
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
await OpenFeature.setProviderAndWait(provider, { ${context.join(', ')} })
const value = OpenFeature.getClient().${read}`,
  }
}

function curl(input: SampleInput): Sample {
  const { key, token, host, contexts = [], runtime } = input
  const groups = groupsOf(input)
  const body = {
    token,
    distinct_id: 'user-1',
    flag_keys_to_evaluate: [key],
    ...(groups.length > 0 && { groups: Object.fromEntries(groups) }),
    ...(contexts.length > 0 && { evaluation_contexts: contexts }),
    // curl counts as a server.
    ...(runtime === 'client' && { evaluation_runtime: runtime }),
  }
  return {
    name: 'curl',
    code: `curl '${host}/flags/?v=2' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
  }
}

const encryptedNode = ({ key, token, host }: SampleInput): Sample => ({
  name: 'Node',
  install: 'npm install posthog-node',
  code: `import { PostHog } from 'posthog-node'

// KEY: a personal API key with the scope feature_flag:read
const client = new PostHog('${token}', { host: '${host}', personalApiKey: process.env.KEY })
const config = await client.getRemoteConfigPayload('${key}')`,
})

const encryptedPython = ({ key, token, host }: SampleInput): Sample => ({
  name: 'Python',
  install: 'pip install posthog',
  code: `import os
from posthog import Posthog

# KEY: a personal API key with the scope feature_flag:read
posthog = Posthog('${token}', host='${host}', personal_api_key=os.environ['KEY'])
config = posthog.get_remote_config_payload('${key}')`,
})

const encryptedCurl = ({ key, host, projectId }: SampleInput): Sample => ({
  name: 'curl',
  code: `# KEY: a personal API key with the scope feature_flag:read
curl '${host}/api/projects/${projectId}/feature_flags/${key}/remote_config/' \\
  -H "Authorization: Bearer $KEY"`,
})
