// Writes code that evaluates a flag by an SDK that returns one flag per call. The functions are pure.
import { groupsOf, lastVariant, listOf, type Sample, type SampleInput } from './sample'

export interface Sdk {
  name: string
  install: string
  group(type: string, key: string): string
  /** The text between two groups. Default: a comma. */
  separator?: string
  /** The arguments of a call. */
  args(key: string, groups: string, isPayload: boolean): string
  /** The statement that reads the payload. */
  payload(args: string): string
  isOn(args: string): string
  isVariant(args: string, variant: string): string
  branch(condition: string, comment: string): string
  /** The whole code. @param use what reads the flag */
  code(input: SampleInput, use: string, groups: readonly string[]): string
}

export function sampleBy(sdk: Sdk, input: SampleInput): Sample {
  const { key, isConfig = false } = input
  const variant = lastVariant(input)
  const groups = groupsOf(input).map(([type, group]) => sdk.group(type, group))
  const args = sdk.args(key, groups.join(sdk.separator ?? ', '), isConfig)
  const condition = variant === undefined ? sdk.isOn(args) : sdk.isVariant(args, variant)
  const use = isConfig ? sdk.payload(args) : sdk.branch(condition, variant ?? 'new behaviour')
  return { name: sdk.name, install: sdk.install, code: sdk.code(input, use, groups) }
}

/** Returns options of an SDK, which has its own names for the host and the contexts. */
export const optionsOf = (
  { host, contexts = [] }: SampleInput,
  hostName: string,
  contextsName: string,
): string =>
  `{ ${hostName}: '${host}'${contexts.length > 0 ? `, ${contextsName}: ${listOf(contexts)}` : ''} }`

const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`)

export const javaScript: Sdk = {
  name: 'JavaScript',
  install: 'npm install posthog-js',
  group: (type, key) => `posthog.group('${type}', '${key}')\n`,
  args: (key) => `('${key}')`,
  payload: (args) => `const config = posthog.getFeatureFlagPayload${args}`,
  isOn: (args) => `posthog.isFeatureEnabled${args}`,
  isVariant: (args, variant) => `posthog.getFeatureFlag${args} === '${variant}'`,
  branch: (condition, comment) => `if (${condition}) {\n  // ${comment}\n}`,
  code: (input, use, groups) => `import posthog from 'posthog-js'

posthog.init('${input.token}', ${optionsOf(input, 'api_host', 'evaluation_contexts')})
${groups.join('')}posthog.onFeatureFlags(() => {
  ${indented(use, '  ')}
})`,
}

export const node: Sdk = {
  name: 'Node',
  install: 'npm install posthog-node',
  group: (type, key) => `${type}: '${key}'`,
  args: (key, groups, isPayload) =>
    `('${key}', distinctId${groups && `${isPayload ? ', undefined' : ''}, { groups: { ${groups} } }`})`,
  payload: (args) => `const config = await client.getFeatureFlagPayload${args}`,
  isOn: (args) => `await client.getFeatureFlag${args}`,
  isVariant: (args, variant) => `await client.getFeatureFlag${args} === '${variant}'`,
  branch: javaScript.branch,
  code: (input, use) => `import { PostHog } from 'posthog-node'

const client = new PostHog('${input.token}', ${optionsOf(input, 'host', 'evaluationContexts')})
${use}`,
}

export const python: Sdk = {
  name: 'Python',
  install: 'pip install posthog',
  group: (type, key) => `'${type}': '${key}'`,
  args: (key, groups) => `('${key}', distinct_id${groups && `, groups={${groups}}`})`,
  payload: (args) => `config = posthog.get_feature_flag_payload${args}`,
  isOn: (args) => `posthog.feature_enabled${args}`,
  isVariant: (args, variant) => `posthog.get_feature_flag${args} == '${variant}'`,
  branch: (condition) => `if ${condition}:\n    ...`,
  code: ({ token, host }, use) => `from posthog import Posthog

posthog = Posthog('${token}', host='${host}')
${use}`,
}

