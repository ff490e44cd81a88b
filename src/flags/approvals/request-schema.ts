// Change requests as the API has them.
import * as z from 'zod'
import { ada } from '../../http/docs/examples'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { boolean, dateTime, dictionary, integer, pageQuery, text } from '../../http/fields'
import { UserSummary } from '../../http/user-summary'
import { FLAG_ID, FLAG_KEY } from '../examples'
import { invalidChoice } from '../../http/validation'
import { ACTION_KEYS, MAX_REASON } from './approval-types'
import { ActionKey } from './policy-schema'

const REQUEST_STATES = ['pending', 'applied', 'rejected', 'expired', 'failed'] as const
const State = z.enum(REQUEST_STATES)
const Decision = z.enum(['approved', 'rejected'])

/** A schema of a few words. The tool of MCP shows them in its description alone. */
const oneOf = <Word extends string>(words: readonly Word[]) =>
  z.custom<Word>((value) => words.some((word) => word === value), {
    error: ({ input }) => invalidChoice(String(input).slice(0, 60), words),
  })

/** States by which requests can be listed. Upstream has `approved` for requests that wait for their application; here there are none. */
export const LISTED_STATES = [...REQUEST_STATES, 'approved'] as const

/** A list of states, separated by commas. */
const states = () =>
  z
    .preprocess(
      (value) => (typeof value === 'string' ? value.split(',').map((each) => each.trim()) : value),
      z.array(oneOf(LISTED_STATES)),
    )
    .meta({ type: 'string', items: undefined })

const actionKey = () => oneOf(ACTION_KEYS).meta({ type: 'string' })

export const ChangeRequestQuery = z.object({
  state: states().optional(),
  action_key: actionKey().optional(),
  action_type: actionKey().optional(),
  requester: integer().optional(),
  resource_type: oneOf(['feature_flag']).meta({ type: 'string' }).optional(),
  resource_id: integer().optional(),
  can_approve: boolean().optional(),
  ...pageQuery,
})
export type ChangeRequestQuery = z.output<typeof ChangeRequestQuery>

/** The body of a vote. The operation checks that a reason is present, because the error of a missing one is upstream's. */
export const VoteBody = z
  .object({ reason: text({ max: MAX_REASON, blank: true }).optional().meta({ default: '' }) })
  .meta({ id: 'ChangeRequestVote' })
export type VoteBody = z.output<typeof VoteBody>

export const VoteBodyDocs = (): SchemaDocs => ({
  description: 'A vote on a change request.',
  fields: {
    reason: `Reason, at most ${MAX_REASON.toLocaleString('en-US')} characters. A rejection needs one.`,
  },
  example: { reason: 'After the release.' },
})

export const ChangeRequest = z
  .object({
    id: z.uuid(),
    action_key: ActionKey,
    action_version: z.int(),
    resource_type: z.string(),
    resource_id: z.string(),
    intent: z.object({
      flag_id: z.int(),
      flag_key: z.string(),
      current_state: dictionary(),
      gated_changes: dictionary(),
      full_request_data: dictionary(),
      preconditions: z.object({ version: z.int(), updated_at: dateTime() }),
      http_method: z.string(),
    }),
    intent_display: z.object({ description: z.string(), before: dictionary(), after: dictionary() }),
    policy_snapshot: z.object({
      quorum: z.int(),
      users: z.array(z.int()),
      roles: z.array(z.string()),
      allow_self_approve: z.boolean(),
      conditions: dictionary(),
      bypass_org_membership_levels: z.array(z.int()),
      bypass_roles: z.array(z.string()),
    }),
    validation_status: z.enum(['valid', 'expired', 'stale']),
    validation_errors: dictionary().nullable(),
    validated_at: dateTime().nullable(),
    state: State,
    created_by: UserSummary.nullable(),
    applied_by: UserSummary.nullable(),
    created_at: dateTime(),
    updated_at: dateTime(),
    expires_at: dateTime(),
    applied_at: dateTime().nullable(),
    apply_error: z.string(),
    result_data: z.object({ resource_id: z.int(), resource_version: z.int() }).nullable(),
    approvals: z.array(
      z.object({
        id: z.uuid(),
        created_by: UserSummary.nullable(),
        decision: Decision,
        reason: z.string(),
        created_at: dateTime(),
        is_counted: z.boolean(),
      }),
    ),
    can_approve: z.boolean(),
    can_cancel: z.boolean(),
    is_requester: z.boolean(),
    user_decision: Decision.nullable(),
  })
  .meta({ id: 'ChangeRequest' })
export type ChangeRequest = z.output<typeof ChangeRequest>

export const REQUEST_ID = '019d4d6b-dbea-7391-a1d5-3f60c8be2d22'

const before = { active: false }
const after = { active: true }

