// The one request for each operation that has to succeed: whatever else is made up, each operation is reached.
import { samples } from '../security/samples'
import type { Documented } from './requests/document'
import { type FuzzRequest, usualCaller } from './requests/request'
import { namesFor } from './requests/segments'

/** Bodies of those that take no credentials, or that need more than the security suite sends. */
const BODIES: Record<string, unknown> = {
  login_create: { email: '{{email}}', password: '{{password}}' },
  login_precheck_create: { email: '{{email}}' },
  login_token_create: { token: '{{code}}' },
  signup_invite_create: { first_name: 'Grace', password: 'another-Tr0ub4dor' },
  users_two_factor_validate_create: { token: '{{pending_code}}' },
  users_validate_2fa_create: { token: '{{pending_code}}' },
  capture: { api_key: '{{token}}', batch: [{ event: 'opened', distinct_id: 'ada' }] },
  scheduled_changes_create: {
    record_id: '{{flag}}',
    model_name: 'FeatureFlag',
    payload: { operation: 'update_status', value: true },
    scheduled_at: '2099-01-01T00:00:00Z',
  },
  // An enabled policy would hold the updates of others.
  approval_policies_create: {
    action_key: 'feature_flag.enable',
    approver_config: { quorum: 1, users: ['{{user_id}}'] },
    enabled: false,
  },
  flags_evaluate: { token: '{{token}}', distinct_id: 'ada' },
  ofrep_evaluate_flags: { context: { targetingKey: 'ada' } },
  ofrep_evaluate_flag: { context: { targetingKey: 'ada' } },
}

/** Segments that name no thing of the tenant's, or not the usual one. */
const SEGMENTS: Record<string, Record<string, string>> = {
  feature_flags_versions_retrieve: { version_number: '1' },
  cohorts_add_persons_to_static_cohort_partial_update: { id: '{{cohort:static}}' },
}

/** Queries that name a thing of the tenant's, or that the security suite does not send. */
const QUERIES: Record<string, Record<string, string>> = {
  groups_find_retrieve: { group_type_index: '0', group_key: '{{group}}' },
  capture_pixel: { data: JSON.stringify({ event: 'opened', distinct_id: 'ada' }), token: '{{token}}' },
}

export function soundRequest(operation: Documented): FuzzRequest {
  const { id, method, parameters, credentials } = operation
  const sample = samples[id]
  const path = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name }) => [name, SEGMENTS[id]?.[name] ?? `{{${namesFor(operation, name).things[0]}}}`])
  const body = BODIES[id] ?? sample?.body ?? {}
  return {
    as: usualCaller(credentials, id),
    prepared: true,
    method,
    path: Object.fromEntries(path),
    query: Object.entries(QUERIES[id] ?? sample?.query ?? {}),
    body:
      operation.body && method !== 'GET' ? { type: 'application/json', text: JSON.stringify(body) } : null,
    headers: {},
  }
}
