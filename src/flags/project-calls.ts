// What flags ask of the object of their project, which does such work one after the other. `src/project` answers.
import type { Published } from '../snapshots/manifest'
import type { Deletion, DeletionError } from './bulk/plan-delete'
import type { BulkSelection } from './bulk/selection'
import type { FlagWrite, WrittenFlag } from './write/write-types'

export interface BulkDeleteRequest {
  projectId: number
  userId: number | null
  /** Of the caller's membership. */
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
  /** ISO 8601: the time of the request, at which everybody is evaluated. */
  now: string
}

/** The flag after its write, and what its change is published as; null when that failed, or takes long. */
export type PublishedWrite = WrittenFlag & { published: Published | null }

export interface FlagCalls {
  bulkDelete(request: BulkDeleteRequest): Promise<BulkDeleteResult>
  /** Fills a static cohort in the background. */
  fillCohort(request: CohortFillRequest): Promise<void>
  /** Has the object run the scheduled changes of a project. @param at when the first is due, in epoch milliseconds. */
  wakeForChanges(projectId: number, at: number): Promise<void>
  /**
   * Creates or updates a flag.
   * @throws what rejects it; 503 with nothing written, or after a deadline without a word on what was.
   */
  writeFlag(write: FlagWrite): Promise<PublishedWrite>
}

declare module '../deps' {
  interface ProjectObjects extends FlagCalls {}
}
