// Values of path parameters in code samples.
import type { SampleDocs } from '../../http/docs/operation-docs'

/** Values by the segment before the parameter. The setup defines their variables. */
const VALUES: Readonly<Record<string, string>> = {
  'projects/:project_id': '@current',
  'environments/:environment_id': '@current',
  'organizations/:organization_id': '@current',
  'users/:uuid': '@me',
  'feature_flags/:id': '$FLAG',
  'versions/:version_number': '1',
  'flags/:key': 'sample-$N',
  'scheduled_changes/:id': '$CHANGE',
  'approval_policies/:id': '$POLICY',
  'change_requests/:id': '$REQUEST',
  'cohorts/:id': '$COHORT',
  'persons/:id': '$PERSON',
  'dashboards/:id': '$DASHBOARD',
  'property_definitions/:id': '$PROPERTY',
  'event_definitions/:id': '$EVENT',
  'endpoints/:name': '$NAME',
  'insight_variables/:id': '$VARIABLE',
  'actions/:id': '$ACTION',
  'webhooks/:id': '$WEBHOOK',
  'webhooks/:webhook_id': '$WEBHOOK',
  'deliveries/:id': '$DELIVERY',
  'invites/:invite_id': '$INVITE',
  'signup/:invite_id': '$INVITE',
  'members/:user_uuid': '$MEMBER',
  'integrations/:id': '$WORKSPACE',
  'chat/:chat_user_id': '$CHAT_USER',
  'login_sessions/:session_id': '$SESSION',
  'personal_api_keys/:id': '$ID',
  'array/:token': '$TOKEN',
}

/**
 * Returns a path with values for its parameters, `:name`.
 * @throws Error for a parameter without a value
 */
export const samplePath = (path: string, own: SampleDocs['path'] = {}): string =>
  path
    .split('/')
    .map((part, index, parts) => {
      if (!part.startsWith(':')) return part
      const place = `${parts[index - 1]}/${part}`
      const value = own[part.slice(1)] ?? VALUES[place]
      if (value === undefined) throw new Error(`There is no sample value for ${place} in ${path}`)
      return value
    })
    .join('/')
