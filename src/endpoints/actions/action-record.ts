// Records and bodies of actions: named conditions on events, which queries refer to.
import type { SQL } from 'drizzle-orm'
import * as z from 'zod'
import { actions } from '../../../drizzle'
import { ActionSteps, MAX_ACTION_STEPS } from '../../hogql/resolve/filters/action-steps'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { dateTime, falseOnCreate, text, timestamp } from '../../http/fields'
import { filterDescriptions } from '../query/filter-descriptions'
import { UserSummary, userSummarySql } from '../../http/user-summary'
import type { Database } from '../../storage/database'
import { toApiTimestamp, toApiTimestampOrNull } from '../../timestamps'

const MAX_NAME = 400
const MAX_DESCRIPTION = 4_000
const MAX_TAGS = 20

const writableFields = {
  description: z.string().max(MAX_DESCRIPTION),
  tags: z.array(z.string().max(255)).max(MAX_TAGS),
  steps: ActionSteps,
  pinned_at: timestamp().nullable(),
}

/** Clients of upstream send these fields. They are accepted and have no effect. */
const ignoredFields = { post_to_slack: z.boolean(), slack_message_format: z.string().max(1_200) }

export const ActionBody = z
  .object({
    name: text({ max: MAX_NAME }),
    ...z.object({ ...writableFields, ...ignoredFields }).partial().shape,
    deleted: falseOnCreate('A new action cannot be deleted. Create it, and send deleted by PATCH.'),
  })
  .meta({ id: 'CreateAction' })
export type ActionBody = z.output<typeof ActionBody>

export const ActionUpdate = z
  .object({ name: text({ max: MAX_NAME }), ...writableFields, ...ignoredFields, deleted: z.boolean() })
  .partial()
  .meta({ id: 'UpdateAction' })
export type ActionUpdate = z.output<typeof ActionUpdate>

export const ActionRecord = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    tags: z.array(z.string()),
    post_to_slack: z.literal(false),
    slack_message_format: z.literal(''),
    steps: z.array(z.record(z.string(), z.unknown())),
    created_at: dateTime(),
    created_by: UserSummary.nullable(),
    deleted: z.boolean(),
    is_calculating: z.literal(false),
    last_calculated_at: dateTime(),
    team_id: z.int(),
    is_action: z.literal(true),
    bytecode_error: z.null(),
    pinned_at: dateTime().nullable(),
  })
  .meta({ id: 'Action' })
export type ActionRecord = z.output<typeof ActionRecord>

const matching = (field: string) => `How \`${field}\` is compared: \`contains\`, \`exact\` or \`regex\`.`

const stepsDocs = () =>
  `Up to ${MAX_ACTION_STEPS}; an event matches when it matches any. \`text\`, \`href\`, \`selector\` and \`tag_name\` apply to \`$autocapture\` only.`

const stepDocs = () => ({
  'steps.event': 'Name of the event; null for any.',
  'steps.url': 'Part of `$current_url`, or all of it.',
  'steps.url_matching': matching('url'),
  'steps.text': 'Text of the element.',
  'steps.text_matching': matching('text'),
  'steps.href': 'Address of the link.',
  'steps.href_matching': matching('href'),
  'steps.selector': 'CSS selector of the element.',
  'steps.selector_regex': 'No effect: upstream computes it from `selector`.',
  'steps.tag_name': 'Name of the tag of the element.',
  'steps.name': 'Label of the step.',
  'steps.properties': 'Filters that the event has to pass.',
  ...filterDescriptions('steps.properties'),
})

export const actionExample = () => ({
  id: 1,
  name: 'Paid',
  description: '',
  steps: [{ event: '$pageview', url: '/thanks', url_matching: 'contains' }],
  created_at: '2026-04-02T09:20:00Z',
  last_calculated_at: '2026-04-02T09:20:00Z',
  team_id: 1,
})

const bodyDocs = () => ({
  name: `Name, at most ${MAX_NAME} characters.`,
  description: `Purpose, at most ${MAX_DESCRIPTION.toLocaleString('en')} characters.`,
  tags: 'Labels, stored in lower case without duplicates.',
  steps: stepsDocs(),
  pinned_at: 'When it was pinned in a user interface; null for never.',
  post_to_slack: 'No effect.',
  slack_message_format: 'No effect.',
})

export const ActionBodyDocs = (): SchemaDocs => ({
  description: 'A new action. `name` is required.',
  fields: { ...bodyDocs(), ...stepDocs(), deleted: 'Not supported: true is a 400, because updates delete.' },
  example: { name: 'Paid', steps: actionExample().steps },
})

export const ActionUpdateDocs = (): SchemaDocs => ({
  description: 'Fields to change; the others keep their values.',
  fields: { ...bodyDocs(), ...stepDocs(), deleted: 'True deletes the action, false restores it.' },
  example: { steps: actionExample().steps },
})

export const ActionRecordDocs = (): SchemaDocs => ({
  description: 'A named condition on events, for queries.',
  fields: {
    ...bodyDocs(),
    id: 'Id of the action. Read-only.',
    created_at: 'Time of creation (ISO 8601, UTC, microseconds). Read-only.',
    created_by: 'User who created it; null for none. Read-only.',
    deleted: 'Whether it is deleted.',
    is_calculating: 'Always false: queries evaluate actions.',
    last_calculated_at: 'Same as `created_at`.',
    team_id: 'Id of the project.',
    is_action: 'Always true.',
    bytecode_error: 'Always null.',
    post_to_slack: 'Always false.',
    slack_message_format: 'Always empty.',
  },
  example: actionExample(),
})

export const selectActionRecords = (db: Database, where: SQL | undefined) =>
  db
    .select({
      id: actions.id,
      projectId: actions.projectId,
      name: actions.name,
      description: actions.description,
      tags: actions.tags,
      steps: actions.steps,
      deleted: actions.deleted,
      revision: actions.revision,
      pinnedAt: actions.pinnedAt,
      createdAt: actions.createdAt,
      createdBy: userSummarySql('actions.created_by_id').as('created_by'),
    })
    .from(actions)
    .where(where)

export type ActionRow = Awaited<ReturnType<typeof selectActionRecords>>[number]

export const actionFrom = (row: ActionRow): ActionRecord => ({
  id: row.id,
  name: row.name,
  description: row.description,
  tags: row.tags,
  post_to_slack: false,
  slack_message_format: '',
  steps: row.steps,
  created_at: toApiTimestamp(row.createdAt),
  created_by: row.createdBy,
  deleted: row.deleted,
  is_calculating: false,
  last_calculated_at: toApiTimestamp(row.createdAt),
  team_id: row.projectId,
  is_action: true,
  bytecode_error: null,
  pinned_at: toApiTimestampOrNull(row.pinnedAt),
})
