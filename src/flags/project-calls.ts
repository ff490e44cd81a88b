// The interface of the project object, which serializes the calls about a project's flags. `src/project` implements it.
import type { Author } from '../activity/record'
import type { Published } from '../snapshots/document'
import type { Deletion, DeletionError } from './bulk/plan-delete'
import type { BulkSelection } from './bulk/selection'
import type { FlagWrite, WrittenFlag } from './write/write-types'

export interface BulkDeleteRequest {
  projectId: number
  author: Author
  /** The level of the caller's membership. */
  membershipLevel: number
  selection: BulkSelection
  /** The time by the caller's clock, in epoch milliseconds. */
  now: number
}

export interface BulkDeleteResult {
  deleted: Deletion[]
  errors: DeletionError[]
}

export interface TagUpdate {
  projectId: number
  author: Author
  ids: number[]
  action: 'add' | 'remove' | 'set'
  tags: string[]
  /** The time by the caller's clock, in epoch milliseconds. */
  now: number
}

export interface TagUpdateResult {
  updated: { id: number; tags: string[] }[]
  skipped: { id: number; reason: string }[]
}

export interface DashboardRequest {
  projectId: number
  flagId: number
  author: Author
  /** The time by the caller's clock, in epoch milliseconds. */
  now: number
}

/** The calls that write flags, and publish what they wrote. Calls for a project take turns. */
export interface FlagCalls {
  bulkDelete(request: BulkDeleteRequest): Promise<Published<BulkDeleteResult>>
  updateTags(request: TagUpdate): Promise<Published<TagUpdateResult>>
  ensureUsageDashboard(request: DashboardRequest): Promise<void>
  enrichUsageDashboard(request: DashboardRequest): Promise<void>
  /** Runs due scheduled changes of a project. @returns whether more are due now */
  runScheduledChanges(projectId: number, now: Date): Promise<boolean>
  /**
   * Creates or updates a flag.
   * @throws the error of a rejected write; 503 when nothing was written, or when the outcome is unknown
   */
  writeFlag(write: FlagWrite): Promise<Published<WrittenFlag>>
}
