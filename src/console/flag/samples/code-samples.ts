// Writes code that evaluates a flag, by SDK. The functions are pure.
import { android, ios } from './app-samples'
import { groupsOf, lastVariant, type Sample, type SampleInput } from './sample'
import { go, php, ruby } from './server-samples'

/** Returns the samples that work for the flag. SDKs that do not get it are left out. */
export function samplesOf(input: SampleInput): Sample[] {
  if (input.isEncrypted) return [encryptedNode(input), encryptedPython(input), encryptedCurl(input)]
  const { runtime = 'all', isConfig = false } = input
  const forClients = runtime !== 'server'
  const forServers = runtime !== 'client'
  return [
    ...(forClients ? [javaScript(input), react(input)] : []),
    // The samples after Node name no contexts, so that these SDKs get flags with any.
    ...(forServers ? [node(input), python(input), go(input), ruby(input), php(input)] : []),
    ...(forClients ? [ios(input), android(input)] : []),
    ...(forClients && !isConfig ? [openFeature(input)] : []),
    curl(input),
  ]
}

const listOf = (texts: readonly string[]) => `[${texts.map((text) => `'${text}'`).join(', ')}]`

/** Returns options of an SDK, which has its own names for the host and the contexts. */
const optionsOf = ({ host, contexts = [] }: SampleInput, hostName: string, contextsName: string) =>
  `{ ${hostName}: '${host}'${contexts.length > 0 ? `, ${contextsName}: ${listOf(contexts)}` : ''} }`

const condition = (input: SampleInput, read: string) => {
  const variant = lastVariant(input)
  return variant === undefined
    ? `if (${read}) {\n  // new behaviour\n}`
    : `if (${read} === '${variant}') {\n  // ${variant}\n}`
}

function javaScript(input: SampleInput): Sample {
  const { key, token } = input
  const read = input.isConfig
    ? `const config = posthog.getFeatureFlagPayload('${key}')`
    : condition(
        input,
        `posthog.${lastVariant(input) === undefined ? 'isFeatureEnabled' : 'getFeatureFlag'}('${key}')`,
      )
  const groups = groupsOf(input).map(([type, group]) => `posthog.group('${type}', '${group}')\n`)
  return {
    name: 'JavaScript',
    install: 'npm install posthog-js',
    code: `import posthog from 'posthog-js'

posthog.init('${token}', ${optionsOf(input, 'api_host', 'evaluation_contexts')})
${groups.join('')}posthog.onFeatureFlags(() => {
  ${read.replaceAll('\n', '\n  ')}
})`,
  }
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

function node(input: SampleInput): Sample {
  const { key, token, isConfig } = input
  const groups = groupsOf(input).map(([type, group]) => `${type}: '${group}'`)
  const options = groups.length > 0 ? `, { groups: { ${groups.join(', ')} } }` : ''
  return {
    name: 'Node',
    install: 'npm install posthog-node',
    code: `import { PostHog } from 'posthog-node'

const client = new PostHog('${token}', ${optionsOf(input, 'host', 'evaluationContexts')})
${
  isConfig
    ? `const config = await client.getFeatureFlagPayload('${key}', distinctId${options && `, undefined${options}`})`
    : condition(input, `await client.getFeatureFlag('${key}', distinctId${options})`)
}`,
  }
}

function python(input: SampleInput): Sample {
  const { key, token, host, isConfig } = input
  const variant = lastVariant(input)
  const groups = groupsOf(input).map(([type, group]) => `'${type}': '${group}'`)
  const args = `('${key}', distinct_id${groups.length > 0 ? `, groups={${groups.join(', ')}}` : ''})`
  return {
    name: 'Python',
    install: 'pip install posthog',
    code: `from posthog import Posthog

posthog = Posthog('${token}', host='${host}')
${
  isConfig
    ? `config = posthog.get_feature_flag_payload${args}`
    : variant === undefined
      ? `if posthog.feature_enabled${args}:\n    ...`
      : `if posthog.get_feature_flag${args} == '${variant}':\n    ...`
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
