// Approval policies as the API has them.
import * as z from 'zod'
import { ada } from '../../http/docs/examples'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { boolean, dateTime, dictionary, integer } from '../../http/fields'
import { UserSummary } from '../../http/user-summary'
import { isObject } from '../../json'
import { ACTION_KEYS, type Conditions, MAX_APPROVERS, MAX_QUORUM, OPERATORS } from './approval-types'
import { secondsIn } from './duration'

export const ActionKey = z.enum(ACTION_KEYS)

const MAX_DAYS = 90
const DAY_SECONDS = 86_400
/** Maximum and minimum seconds until a change request expires. */
const MAX_EXPIRY_SECONDS = MAX_DAYS * DAY_SECONDS
const MIN_EXPIRY_SECONDS = 3_600
export const DEFAULT_EXPIRY_SECONDS = 14 * DAY_SECONDS

const CONDITION_TYPES = ['any_change', 'before_after', 'change_amount'] as const
const FIELD = 'rollout_percentage'

function isConditions(sent: unknown): sent is Conditions {
  if (!isObject(sent)) return false
  const { type, field, operator, value, ...rest } = sent
  if (Object.keys(sent).length === 0) return true
  if (field !== FIELD || Object.keys(rest).length > 0) return false
  if (type === 'any_change') return operator === undefined && value === undefined
  return (
    (type === 'before_after' || type === 'change_amount') &&
    OPERATORS.some((one) => one === operator) &&
    typeof value === 'number'
  )
}

const conditionsField = () =>
  z
    .custom<Conditions>(isConditions, {
      error: `This must be {} or {"type": "any_change", "field": "${FIELD}"}, or have the type before_after or change_amount with an operator (${OPERATORS.join(' ')}) and a number as value.`,
    })
    .meta({
      type: 'object',
      properties: {
        type: { type: 'string', enum: CONDITION_TYPES },
        field: { type: 'string', enum: [FIELD] },
        operator: { type: 'string', enum: OPERATORS },
        value: { type: 'number' },
      },
    })

/** A schema that rejects roles, because there are none. */
const noRoles = () =>
  z.array(z.unknown()).refine((roles) => roles.length === 0, {
    error: 'There are no roles: this list must be empty. Name users instead.',
  })

const fields = {
  action_key: ActionKey,
  conditions: conditionsField(),
  approver_config: z.object({
    quorum: integer({ min: 1, max: MAX_QUORUM }),
    users: z.array(integer()).min(1).max(MAX_APPROVERS),
    roles: noRoles().optional(),
  }),
  allow_self_approve: boolean(),
  bypass_org_membership_levels: z.array(
    integer().refine((level) => [1, 8, 15].includes(level), {
      error: 'This is no level: 1 is member, 8 admin, 15 owner.',
    }),
  ),
  bypass_roles: noRoles(),
  expires_after: z
    .preprocess(
      secondsIn,
      z.custom<number>(
        (seconds) =>
          typeof seconds === 'number' && seconds >= MIN_EXPIRY_SECONDS && seconds <= MAX_EXPIRY_SECONDS,
        {
          error: `Write a duration as days hours:minutes:seconds, such as "14 00:00:00": at least one hour, at most ${MAX_DAYS} days.`,
        },
      ),
    )
    .meta({ type: 'string' }),
  enabled: boolean(),
}

export const ApprovalPolicyUpdate = z.object(fields).partial().meta({ id: 'ApprovalPolicyUpdate' })
export type ApprovalPolicyUpdate = z.output<typeof ApprovalPolicyUpdate>

export const ApprovalPolicyBody = ApprovalPolicyUpdate.required({
  action_key: true,
  approver_config: true,
}).meta({ id: 'ApprovalPolicyBody' })
export type ApprovalPolicyBody = z.output<typeof ApprovalPolicyBody>

export const ApprovalPolicy = z
  .object({
    id: z.uuid(),
    action_key: ActionKey,
    conditions: dictionary(),
    approver_config: z.object({ quorum: z.int(), users: z.array(z.int()), roles: z.array(z.string()) }),
    allow_self_approve: z.boolean(),
    bypass_org_membership_levels: z.array(z.int()),
    bypass_roles: z.array(z.string()),
    expires_after: z.string(),
    enabled: z.boolean(),
    created_by: UserSummary.nullable(),
    created_at: dateTime(),
    updated_at: dateTime(),
  })
  .meta({ id: 'ApprovalPolicy' })
export type ApprovalPolicy = z.output<typeof ApprovalPolicy>

const fieldDocs = () => ({
  action_key:
    'Changes that need approval: `feature_flag.enable`, `feature_flag.disable`, or `feature_flag.update`, which is everything else that evaluation depends on, deletion included. One policy an action.',
  conditions:
    'Only for `feature_flag.update`: narrows it to changes of percentages (`field` is `rollout_percentage`). `{"type": "any_change"}`; `before_after` compares each percentage after the change with `value`, `change_amount` what is added to one. Default `{}`: all changes.',
  approver_config: 'Who approves.',
  'approver_config.quorum': `Approvals that a change needs, 1 to ${MAX_QUORUM}, at most one for each user.`,
  'approver_config.users': `Ids of members who may approve, 1 to ${MAX_APPROVERS}.`,
  'approver_config.roles': 'Always empty: there are no roles.',
  allow_self_approve: 'Whether an approver may approve a change of their own. Default false.',
  bypass_org_membership_levels:
    'Levels of members whose changes need no approval: 1 member, 8 admin, 15 owner. Default: none.',
  bypass_roles: 'Always empty: there are no roles.',
  expires_after: `How long a change waits, as \`days hours:minutes:seconds\` or seconds: one hour to ${MAX_DAYS} days. Default \`14 00:00:00\`.`,
  enabled: 'Whether the policy applies. Default true.',
})

const sentFieldDocs = () => ({
  ...fieldDocs(),
  'conditions.type': 'What is compared.',
  'conditions.field': '`rollout_percentage`: of condition sets and variants. A set without one has 100.',
  'conditions.operator': 'How it is compared. Not with `any_change`.',
  'conditions.value': 'Percent. Not with `any_change`.',
})

export const POLICY_ID = '019d4d6b-dbea-7391-a1d5-3f60c8be2d21'

const bodyExample = () => ({
  action_key: 'feature_flag.update',
  approver_config: { quorum: 1, users: [ada.id] },
})

export const ApprovalPolicyBodyDocs = (): SchemaDocs => ({
  description: 'A policy to create.',
  fields: sentFieldDocs(),
  example: bodyExample(),
})

export const ApprovalPolicyUpdateDocs = (): SchemaDocs => ({
  description: 'Fields of a policy to change; absent ones stay the same.',
  fields: sentFieldDocs(),
  example: { enabled: false },
})

export const ApprovalPolicyDocs = (): SchemaDocs => ({
  description: 'A rule that changes of flags wait until others approve them.',
  fields: {
    ...fieldDocs(),
    id: 'Id of the policy.',
    created_by: 'User who created it; null if unknown.',
    created_at: 'Time of creation (ISO 8601, UTC).',
    updated_at: 'Time of the last update (ISO 8601, UTC).',
  },
  example: {
    id: POLICY_ID,
    action_key: 'feature_flag.update',
    conditions: {},
    approver_config: { quorum: 1, users: [ada.id] },
    expires_after: '14 00:00:00',
    enabled: true,
    created_at: '2026-04-02T09:00:00Z',
    updated_at: '2026-04-02T09:00:00Z',
  },
})
