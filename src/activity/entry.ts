// An entry of the activity log: what it holds, and how it is shown (reference/flags-api.md §6).
import * as z from 'zod'
import { dateTime } from '../http/fields'
import { pageLinkSchema } from './page'

export const ACTIVITY_SCOPES = [
  'FeatureFlag',
  'PropertyDefinition',
  'Endpoint',
  'EndpointVersion',
  'DataWarehouseSavedQuery',
  'OrganizationMembership',
] as const
export type ActivityScope = (typeof ACTIVITY_SCOPES)[number]

const ACTIVITY_VERBS = [
  'created',
  'updated',
  'deleted',
  'restored',
  'version_created',
  'version_updated',
  'materialization_enabled',
  'materialization_disabled',
] as const
export type ActivityVerb = (typeof ACTIVITY_VERBS)[number]

export interface Change {
  type: ActivityScope
  action: 'created' | 'changed' | 'deleted'
  field: string
  before: unknown
  after: unknown
}

export interface ActivityDetail {
  changes: Change[]
  trigger: { job_type: string; job_id: string; payload: unknown } | null
  type: string | null
  /** What the item is called after the change. */
  name: string
  short_id: string | null
  /** Which version of the item it is about, where items have versions. */
  context?: { version: number }
}

export const ActivityEntry = z
  .object({
    id: z.uuid(),
    user: z.object({
      first_name: z.string(),
      email: z.string().nullable(),
      is_system: z.literal(true).optional(),
    }),
    activity: z.enum(ACTIVITY_VERBS),
    scope: z.enum(ACTIVITY_SCOPES),
    item_id: z.string(),
    detail: z.object({
      changes: z.array(
        z.object({
          type: z.enum(ACTIVITY_SCOPES),
          action: z.enum(['created', 'changed', 'deleted']),
          field: z.string(),
          before: z.unknown(),
          after: z.unknown(),
        }),
      ),
      trigger: z.object({ job_type: z.string(), job_id: z.string(), payload: z.unknown() }).nullable(),
      type: z.string().nullable(),
      name: z.string(),
      short_id: z.string().nullable(),
      context: z.object({ version: z.int() }).optional(),
    }),
    created_at: dateTime(),
  })
  .meta({ id: 'ActivityEntry' })

export const ActivityPage = z
  .object({
    results: z.array(ActivityEntry),
    next: pageLinkSchema,
    previous: pageLinkSchema,
    total_count: z.int(),
  })
  .meta({ id: 'ActivityPage' })
