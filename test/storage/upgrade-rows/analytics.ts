// A person with two ids, the group and the cohort that has them, what they did, and a dashboard of it.
import { AT, id, LATER, type Rows } from './row'

export function analyticsRows(projectId: number): Rows {
  const project = { project_id: projectId }
  return {
    dashboards: [
      {
        id: 1,
        ...project,
        name: 'Usage of checkout',
        description: 'Made for the flag',
        deleted: 0,
        created_by_id: 1,
        created_at: AT,
      },
    ],
    dashboard_tiles: [{ id: 1, dashboard_id: 1, ...project, name: 'Calls', query: '{"kind":"TrendsQuery"}' }],
    cohorts: [
      {
        id: 1,
        ...project,
        name: 'Testers',
        description: 'Who try things',
        is_static: 1,
        deleted: 0,
        filters: null,
        is_calculating: 0,
        count: 1,
        errors_calculating: 0,
        last_calculation: LATER,
        created_by_id: 1,
        created_at: AT,
      },
    ],
    cohort_members: [{ cohort_id: 1, person_id: 1 }],
    persons: [
      {
        id: 1,
        ...project,
        uuid: id(14),
        properties: '{"email":"mary@example.com","plan":"pro"}',
        is_identified: 1,
        created_at: AT,
        version: 2,
      },
    ],
    person_distinct_ids: [
      { ...project, distinct_id: 'mary', person_id: 1, person_uuid: id(14) },
      { ...project, distinct_id: 'mary-on-the-phone', person_id: 1, person_uuid: id(14) },
    ],
    group_types: [{ ...project, type_index: 0, name: 'company' }],
    groups: [
      {
        ...project,
        type_index: 0,
        group_key: 'example',
        properties: '{"size":20}',
        created_at: AT,
        version: 1,
      },
    ],
    events: ['mary', 'mary-on-the-phone'].map((distinctId, index) => ({
      ...project,
      uuid: id(20 + index),
      event: 'purchase',
      distinct_id: distinctId,
      properties: `{"amount":${10 + index}}`,
      timestamp: LATER,
      created_at: LATER,
      sets_properties: index,
      flag_key: index === 0 ? 'checkout' : null,
      flag_response: index === 0 ? 'true' : null,
    })),
    property_definitions: [{ ...project, owner: 'event', name: 'amount', type: 'Numeric' }],
  }
}
