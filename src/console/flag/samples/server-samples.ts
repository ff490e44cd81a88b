// Writes code that evaluates a flag on a server, in languages other than JavaScript and Python. The functions are pure.
import { groupsOf, lastVariant, type Sample, type SampleInput } from './sample'

export function go(input: SampleInput): Sample {
  const { key, token, host, isConfig } = input
  const variant = lastVariant(input)
  const groups = groupsOf(input).map(([type, group]) => `.Set("${type}", "${group}")`)
  const flag = [
    `Key: "${key}"`,
    'DistinctId: distinctID',
    ...(groups.length > 0 ? [`Groups: posthog.NewGroups()${groups.join('')}`] : []),
  ].join(', ')
  const read = isConfig ? 'GetFeatureFlagPayload' : 'GetFeatureFlag'
  return {
    name: 'Go',
    install: 'go get github.com/posthog/posthog-go',
    code: `import "github.com/posthog/posthog-go"

client, err := posthog.NewWithConfig("${token}", posthog.Config{Endpoint: "${host}"})
if err != nil {
	return err
}
defer client.Close()
${isConfig ? 'config' : 'value'}, err := client.${read}(posthog.FeatureFlagPayload{${flag}})${
      isConfig
        ? ''
        : `
if err == nil && value == ${variant === undefined ? 'true' : `"${variant}"`} {
	// ${variant ?? 'new behaviour'}
}`
    }`,
  }
}

export function ruby(input: SampleInput): Sample {
  const { key, token, host, isConfig } = input
  const variant = lastVariant(input)
  const groups = groupsOf(input).map(([type, group]) => `'${type}' => '${group}'`)
  const args = `('${key}', distinct_id${groups.length > 0 ? `, groups: { ${groups.join(', ')} }` : ''})`
  return {
    name: 'Ruby',
    install: 'gem install posthog-ruby',
    code: `require 'posthog'

posthog = PostHog::Client.new(api_key: '${token}', host: '${host}')
${
  isConfig
    ? `config = posthog.get_feature_flag_payload${args}`
    : `if posthog.get_feature_flag${args}${variant === undefined ? '' : ` == '${variant}'`}
  # ${variant ?? 'new behaviour'}
end`
}`,
  }
}

export function php(input: SampleInput): Sample {
  const { key, token, host, isConfig } = input
  const variant = lastVariant(input)
  const groups = groupsOf(input).map(([type, group]) => `'${type}' => '${group}'`)
  const args = `('${key}', $distinctId${groups.length > 0 ? `, [${groups.join(', ')}]` : ''})`
  return {
    name: 'PHP',
    install: 'composer require posthog/posthog-php',
    code: `use PostHog\\PostHog;

PostHog::init('${token}', ['host' => '${host}']);
${
  isConfig
    ? `$config = PostHog::getFeatureFlagPayload${args};`
    : `if (PostHog::getFeatureFlag${args}${variant === undefined ? '' : ` === '${variant}'`}) {
    // ${variant ?? 'new behaviour'}
}`
}`,
  }
}
