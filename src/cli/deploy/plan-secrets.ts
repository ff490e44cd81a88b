// Decides which secrets a deployment generates, takes from the environment, requires and keeps. The function is pure.
import { keyringProblems, MADE_SECRETS } from './secrets'
import { type ActualState, hasUsers } from './account-state'
import type { DesiredState } from './desired-state'
import { secretsOfSettings } from './settings'

export interface SecretsOptions {
  /** Whether to create new keys although the database has data that the lost keys encrypted. */
  newSecrets: boolean
  /** The environment, which may hold values of secrets. */
  env: Readonly<Record<string, string | undefined>>
}

/**
 * Plans the secrets. Those of the Worker are never replaced.
 * @returns names of the Worker's secrets, of those to generate, and of those from the environment
 */
export function planSecrets(
  { secrets, vars }: DesiredState,
  actual: ActualState,
  { env, newSecrets }: SecretsOptions,
) {
  const companions = secretsOfSettings(vars)
  const names = [...new Set([...secrets, ...companions.map(({ secret }) => secret)])]
  const kept = names.filter((name) => actual.worker?.secrets.includes(name))
  const missing = names.filter((name) => !kept.includes(name))
  const given = missing.filter((name) => env[name] !== undefined)
  const made = missing.filter((name) => !given.includes(name) && name in MADE_SECRETS)
  const keyrings = given.filter((name) => name in MADE_SECRETS)
  const problems = keyringProblems(Object.fromEntries(keyrings.map((name) => [name, env[name]!])))
  if (made.length > 0 && hasUsers(actual) && !newSecrets) {
    problems.push(
      `The database is in use, and the Worker has no ${made.join(' and no ')}: what was encrypted with lost keys cannot be read with new ` +
        `ones. Deploy with the old ones in the environment (${made.map((name) => `${name}=…`).join(' ')} npm run deploy), or with ` +
        '--new-secrets to go on without: encrypted payloads and second factors then have to be entered again.',
    )
  }
  for (const name of missing) {
    if (given.includes(name) || made.includes(name)) continue
    const companion = companions.find(({ secret }) => secret === name)
    if (companion && !companion.isNeeded) continue
    const reason = companion ? `${companion.setting} is set in wrangler.toml` : 'wrangler.toml requires it'
    problems.push(`The Worker has no secret ${name}, and ${reason}. Set it once: ${name}=… npm run deploy`)
  }
  return { kept, made, given, problems }
}