export const go: Sdk = {
  name: 'Go',
  install: 'go get github.com/posthog/posthog-go',
  group: (type, key) => `.Set("${type}", "${key}")`,
  separator: '',
  args: (key, groups) =>
    `(posthog.FeatureFlagPayload{Key: "${key}", DistinctId: distinctID${groups && `, Groups: posthog.NewGroups()${groups}`}})`,
  payload: (args) => `config, err := client.GetFeatureFlagPayload${args}`,
  isOn: (args) => `value, err := client.GetFeatureFlag${args}\nif err == nil && value == true`,
  isVariant: (args, variant) =>
    `value, err := client.GetFeatureFlag${args}\nif err == nil && value == "${variant}"`,
  branch: (condition, comment) => `${condition} {\n\t// ${comment}\n}`,
  code: ({ token, host }, use) => `import "github.com/posthog/posthog-go"

client, err := posthog.NewWithConfig("${token}", posthog.Config{Endpoint: "${host}"})
if err != nil {
	return err
}
defer client.Close()
${use}`,
}

export const ruby: Sdk = {
  name: 'Ruby',
  install: 'gem install posthog-ruby',
  group: (type, key) => `'${type}' => '${key}'`,
  args: (key, groups) => `('${key}', distinct_id${groups && `, groups: { ${groups} }`})`,
  payload: (args) => `config = posthog.get_feature_flag_payload${args}`,
  isOn: (args) => `posthog.get_feature_flag${args}`,
  isVariant: (args, variant) => `posthog.get_feature_flag${args} == '${variant}'`,
  branch: (condition, comment) => `if ${condition}\n  # ${comment}\nend`,
  code: ({ token, host }, use) => `require 'posthog'

posthog = PostHog::Client.new(api_key: '${token}', host: '${host}')
${use}`,
}

export const php: Sdk = {
  name: 'PHP',
  install: 'composer require posthog/posthog-php',
  group: ruby.group,
  args: (key, groups) => `('${key}', $distinctId${groups && `, [${groups}]`})`,
  payload: (args) => `$config = PostHog::getFeatureFlagPayload${args};`,
  isOn: (args) => `PostHog::getFeatureFlag${args}`,
  isVariant: (args, variant) => `PostHog::getFeatureFlag${args} === '${variant}'`,
  branch: (condition, comment) => `if (${condition}) {\n    // ${comment}\n}`,
  code: ({ token, host }, use) => `use PostHog\\PostHog;

PostHog::init('${token}', ['host' => '${host}']);
${use}`,
}

export const ios: Sdk = {
  name: 'iOS',
  install: '.package(url: "https://github.com/PostHog/posthog-ios.git", from: "3.0.0")',
  group: (type, key) => `PostHogSDK.shared.group(type: "${type}", key: "${key}")\n`,
  args: (key) => `("${key}")`,
  payload: (args) => `let config = PostHogSDK.shared.getFeatureFlagPayload${args}`,
  isOn: (args) => `PostHogSDK.shared.isFeatureEnabled${args}`,
  isVariant: (args, variant) => `PostHogSDK.shared.getFeatureFlag${args} as? String == "${variant}"`,
  branch: (condition, comment) => `if ${condition} {\n    // ${comment}\n}`,
  code: ({ token, host }, use, groups) => `import PostHog

PostHogSDK.shared.setup(PostHogConfig(apiKey: "${token}", host: "${host}"))
${groups.join('')}PostHogSDK.shared.reloadFeatureFlags {
    ${indented(use, '    ')}
}`,
}

export const android: Sdk = {
  name: 'Android',
  install: 'implementation("com.posthog:posthog-android:3.+")',
  group: (type, key) => `PostHog.group(type = "${type}", key = "${key}")\n`,
  args: ios.args,
  payload: (args) => `val config = PostHog.getFeatureFlagPayload${args}`,
  isOn: (args) => `PostHog.isFeatureEnabled${args}`,
  isVariant: (args, variant) => `PostHog.getFeatureFlag${args} == "${variant}"`,
  branch: php.branch,
  code: ({ token, host }, use, groups) => `import com.posthog.PostHog
import com.posthog.android.PostHogAndroid
import com.posthog.android.PostHogAndroidConfig

PostHogAndroid.setup(this, PostHogAndroidConfig(apiKey = "${token}", host = "${host}"))
${groups.join('')}PostHog.reloadFeatureFlags {
    ${indented(use, '    ')}
}`,
}
