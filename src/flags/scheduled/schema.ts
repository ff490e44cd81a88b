// Scheduled changes as the API has them.
import * as z from 'zod'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { boolean, dateTime, integerIn, pageQuery, timestamp } from '../../http/fields'
import { isObject, type JsonObject } from '../../json'
import { UserSummary } from '../../http/user-summary'
import { FLAG_ID } from '../examples'
import { MAX_CHANGE_BYTES, OPERATIONS } from './payload'
import { RECURRENCE_INTERVALS } from './recurrence'

const ModelName = z.enum(['FeatureFlag'])
const Interval = z.enum(RECURRENCE_INTERVALS)

/** The id of a flag, as text or as a number. */
const recordId = () =>
  z.preprocess((value) => integerIn(value) ?? Number.NaN, z.int().min(1)).meta({ type: 'string' })

export const ScheduledChangeQuery = z.object({
  model_name: ModelName.optional(),
  record_id: recordId().optional(),
  ...pageQuery,
})

const changeable = {
  payload: z.custom<JsonObject>(isObject, { error: 'This must be an object.' }).meta({
    type: 'object',
    properties: { operation: { type: 'string', enum: OPERATIONS }, value: {} },
    required: ['operation', 'value'],
  }),
  scheduled_at: timestamp(),
  is_recurring: boolean().optional(),
  recurrence_interval: Interval.nullish(),
  end_date: timestamp().nullish(),
  cron_expression: z
    .unknown()
    .refine((value) => value === null || value === undefined, {
      error: 'Cron expressions are not supported here: use recurrence_interval.',
    })
    .optional(),
  timezone: z
    .unknown()
    .refine((value) => value === null || value === undefined || value === 'UTC', {
      error: 'Changes repeat in UTC here. Give scheduled_at an offset for the time of another zone.',
    })
    .optional(),
}

export const ScheduledChangeBody = z
  .object({ record_id: recordId(), model_name: ModelName, ...changeable })
  .meta({ id: 'ScheduledChangeBody' })
export type ScheduledChangeBody = z.output<typeof ScheduledChangeBody>

export const ScheduledChangeUpdate = z
  .object({
    record_id: recordId().optional(),
    model_name: ModelName.optional(),
    ...changeable,
    payload: changeable.payload.optional(),
    scheduled_at: timestamp().optional(),
  })
  .meta({ id: 'ScheduledChangeUpdate' })
export type ScheduledChangeUpdate = z.output<typeof ScheduledChangeUpdate>

const changeableDocs = () => ({
  payload: `At most ${MAX_CHANGE_BYTES} bytes.`,
  'payload.operation': 'What to do.',
  'payload.value':
    'True or false to enable or disable; `{groups}`, condition sets to add, which widen the flag: no operation replaces a percentage; `{variants, payloads}`, new variants and payloads by key.',
  scheduled_at: 'When it runs (ISO 8601; without an offset, UTC).',
  is_recurring: 'Whether it repeats. Only `update_status` can. Default false.',
  recurrence_interval: 'How often it repeats, in UTC. Needs `is_recurring`; if that is false, it is paused.',
  end_date: 'The end of the repetition. A date alone is its first instant in UTC. Default: none.',
  cron_expression: 'Not supported: anything but null is a 400.',
  timezone: 'Only `UTC`: other values are a 400.',
})

const payloadExample = () => ({ operation: 'update_status', value: true })
const SCHEDULED_AT_EXAMPLE = '2099-04-03T07:00:00Z'

export const ScheduledChangeBodyDocs = (): SchemaDocs => ({
  description: 'A change to schedule.',
  fields: {
    record_id: 'Id of the flag.',
    model_name: 'Kind of object.',
    ...changeableDocs(),
  },
  example: {
    record_id: String(FLAG_ID),
    model_name: 'FeatureFlag',
    payload: payloadExample(),
    scheduled_at: SCHEDULED_AT_EXAMPLE,
  },
})

export const ScheduledChangeUpdateDocs = (): SchemaDocs => ({
  description: 'Fields of a scheduled change; absent ones stay the same.',
  fields: {
    record_id: 'Id of the flag, which stays the same: another one is a 400.',
    model_name: 'Kind of object.',
    ...changeableDocs(),
  },
  example: { scheduled_at: SCHEDULED_AT_EXAMPLE },
})

export const ScheduledChange = z
  .object({
    id: z.int(),
    team_id: z.int(),
    record_id: z.string(),
    model_name: ModelName,
    payload: z.object({ operation: z.string(), value: z.unknown() }),
    scheduled_at: dateTime(),
    executed_at: dateTime().nullable(),
    failure_reason: z.string().nullable(),
    created_at: dateTime(),
    created_by: UserSummary.nullable(),
    updated_at: dateTime(),
    last_modified_by: UserSummary.nullable(),
    is_recurring: z.boolean(),
    recurrence_interval: Interval.nullable(),
    last_executed_at: dateTime().nullable(),
    end_date: dateTime().nullable(),
  })
  .meta({ id: 'ScheduledChange' })

export const ScheduledChangeDocs = (): SchemaDocs => ({
  description: 'A change of a flag at a chosen time.',
  fields: {
    id: 'Id of the scheduled change.',
    team_id: 'Id of the project.',
    record_id: 'Id of the flag, as text.',
    model_name: 'Kind of object.',
    payload: 'What it changes.',
    'payload.operation': '`update_status`, `add_release_condition` or `update_variants`.',
    'payload.value': 'What the operation takes.',
    scheduled_at: 'When it runs next, or when it ran (ISO 8601, UTC).',
    executed_at: 'When it ended, also with a failure; null while it waits.',
    failure_reason: 'Why the last run failed; null for none.',
    created_at: 'Time of creation (ISO 8601, UTC, microseconds).',
    created_by: 'User who scheduled it; null if unknown.',
    updated_at: 'Time of the last update by a user.',
    last_modified_by: 'User who last changed it, and whose change a run is; null if unknown.',
    is_recurring: 'Whether it repeats.',
    recurrence_interval: 'How often it repeats. With `is_recurring` false it is paused.',
    last_executed_at: 'When it last ran without a failure; null for never.',
    end_date: 'After it, nothing is repeated; null for no end.',
  },
  example: {
    id: 1,
    team_id: 1,
    record_id: String(FLAG_ID),
    model_name: 'FeatureFlag',
    payload: payloadExample(),
    scheduled_at: SCHEDULED_AT_EXAMPLE,
    created_at: '2026-04-02T09:05:00.214000Z',
    updated_at: '2026-04-02T09:05:00.214000Z',
  },
})
