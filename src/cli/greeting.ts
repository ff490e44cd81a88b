// The first call to a service, ready to be pasted.
import type { Credentials } from './credentials'

/** Creates a flag. */
export const curlOf = ({ base_url, project_id, personal_api_key }: Credentials): string =>
  `  curl -s ${base_url}/api/projects/${project_id}/feature_flags/ \\
    -H 'Authorization: Bearer ${personal_api_key}' -H 'Content-Type: application/json' \\
    -d '{"key": "hello-world", "filters": {"groups": [{"rollout_percentage": 50}]}}'`