export const ChangeRequestDocs = (): SchemaDocs => ({
  description: 'A change of a flag that waits for approval, or that ended in the last 90 days.',
  fields: {
    id: 'Id of the change request.',
    action_key: 'Action of the policy that holds the change.',
    action_version: 'Always 1.',
    resource_type: '`feature_flag`.',
    resource_id: 'Id of the flag, as text.',
    intent: 'The change. Encrypted payloads show as a placeholder.',
    'intent.flag_id': 'Id of the flag.',
    'intent.flag_key': 'Key of the flag at the time of the request.',
    'intent.current_state':
      'Changed fields before the change, with the percentages of `filters` by their place.',
    'intent.gated_changes': 'The same after the change.',
    'intent.full_request_data': 'The update that the approval makes.',
    'intent.preconditions': 'The flag that the change is made for.',
    'intent.preconditions.version': 'Its version.',
    'intent.preconditions.updated_at': 'When it was last updated (ISO 8601, UTC).',
    'intent.http_method': 'Always `PATCH`.',
    intent_display: 'The change for people.',
    'intent_display.description': 'What it does.',
    'intent_display.before': 'Changed fields before the change.',
    'intent_display.after': 'Changed fields after the change.',
    policy_snapshot: 'The policy as it was at the time of the request. It decides who may vote.',
    'policy_snapshot.quorum': 'Approvals that the change needs.',
    'policy_snapshot.users': 'Ids of the users who may vote.',
    'policy_snapshot.roles': 'Always empty.',
    'policy_snapshot.allow_self_approve': 'Whether its author may approve it.',
    'policy_snapshot.conditions': 'Conditions that the change meets; empty for none.',
    'policy_snapshot.bypass_org_membership_levels': 'Levels of members whose changes need no approval.',
    'policy_snapshot.bypass_roles': 'Always empty.',
    validation_status:
      '`stale` when what it changes has changed since: an approval then fails. `expired` after `expires_at`.',
    validation_errors: 'Always null.',
    validated_at: 'Always null.',
    state:
      '`pending` until enough approvals, a rejection or `expires_at`. `failed` when the approved change could not be made.',
    created_by: 'User who made the change; null if unknown.',
    applied_by: 'The same user, once the change is applied; null otherwise.',
    created_at: 'Time of the request (ISO 8601, UTC).',
    updated_at: 'Time of the last vote, or of the request (ISO 8601, UTC).',
    expires_at: 'Time when voting ends (ISO 8601, UTC).',
    applied_at: 'When the change was applied; null otherwise.',
    apply_error: 'Why the approved change could not be made; empty otherwise.',
    result_data: 'What was changed; null until then.',
    'result_data.resource_id': 'Id of the flag.',
    'result_data.resource_version': 'Version of the flag that the change made.',
    approvals: 'Votes, oldest first. Canceling counts as a rejection by the requester.',
    'approvals.id': 'Id of the vote.',
    'approvals.created_by': 'User who voted; null if unknown.',
    'approvals.decision': '`approved` or `rejected`.',
    'approvals.reason': 'Reason; may be empty.',
    'approvals.created_at': 'Time of the vote (ISO 8601, UTC).',
    'approvals.is_counted':
      'False for an approval of a waiting request whose user has left the organization or become a viewer.',
    can_approve: 'Whether the caller may vote now.',
    can_cancel: 'Whether the caller may cancel it now.',
    is_requester: 'Whether the caller made the change.',
    user_decision: 'Vote of the caller; null for none.',
  },
  example: {
    id: REQUEST_ID,
    action_key: 'feature_flag.enable',
    action_version: 1,
    resource_type: 'feature_flag',
    resource_id: String(FLAG_ID),
    intent: {
      flag_id: FLAG_ID,
      flag_key: FLAG_KEY,
      current_state: before,
      gated_changes: after,
      full_request_data: after,
      preconditions: { version: 1, updated_at: '2026-03-31T08:15:42.118000Z' },
      http_method: 'PATCH',
    },
    intent_display: { description: `Enable feature flag '${FLAG_KEY}'`, before, after },
    policy_snapshot: {
      quorum: 1,
      users: [ada.id],
      allow_self_approve: true,
      conditions: {},
    },
    validation_status: 'valid',
    state: 'pending',
    applied_by: null,
    created_at: '2026-04-02T09:00:00Z',
    updated_at: '2026-04-02T09:00:00Z',
    expires_at: '2026-04-16T09:00:00Z',
    apply_error: '',
    can_approve: true,
    can_cancel: true,
    is_requester: true,
  },
})

export const VoteResult = z
  .object({
    status: z.enum(['approved', 'applied', 'failed', 'rejected', 'canceled']),
    message: z.string(),
    change_request: ChangeRequest,
    result: z.object({ resource_id: z.int(), resource_version: z.int() }).optional(),
  })
  .meta({ id: 'ChangeRequestVoteResult' })

export const VoteResultDocs = (): SchemaDocs => ({
  description: 'What a vote did.',
  fields: {
    status:
      '`approved`: more approvals are needed. `applied`: the change is made. `failed`: it could not be made, `apply_error` has the reason. `rejected`, `canceled`: it never will be.',
    message: 'The same in English.',
    change_request: 'The change request after the vote.',
    result: 'What was changed; only with `applied`.',
    'result.resource_id': 'Id of the flag.',
    'result.resource_version': 'Version of the flag that the change made.',
  },
  example: {
    status: 'approved',
    message: 'Approval recorded. 1/2 approvals received.',
  },
})
