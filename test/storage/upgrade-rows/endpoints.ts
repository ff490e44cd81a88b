// A saved query: its version, its materialization, and a variable.
import { AT, id, LATER, type Rows, SOON } from './row'

export const QUERY = 'SELECT count(), count(DISTINCT person_id), sum(properties.amount) FROM events'

export const ENDPOINT = id(2)
export const VERSION = id(3)
const BUILD = id(4)

export function endpointRows(projectId: number): Rows {
  const project = { project_id: projectId }
  return {
    query_variables: [
      {
        id: id(15),
        ...project,
        name: 'Plan',
        code_name: 'plan',
        type: 'String',
        default_value: '"pro"',
        allowed_values: null,
        created_by_id: 1,
        created_at: AT,
      },
    ],
    endpoints: [
      {
        id: ENDPOINT,
        ...project,
        name: 'purchases',
        is_active: 1,
        deleted: 0,
        derived_from_insight: null,
        current_version: 1,
        created_by_id: 1,
        created_at: AT,
        updated_at: AT,
        last_executed_at: LATER,
      },
    ],
    endpoint_versions: [
      {
        id: VERSION,
        endpoint_id: ENDPOINT,
        ...project,
        version: 1,
        query: JSON.stringify({ kind: 'HogQLQuery', query: QUERY }),
        // By an earlier compiler: it is compiled again.
        compiled: '{"compiler":0}',
        compilation: 3,
        columns: '[{"name":"count()","type":"integer"}]',
        description: 'How many, by how many, for how much',
        data_freshness_seconds: 900,
        is_active: 1,
        optional_breakdown_properties: '[]',
        bucket_overrides: null,
        created_by_id: 1,
        created_at: AT,
        updated_at: LATER,
        last_executed_at: LATER,
        eligibility: '{"compiler":0,"reason":null}',
      },
    ],
    endpoint_tags: [{ endpoint_id: ENDPOINT, ...project, name: 'shop' }],
    endpoint_materializations: [
      {
        version_id: VERSION,
        endpoint_id: ENDPOINT,
        ...project,
        id: BUILD,
        enabled_at: AT,
        status: 'Completed',
        error: '',
        revision: 1,
        next_build_at: SOON,
        failures: 0,
        last_run_at: LATER,
        hibernated_at: null,
        generations: 1,
        generation: 1,
        plan: '{"compiler":0}',
        last_materialized_at: LATER,
        row_count: 1,
        building: null,
        build_plan: null,
        build_token: null,
        build_until: null,
      },
    ],
  }
}
