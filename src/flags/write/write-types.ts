// A write of one flag, as it is sent to the project object, and its response.
import type { Actor, Project, SystemActor } from '../../auth/actor'
import type { Vote } from '../approvals/approval-types'
import type { RequestBase } from '../approvals/request-base'
import type { Rollout } from '../filters/analysis'
import type { FlagRow } from '../read/rows'
import type { CreateFlagBody, UpdateFlagBody } from '../schema'

export type FlagChange =
  | { kind: 'create'; body: CreateFlagBody }
  | { kind: 'update'; id: number; body: UpdateFlagBody }

export type FlagWrite = FlagChange & {
  actor: Actor
  project: Pick<Project, 'id' | 'membershipLevel' | 'requireEvaluationContexts'>
  /** Epoch milliseconds: the caller's clock. */
  now: number
  /** Live flags that the project may have. */
  maxFlags: number
  /** The run of a scheduled change that an update carries out: it ends with the same batch. */
  run?: ScheduledRun
  /** The change request that an update carries out: it ends with the same batch. */
  approval?: Approval
}

export interface ScheduledRun {
  /** Id of the scheduled change. */
  id: number
  /** When it was to run: names the run, and fails it when the change was moved or canceled. */
  dueAt: string
  /** When a user last changed it: fails the run in the same way. */
  updatedAt: string
  /** When it runs again; null for never. */
  nextAt: string | null
  /** The version of the flag that the update was made from. */
  version: number
}

export interface Approval extends RequestBase {
  /** Id of the change request. */
  requestId: string
  /** Its votes, with the one that approves it. */
  votes: Vote[]
  /** Who casts the last vote. */
  approver: SystemActor
}

export type CreateWrite = Extract<FlagWrite, { kind: 'create' }>
export type UpdateWrite = Extract<FlagWrite, { kind: 'update' }>

/** The flag as it is after its write. */
export interface WrittenFlag {
  row: FlagRow
  rollout: Rollout
}
