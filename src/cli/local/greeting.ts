import type { Credentials } from './credentials'
import type { LocalSetup } from './setup'

export const curlOf = ({ base_url, project_id, personal_api_key }: Credentials): string =>
  `  curl -s ${base_url}/api/projects/${project_id}/feature_flags/ \\
    -H 'Authorization: Bearer ${personal_api_key}' -H 'Content-Type: application/json' \\
    -d '{"key": "hello-world", "filters": {"groups": [{"rollout_percentage": 50}]}}'`

/** A command that lists flags: on a later start the flag of the first one exists. */
const listOf = ({ base_url, project_id, personal_api_key }: Credentials): string =>
  `  curl -s ${base_url}/api/projects/${project_id}/feature_flags/ -H 'Authorization: Bearer ${personal_api_key}'`

/** What `npm start` prints when the service answers. */
export const greeting = ({ credentials, isNew, file }: LocalSetup): string => `
Halyard is serving on ${credentials.base_url}

  Console     ${credentials.base_url} as ${credentials.email} with the password ${credentials.password}
  Reference   ${credentials.base_url}/docs
  API key     ${credentials.personal_api_key}

These credentials are in ${file}. Paste this to ${isNew ? 'create a flag' : 'list the flags'}:

${isNew ? curlOf(credentials) : listOf(credentials)}

Ctrl-C stops the server.
`
