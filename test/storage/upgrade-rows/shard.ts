// A shard: two events of a person with two distinct ids, copies of them and of their group and cohort, and what runs of a query left.
import { ENDPOINT, VERSION } from './endpoints'
import { AT, id, LATER, type Rows, SOON } from './row'

export function shardRows(projectId: number): Rows {
  const project = { project_id: projectId }
  return {
    // Before the events, of the first of which the trigger makes the same row.
    event_sessions: [
      {
        ...project,
        session_id: 'visit',
        distinct_id: 'mary',
        start_timestamp: LATER,
        end_timestamp: LATER,
        pageviews: 0,
        autocaptures: 0,
        screens: 0,
        newest: `${LATER}${id(20)}`,
        first: `1${LATER}${id(20)}[null,null,"news"${',null'.repeat(17)}]`,
        last: `0${LATER}${id(20)}null`,
        click: null,
        lcp: 1.5,
      },
    ],
    events: ['mary', 'mary-on-the-phone'].map((distinctId, index) => ({
      id: index + 1,
      ...project,
      uuid: id(20 + index),
      event: 'purchase',
      distinct_id: distinctId,
      properties: `{"amount":${10 + index},"$session_id":"visit","utm_source":"news","$web_vitals_LCP_value":1.5}`,
      timestamp: LATER,
      created_at: LATER,
      sets_properties: index,
      flag_key: index === 0 ? 'checkout' : null,
      flag_response: index === 0 ? 'true' : null,
    })),
    event_volumes: ['purchase', ''].map((name) => ({
      ...project,
      event: name,
      day: LATER.slice(0, 10),
      events: 2,
      bytes: 166,
      largest: 83,
    })),
    // Always empty in use; its constraint takes this row.
    write_guards: [{ holds: 1 }],
    // Triggers write those of the project.
    people_volumes: [{ project_id: projectId + 1, name: 'persons', rows: 1, bytes: 2, largest: 2 }],
    persons: [
      {
        ...project,
        uuid: id(14),
        properties: '{"email":"mary@example.com","plan":"pro"}',
        is_identified: 1,
        created_at: AT,
        version: 2,
        is_deleted: 0,
      },
    ],
    person_distinct_ids: [
      { ...project, distinct_id: 'mary', person_uuid: id(14), version: 1 },
      { ...project, distinct_id: 'mary-on-the-phone', person_uuid: id(14), version: 2 },
    ],
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
    person_property_history: [
      { ...project, distinct_id: 'mary', name: 'plan', timestamp: LATER, value: '"pro"', is_first: 0 },
    ],
    cohort_people: [{ ...project, cohort_id: 1, person_uuid: id(14), version: 2, is_deleted: 0 }],
    endpoint_logs: [
      {
        id: 1,
        ...project,
        endpoint_id: ENDPOINT,
        instance_id: id(16),
        timestamp: LATER,
        level: 'INFO',
        message: 'Endpoint executed · path=inline cache=miss duration_ms=2 rows=1 version=1',
        ordinal: 1,
      },
    ],
    endpoint_results: [
      {
        ...project,
        result_key: 'an-earlier-key',
        version_id: VERSION,
        compilation: 3,
        body: '{"results":[[2]],"columns":["count()"],"types":[["count()","Int64"]]}',
        stored_at: LATER,
        expires_at: SOON,
        row_count: 1,
        has_more: 0,
        source: 'materialized',
      },
    ],
    materialized_tables: [
      {
        name: `mat_${id(4).replaceAll('-', '')}_1`,
        ...project,
        version_id: VERSION,
        bytes: 20,
        largest: 20,
        created_at: AT,
      },
    ],
  }
}
