// The parts of policies and change requests, as they are stored.
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

/** Which changes of its action a policy holds. When there are no conditions, it holds every change. */
export type Conditions = Condition | { type?: undefined }

/** A change that waits for approval. */
export interface HeldChange {
  flagKey: string
  /** The body of the update that an approval makes. It has the fields that the update changes. */
  body: Record<string, unknown>
  /** The values of the same fields before the update. */
  before: Record<string, unknown>
  /** The version of the flag when the change was requested. */
  version: number
  wasDeleted: boolean
  /** Whether the flag was active, which decides who approves a deletion, a restoration and a new key. Absent for other changes. */
  wasActive?: boolean
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
  /** The time of the vote, as a stored timestamp. */
  at: string
}

/** Codes of the error for a write that has become a change request, and for one for which a request already waits. */
export const APPROVAL_REQUIRED = 'approval_required'
export const REQUEST_PENDING = 'change_request_pending'
/** Code of the error for a flag that is created enabled where enabling needs approval. */
export const CREATED_ENABLED = 'created_enabled'

/** Maximum waiting requests of a project, and of those the maximum by one member. */
export const MAX_PENDING = 100
export const MAX_PENDING_OF_REQUESTER = 20
/** Maximum bytes of a change as JSON, with the values before it. */
export const MAX_HELD_BYTES = 1_048_576
/** Maximum approvals that a policy may ask for. */
export const MAX_QUORUM = 10
/** Maximum users who may approve by one policy. */
export const MAX_APPROVERS = 50
/** Maximum characters of the reason of a vote. */
export const MAX_REASON = 1_000
