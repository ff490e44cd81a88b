// Writes code that evaluates a flag in a mobile app. The functions are pure.
import { groupsOf, lastVariant, type Sample, type SampleInput } from './sample'

export function ios(input: SampleInput): Sample {
  const { key, token, host, isConfig } = input
  const variant = lastVariant(input)
  const groups = groupsOf(input).map(
    ([type, group]) => `PostHogSDK.shared.group(type: "${type}", key: "${group}")\n`,
  )
  return {
    name: 'iOS',
    install: '.package(url: "https://github.com/PostHog/posthog-ios.git", from: "3.0.0")',
    code: `import PostHog

PostHogSDK.shared.setup(PostHogConfig(apiKey: "${token}", host: "${host}"))
${groups.join('')}PostHogSDK.shared.reloadFeatureFlags {
    ${
      isConfig
        ? `let config = PostHogSDK.shared.getFeatureFlagPayload("${key}")`
        : `if ${
            variant === undefined
              ? `PostHogSDK.shared.isFeatureEnabled("${key}")`
              : `PostHogSDK.shared.getFeatureFlag("${key}") as? String == "${variant}"`
          } {
        // ${variant ?? 'new behaviour'}
    }`
    }
}`,
  }
}

export function android(input: SampleInput): Sample {
  const { key, token, host, isConfig } = input
  const variant = lastVariant(input)
  const groups = groupsOf(input).map(([type, group]) => `PostHog.group(type = "${type}", key = "${group}")\n`)
  return {
    name: 'Android',
    install: 'implementation("com.posthog:posthog-android:3.+")',
    code: `import com.posthog.PostHog
import com.posthog.android.PostHogAndroid
import com.posthog.android.PostHogAndroidConfig

PostHogAndroid.setup(this, PostHogAndroidConfig(apiKey = "${token}", host = "${host}"))
${groups.join('')}PostHog.reloadFeatureFlags {
    ${
      isConfig
        ? `val config = PostHog.getFeatureFlagPayload("${key}")`
        : `if (${
            variant === undefined
              ? `PostHog.isFeatureEnabled("${key}")`
              : `PostHog.getFeatureFlag("${key}") == "${variant}"`
          }) {
        // ${variant ?? 'new behaviour'}
    }`
    }
}`,
  }
}
