// A person with two distinct ids, their group and cohort, and a dashboard.
import { AT, id, LATER, type Rows, SOON } from './row'

const DESCRIBED = {
  description: 'In euros',
  tags: '["shop"]',
  verified: 1,
  hidden: 0,
  created_at: AT,
  updated_at: LATER,
  id: id(33),
}

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
        creation_mode: 'default',
        filters: '{"date_from":"-7d","date_to":null}',
      },
    ],
    dashboard_tiles: [
      {
        id: 1,
        dashboard_id: 1,
        ...project,
        name: 'Calls',
        query: '{"kind":"TrendsQuery"}',
        endpoint_id: id(1),
        layouts: '{"sm":{"x":0,"y":0,"w":6,"h":6}}',
      },
    ],
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
    actions: [
      {
        id: 1,
        ...project,
        name: 'Paid',
        description: 'In the shop',
        tags: '["shop"]',
        steps: '[{"event":"purchase"}]',
        deleted: 0,
        revision: 2,
        pinned_at: AT,
        created_by_id: 1,
        created_at: AT,
      },
    ],
    cohort_members: [{ cohort_id: 1, person_id: 1, version: 2 }],
    persons: [
      {
        id: 1,
        ...project,
        uuid: id(14),
        properties: '{"email":"mary@example.com","plan":"pro"}',
        is_identified: 1,
        created_at: AT,
        version: 2,
        distinct_id_count: 2,
      },
    ],
    person_distinct_ids: [
      { ...project, distinct_id: 'mary', person_id: 1, version: 1 },
      { ...project, distinct_id: 'mary-on-the-phone', person_id: 1, version: 2 },
    ],
    group_types: [{ ...project, type_index: 0, name: 'company', group_count: 0 }],
    groups: [
      {
        ...project,
        type_index: 0,
        group_key: 'example',
        properties: '{"size":20}',
        created_at: AT,
        version: 1,
        sample_key: 1,
      },
    ],
    // Triggers write those of the project.
    property_definition_counts: [{ project_id: projectId + 1, owner: 'event', total: 1 }],
    property_definitions: [{ ...project, owner: 'event', name: 'amount', type: 'Numeric', ...DESCRIBED }],
    webhooks: [
      {
        id: id(31),
        ...project,
        url: 'https://hooks.example.com/',
        description: 'Tells the chat.',
        events: '["FeatureFlag.*"]',
        secret: 'whsec_AAAA',
        previous_secret: null,
        previous_secret_expires_at: null,
        is_active: 1,
        paused_at: null,
        failing_since: null,
        created_by_id: null,
        created_at: AT,
      },
    ],
    webhook_deliveries: [
      {
        id: 1,
        webhook_id: id(31),
        entry_id: id(32),
        event: 'FeatureFlag.updated',
        status: 'delivered',
        attempts: 1,
        created_at: AT,
        next_attempt_at: null,
        attempted_at: LATER,
        duration_ms: 12,
        response_status: 200,
        response_body: 'ok',
        error: null,
      },
    ],
    applied_events: [{ ...project, uuid: id(21), applied_at: LATER, is_copied: 1 }],
    outbox: [
      {
        id: id(22),
        ...project,
        task: '{"kind":"copy_people","persons":[],"groups":[]}',
        created_at: AT,
        due_at: SOON,
        attempts: 1,
      },
    ],
  }
}
