// What a committed change may still owe another system. Each task names its subject, never its state: whoever does it reads the state of
// that moment, so that a task can be repeated, and two of them can run in any order.
import type { EventRow } from './ingestion-rows'

export type OutboxTask =
  /** Copies of persons and groups to the project's analytics store. A person that no longer exists becomes a tombstone. */
  | { kind: 'copy_people'; persons: string[]; groups: GroupName[] }
  /** An event that is too large for a message of the queue. */
  | { kind: 'store_event'; event: EventRow }
  /** A static cohort that is still empty, of the people for whom a flag is on. `now` is the moment of the request, ISO 8601. */
  | { kind: 'fill_cohort'; cohortId: number; flagId: number; now: string }
  /** The run log and the stored answers of a deleted endpoint. */
  | { kind: 'delete_endpoint_data'; endpointId: string }
  /** Tables of materialized rows that no version reads any more. */
  | { kind: 'drop_tables'; tables: string[] }

export interface GroupName {
  typeIndex: number
  key: string
}
