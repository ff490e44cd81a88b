import type { Credentials } from './credentials'
import type { LocalSetup } from './setup'

export const curlOf = ({ base_url, project_id, personal_api_key }: Credentials): string =>
  `  curl -s ${base_url}/api/projects/${project_id}/feature_flags/ \\
    -H 'Authorization: Bearer ${personal_api_key}' -H 'Content-Type: application/json' \\
    -d '{"key": "hello-world", "filters": {"groups": [{"rollout_percentage": 50}]}}'`

/** Returns a command that lists flags, with the key from the file. */
const listOf = ({ base_url, project_id }: Credentials, file: string): string =>
  `  curl -s ${base_url}/api/projects/${project_id}/feature_flags/ \\
    -H "Authorization: Bearer $(node -p "require('./${file}').personal_api_key")"`

/**
 * Returns the lines about credentials. Secrets are shown once, and only to people, because the output of a program may be stored in a log.
 */
export function credentialLines(
  { credentials, isNew, stale, file }: LocalSetup,
  isTerminal: boolean,
): string {
  if (!credentials) {
    return `The accounts are those that the database has; ${file} has no credentials for them. Sign in with a password
that you know, or make a new password and key for the first user: npm start -- --renew`
  }
  if (isNew && isTerminal) {
    return `Sign in as ${credentials.email} with the password ${credentials.password}
The API key is ${credentials.personal_api_key}

They are shown this time only, and are in ${file}. Paste this to create a flag:

${curlOf(credentials)}`
  }
  const changed = `The ${stale.join(' and the ')} in it ${stale.length > 1 ? 'have' : 'has'} changed since. Make new ones: npm start -- --renew`
  return `The password of ${credentials.email}, the API key and the project's token are in ${file}.
${stale.length > 0 ? changed : `Paste this to list the flags:\n\n${listOf(credentials, file)}`}`
}

/** Returns the text that `npm start` prints when the service responds. */
export const greeting = (setup: LocalSetup, { isTerminal }: { isTerminal: boolean }): string => `
Halyard is serving on ${setup.baseUrl}

  Console     ${setup.baseUrl}
  Reference   ${setup.baseUrl}/docs

${credentialLines(setup, isTerminal)}

Ctrl-C stops the server.
`
