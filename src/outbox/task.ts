// Tasks of the outbox. A task refers to its object and never contains its state: it reads the current state when it runs, so tasks can be repeated
// and reordered.
import type { EventRow } from './ingestion-rows'

export type OutboxTask =
  /** Copies persons and groups to the analytics store. A missing person becomes a tombstone. */
  | { kind: 'copy_people'; persons: string[]; groups: GroupName[] }
  /** Copies whether these persons (uuids) are members of a static cohort. */
  | { kind: 'copy_members'; cohortId: number; persons: string[] }
  /** Stores an event that is too large for a queue message. */
  | { kind: 'store_event'; event: EventRow }
  /**
   * Fills a static cohort with the persons for whom this version of a flag is on. `now` is the time of the request in ISO 8601, `after`
   * the last person that was evaluated, and `errors` the number of persons so far that could not be evaluated.
   */
  | {
      kind: 'fill_cohort'
      cohortId: number
      flagId: number
      version: number
      now: string
      after?: number
      errors?: number
    }
  /**
   * Deletes property history, distinct ids and memberships of a deleted person from analytics stores, and events that arrived up to
   * `before`. `version` is the highest `people_version` of the deleted rows.
   */
  | {
      kind: 'delete_person_data'
      person: string
      distinctIds: string[]
      cohortIds: number[]
      deleteEvents: boolean
      version: number
      before: string
    }
  /**
   * Deletes everything of a project whose row is deleted, from the step on, and once more when messages from before `before` are gone.
   * The task contains the token and the shard of the row.
   */
  | { kind: 'delete_project'; token: string; shard: string; before: string; step: number }

export interface GroupName {
  typeIndex: number
  key: string
}
