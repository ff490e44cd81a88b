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
  project: Pick<Project, 'id' | 'membershipLevel'>
  /** The caller's clock, in epoch milliseconds. */
  now: number
  /** The run of a scheduled change that an update carries out. The same batch ends it. */
  run?: ScheduledRun
  /** The change request that an update carries out. The same batch ends it. */
  approval?: Approval
}

export interface ScheduledRun {
  /** The id of the scheduled change. */
  id: number
  /** When the change was to run. It names the run, which fails when the change was moved or canceled. */
  dueAt: string
  /** When a user last changed it. The run fails when this differs. */
  updatedAt: string
  /** When it runs again, or null for never. */
  nextAt: string | null
  /** The version of the flag that the update was made from. */
  version: number
}

export interface Approval extends RequestBase {
  /** The id of the change request. */
  requestId: string
  /** The votes of the request, including the one that approves it. */
  votes: Vote[]
  /** The user who casts the last vote. */
  approver: SystemActor
}

export type CreateWrite = Extract<FlagWrite, { kind: 'create' }>
export type UpdateWrite = Extract<FlagWrite, { kind: 'update' }>

export interface WrittenFlag {
  row: FlagRow
  rollout: Rollout
}
