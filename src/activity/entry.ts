// Entries of the activity log: docs/reference/flags.md#activity.
import * as z from 'zod'
import { ada } from '../http/docs/examples'
import type { SchemaDocs } from '../http/docs/operation-docs'
import { dateTime } from '../http/fields'
import { pageLinkSchema } from './page'

export const ACTIVITY_SCOPES = [
  'FeatureFlag',
  'Cohort',
  'Person',
  'Dashboard',
  'EventDefinition',
  'PropertyDefinition',
  'Endpoint',
  'EndpointVersion',
  'DataWarehouseSavedQuery',
  'Organization',
  'OrganizationMembership',
  'ApprovalPolicy',
  'ChangeRequest',
  'ScheduledChange',
  'Webhook',
  'Action',
  'Project',
  'InsightVariable',
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
  'persons_added_manually',
  'person_removed_manually',
  'approved',
  'rejected',
  'canceled',
] as const
export type ActivityVerb = (typeof ACTIVITY_VERBS)[number]

const Change = z.object({
  type: z.enum(ACTIVITY_SCOPES),
  action: z.enum(['created', 'changed', 'deleted']),
  field: z.string(),
  before: z.unknown(),
  after: z.unknown(),
})
export type Change = z.output<typeof Change>

const Detail = z.object({
  changes: z.array(Change),
  trigger: z.object({ job_type: z.string(), job_id: z.string(), payload: z.unknown() }).nullable(),
  type: z.string().nullable(),
  name: z.string(),
  short_id: z.string().nullable(),
  context: z.object({ version: z.int() }).optional(),
})
/** The detail of an entry as it is stored. */
export type ActivityDetail = z.output<typeof Detail>

/** The detail of an entry as the API shows it. */
const ShownDetail = z.object({
  id: z.string(),
  ...Detail.shape,
  merge: z.object({ type: z.string(), source: z.unknown(), target: z.unknown() }).nullable(),
})

export const ActivityEntry = z
  .object({
    id: z.uuid(),
    user: z.object({
      first_name: z.string(),
      email: z.string().nullable(),
      is_system: z.literal(true).optional(),
    }),
    was_impersonated: z.boolean(),
    activity: z.enum(ACTIVITY_VERBS),
    scope: z.enum(ACTIVITY_SCOPES),
    item_id: z.string(),
    detail: ShownDetail,
    created_at: dateTime(),
  })
  .meta({ id: 'ActivityEntry' })

/** An entry for examples: the flag `new-checkout` changes from 100 to 50 percent. */
const activityEntryExample = () => {
  const filters = (percentage: number) => ({
    groups: [{ properties: [], rollout_percentage: percentage, aggregation_group_type_index: null }],
    aggregation_group_type_index: null,
  })
  return {
    id: '019d4d6b-dbea-7391-a1d5-3f60c8be2d17',
    user: { first_name: ada.first_name, email: ada.email },
    activity: 'updated',
    scope: 'FeatureFlag',
    item_id: '1',
    detail: {
      id: '1',
      changes: [
        {
          type: 'FeatureFlag',
          action: 'changed',
          field: 'filters',
          before: filters(100),
          after: filters(50),
        },
        { type: 'FeatureFlag', action: 'changed', field: 'version', before: 1, after: 2 },
      ],
      name: 'new-checkout',
    },
    created_at: '2026-04-02T09:00:07.530000Z',
  }
}

export const ActivityEntryDocs = (): SchemaDocs => ({
  description: 'One change. The transaction of the change writes it. Read-only.',
  fields: {
    id: 'Id of the entry.',
    user: 'The user who made the change, with their current name.',
    'user.first_name': 'First name; `System` for a change by the service.',
    'user.email': 'Address; null for a change by the service.',
    'user.is_system': 'True for a change by the service; otherwise absent.',
    was_impersonated: 'Whether staff of the service made the change as the user.',
    activity: 'Kind of change.',
    scope: 'Kind of item.',
    item_id: 'Id of the item, always as text. Empty for an invite, whose id is a secret.',
    detail: 'The change itself.',
    'detail.id': 'Id of the item, as `item_id`.',
    'detail.changes': 'The changed fields. Empty for a new item.',
    'detail.changes.type': 'Kind of item that has the field.',
    'detail.changes.action':
      '`created` when the field was empty before, `deleted` when it is empty now, else `changed`. Empty: null, and empty text, lists and objects; false and 0 are values.',
    'detail.changes.field': 'Name of the field.',
    'detail.changes.before': 'Its value before; null when it was empty.',
    'detail.changes.after': 'Its value after; null when it is empty.',
    'detail.trigger': 'The scheduled change or change request that made the change; null for none.',
    'detail.trigger.job_type': '`scheduled_change` or `change_request`.',
    'detail.trigger.job_id': 'Its id, as text.',
    'detail.trigger.payload':
      'The same id, as the number `scheduled_change_id` or the text `change_request_id`.',
    'detail.type': 'Kind within the scope. Always null: no item here has one.',
    'detail.name':
      'Name of the item after the change. For a flag its key, or its name when tags were changed in bulk.',
    'detail.short_id': 'A second id that people can type. Always null: no item here has one.',
    'detail.merge': 'Two items that became one. Always null: nothing here is merged.',
    'detail.merge.type': 'Kind of item.',
    'detail.merge.source': 'The item that is gone.',
    'detail.merge.target': 'The item that remains.',
    'detail.context': 'Only on entries about a version of a saved query.',
    'detail.context.version': 'Number of the version, from 1.',
    created_at: 'Time of the change (ISO 8601, UTC, to the microsecond).',
  },
  example: activityEntryExample(),
})

export const ActivityPage = z
  .object({
    results: z.array(ActivityEntry),
    next: pageLinkSchema,
    previous: pageLinkSchema,
    total_count: z.int(),
  })
  .meta({ id: 'ActivityPage' })

export const ActivityPageDocs = (): SchemaDocs => ({
  description: 'A page of the activity log, with the addresses of the pages around it.',
  fields: {
    results: 'The entries of this page, newest first.',
    next: 'URL of the next, older page; null on the last.',
    previous: 'URL of the page before; null on the first.',
    total_count: 'Entries on all pages together.',
  },
  example: { total_count: 1 },
})
