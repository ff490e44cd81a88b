// The saved query in the examples of the reference.
import type { ParameterDocs } from '../http/docs/operation-docs'
import { project } from '../http/docs/examples'

export const EXAMPLE_QUERY =
  'SELECT event, count() AS total FROM events WHERE timestamp >= now() - INTERVAL 7 DAY GROUP BY event ORDER BY total DESC, event LIMIT 10'

export const EXAMPLE_NAME = 'top-events'
export const EXAMPLE_ENDPOINT_ID = '019d4d87-35c0-7107-9e83-1397795e61a9'
export const EXAMPLE_VERSION_ID = '019d4d87-35c0-7108-901f-d39d1a4371be'
export const EXAMPLE_RUN_ID = '09589d3c-bee2-4190-ab2e-fccaeabb1af6'
export const EXAMPLE_RUN_AT = '2026-04-02T09:31:12.846000Z'
export const EXAMPLE_CREATED_AT = '2026-04-02T09:30:00Z'
export const EXAMPLE_ORIGIN = 'https://flags.example.com'

export const createExample = () => ({
  name: EXAMPLE_NAME,
  description: 'Most frequent events of the last seven days.',
  query: { kind: 'HogQLQuery', query: EXAMPLE_QUERY },
})

export const updateExample = () => ({
  description: 'Most frequent events, refreshed hourly.',
  data_freshness_seconds: 3600,
})

const runPath = () => `/api/projects/${project.id}/endpoints/${EXAMPLE_NAME}/run`

/** The endpoint as its creation returns it. */
export const endpointExample = () => ({
  id: EXAMPLE_ENDPOINT_ID,
  name: EXAMPLE_NAME,
  description: createExample().description,
  query: {
    connectionId: null,
    explain: null,
    filters: null,
    kind: 'HogQLQuery',
    modifiers: null,
    name: null,
    query: EXAMPLE_QUERY,
    response: null,
    sendRawQuery: null,
    tags: null,
    values: null,
    variables: null,
    version: null,
  },
  is_active: true,
  data_freshness_seconds: 86_400,
  endpoint_path: runPath(),
  url: EXAMPLE_ORIGIN + runPath(),
  ui_url: `${EXAMPLE_ORIGIN}/project/${project.id}/endpoints/${EXAMPLE_NAME}`,
  created_at: EXAMPLE_CREATED_AT,
  updated_at: EXAMPLE_CREATED_AT,
  current_version: 1,
  current_version_id: EXAMPLE_VERSION_ID,
  versions_count: 1,
  materialization: {
    enabled: false,
    ready: false,
    reason: null,
  },
  columns: [
    { name: 'event', type: 'string' },
    { name: 'total', type: 'integer' },
  ],
})

export const updatedExample = () => ({
  ...endpointExample(),
  ...updateExample(),
  updated_at: '2026-04-02T09:45:00.125000Z',
})

export const REJECTION_EXAMPLE =
  'Variables not supported: Variables in OR conditions are not supported for materialization'

export const nameParameter = (): ParameterDocs => ({
  description: 'Name of the endpoint.',
  example: EXAMPLE_NAME,
})

export const versionParameter = () => 'Number of a version, from 1. Default: the current one.'
