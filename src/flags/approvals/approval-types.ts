// What policies and change requests are made of, as they are stored.
export const ACTION_KEYS = ['feature_flag.enable', 'feature_flag.disable', 'feature_flag.update'] as const
export type ActionKey = (typeof ACTION_KEYS)[number]

export const OPERATORS = ['>', '<', '>=', '<=', '==', '!='] as const
export type Operator = (typeof OPERATORS)[number]

export type Condition =
  | { type: 'any_change'; field: 'rollout_percentage' }
  | {
      type: 'before_after' | 'change_amount'
      field: 'rollout_percentage'
      operator: Operator
      value: number
    }

/** Empty: every change of the action. */
export type Conditions = Condition | { type?: undefined }

/** A change that waits for approval. */
export interface HeldChange {
  flagKey: string
  /** The body of the update that the approval makes, with the fields that it changes. */
  body: Record<string, unknown>
  /** The values of the same fields before it. */
  before: Record<string, unknown>
  /** Of the flag that it was made for. */
  version: number
  wasDeleted: boolean
  updatedAt: string
}

/** The policy that holds a change, under its wire names. */
export interface PolicySnapshot {
  quorum: number
  users: number[]
  allow_self_approve: boolean
  conditions: Conditions
  bypass_org_membership_levels: number[]
}

export type Decision = 'approved' | 'rejected'

export interface Vote {
  id: string
  userId: number
  decision: Decision
  reason: string
  /** Stored timestamp. */
  at: string
}

/** The code of the error of a write that has become a change request, and of one for which a request waits already. */
export const APPROVAL_REQUIRED = 'approval_required'
export const REQUEST_PENDING = 'change_request_pending'
/** Code of the error of a flag that is created enabled where enabling needs approval. */
export const CREATED_ENABLED = 'created_enabled'

/** Requests of a project that wait, and those of them that one member has made. */
export const MAX_PENDING = 100
export const MAX_PENDING_OF_REQUESTER = 20
/** Bytes of a change as JSON, with the values before it. */
export const MAX_HELD_BYTES = 1_048_576
/** Approvals that a policy may ask for. */
export const MAX_QUORUM = 10
/** Users who may approve by one policy. */
export const MAX_APPROVERS = 50
/** Characters of the reason of a vote. */
export const MAX_REASON = 1_000
