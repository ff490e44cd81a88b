// Calls of flags to the object of their project, which serializes them. Implemented in `src/project`.
import type { Mark } from '../snapshots/document'
import type { Deletion, DeletionError } from './bulk/plan-delete'
import type { RestoreRequest, RestoreResult } from './bulk/restore'
import type { BulkSelection } from './bulk/selection'
import type { FlagWrite, WrittenFlag } from './write/write-types'

export interface BulkDeleteRequest {
  projectId: number
  userId: number | null
  /** Level of the caller's membership. */
  membershipLevel: number
  selection: BulkSelection
  /** ISO 8601: the caller's clock. */
  now: string
}

export interface BulkDeleteResult {
  deleted: Deletion[]
  errors: DeletionError[]
}

export interface CohortFillRequest {
  projectId: number
  cohortId: number
  flagId: number
  /** ISO 8601: the time of the request, at which persons are evaluated. */
  now: string
}

/** The flag after its write, and the mark of the document with it; null when publishing failed, or takes long. */
export type PublishedWrite = WrittenFlag & { mark: Mark | null }

export interface FlagCalls {
  bulkDelete(request: BulkDeleteRequest): Promise<BulkDeleteResult>
  bulkRestore(request: RestoreRequest): Promise<RestoreResult>
  /** Fills a static cohort in the background. */
  fillCohort(request: CohortFillRequest): Promise<void>
  /** Has the object run the scheduled changes of a project. @param at when the first is due, in epoch milliseconds. */
  wakeForChanges(projectId: number, at: number): Promise<void>
  /**
   * Creates or updates a flag.
   * @throws the error of a rejected write; 503 when nothing was written, or when a deadline passed and the outcome is unknown.
   */
  writeFlag(write: FlagWrite): Promise<PublishedWrite>
}
