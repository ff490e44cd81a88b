// What capture sends to an analytics store: events, and copies of the persons, groups and memberships that changed with them.
import type { JsonObject } from '../json'

/** Moments are in stored form (`timestamps.ts`). */
export interface EventRow {
  uuid: string
  event: string
  distinctId: string
  timestamp: string
  createdAt: string
  /** Whether it carries `$set`, `$set_once` or `$unset`. */
  setsProperties: boolean
  /** Names of the person's properties that it changed; absent where that is not known. */
  changed?: readonly string[] | undefined
  /** Of `$feature_flag_called`: the flag, and its answer as text. */
  flagKey: string | null
  flagResponse: string | null
  properties: JsonObject
}

/** Copies carry the project's `people_version` of their change: a store keeps the highest. */
export interface PersonCopy {
  uuid: string
  isIdentified: boolean
  createdAt: string
  version: number
  /** A tombstone: the person became part of another. */
  isDeleted: boolean
  properties: JsonObject
}

export interface DistinctIdCopy {
  distinctId: string
  personUuid: string
  version: number
}

export interface GroupCopy {
  typeIndex: number
  key: string
  createdAt: string
  version: number
  properties: JsonObject
}

export interface CohortMemberCopy {
  cohortId: number
  personUuid: string
  version: number
  isDeleted: boolean
}

/** Rows of one project. */
export interface IngestionRows {
  /** People before events: a query that sees an event also finds its person. */
  cohortPeople: CohortMemberCopy[]
  groups: GroupCopy[]
  distinctIds: DistinctIdCopy[]
  persons: PersonCopy[]
  events: EventRow[]
}

export type RowKind = keyof IngestionRows

export const noRows = (): IngestionRows => ({
  cohortPeople: [],
  groups: [],
  distinctIds: [],
  persons: [],
  events: [],
})

/** In the order in which they are written. */
export const ROW_KINDS = Object.keys(noRows()) as RowKind[]

/** Adds rows to others, in place. */
export function addRows(to: IngestionRows, from: IngestionRows): void {
  for (const kind of ROW_KINDS) for (const row of from[kind]) (to[kind] as unknown[]).push(row)
}
