// The endpoint that the reference's examples of saved queries are about, and what its operations say of it in common.
import type { ParameterWords } from '../docs/words'
import { ada, project } from '../http/docs/examples'

export const QUERY_TEXT =
  'SELECT event, count() AS total FROM events WHERE timestamp >= now() - INTERVAL 7 DAY GROUP BY event ORDER BY total DESC, event LIMIT 10'

export const NAME = 'top-events'
export const ENDPOINT_ID = '019d4d87-35c0-7107-9e83-1397795e61a9'
export const VERSION_ID = '019d4d87-35c0-7108-901f-d39d1a4371be'
const CREATED_AT = '2026-04-02T09:30:00Z'
/** The same moment as upstream writes it by hand. */
export const CREATED_AT_WITH_OFFSET = '2026-04-02T09:30:00+00:00'
/** The run that the examples of answers and of the log are of. */
export const RUN_ID = '09589d3c-bee2-4190-ab2e-fccaeabb1af6'
export const RUN_AT = '2026-04-02T09:31:12.846000Z'
export const RUN_AT_WITH_OFFSET = '2026-04-02T09:31:12.846000+00:00'

export const createBody = {
  name: NAME,
  description: 'What happened most in the last seven days.',
  query: { kind: 'HogQLQuery', query: QUERY_TEXT },
}

export const updateBody = { description: 'What happened most, to the hour.', data_freshness_seconds: 3600 }

/** As the examples' deployment is called. */
export const ORIGIN = 'https://flags.example.com'

const path = `/api/projects/${project.id}/endpoints/${NAME}/run`

/** The endpoint as its creation is answered. */
export const endpoint = {
  id: ENDPOINT_ID,
  name: NAME,
  description: createBody.description,
  query: {
    connectionId: null,
    explain: null,
    filters: null,
    kind: 'HogQLQuery',
    modifiers: null,
    name: null,
    query: QUERY_TEXT,
    response: null,
    sendRawQuery: null,
    tags: null,
    values: null,
    variables: null,
    version: null,
  },
  is_active: true,
  data_freshness_seconds: 86_400,
  endpoint_path: path,
  url: `${ORIGIN}${path}`,
  ui_url: `${ORIGIN}/project/${project.id}/endpoints/${NAME}`,
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
  created_by: ada,
  is_materialized: false,
  current_version: 1,
  current_version_id: VERSION_ID,
  versions_count: 1,
  derived_from_insight: null,
  last_executed_at: null,
  materialization: {
    name: NAME,
    enabled: false,
    ready: false,
    hibernated: false,
    can_materialize: true,
    reason: null,
  },
  bucket_overrides: null,
  columns: [
    { name: 'event', type: 'string' },
    { name: 'total', type: 'integer' },
  ],
  tags: [],
  optional_breakdown_properties: [],
}

/** In the path of whatever is about one endpoint. */
export const inPath: ParameterWords = { is: 'Name of the endpoint.', example: NAME }

/** In the query of whatever is about one version. */
export const versionInQuery: ParameterWords =
  'Number of a version, from 1. Left out, the current version is meant.'
