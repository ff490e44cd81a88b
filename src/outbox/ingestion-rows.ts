// Rows for an analytics store: events, and copies of changed persons, groups and memberships.
import type { JsonObject } from '../json'

/** Timestamps are in stored form (`timestamps.ts`). */
export interface EventRow {
  uuid: string
  event: string
  distinctId: string
  timestamp: string
  createdAt: string
  /** Whether the event has `$set`, `$set_once` or `$unset`, also those of properties that were copied to its person. */
  setsProperties: boolean
  /** Person properties that the event changed. They are absent if unknown. */
  changed?: readonly string[] | undefined
  /** The flag of `$feature_flag_called`, and its result as text. */
  flagKey: string | null
  flagResponse: string | null
  properties: JsonObject
}

/** `version` is the project's `people_version` of the change; the highest counts. */
export interface PersonCopy {
  uuid: string
  isIdentified: boolean
  createdAt: string
  version: number
  /** Whether the row is a tombstone, because the person was merged into another. */
  isDeleted: boolean
  properties: JsonObject
}

/** Queries read only the id and version of a tombstone. */
export const tombstone = (uuid: string, version: number): PersonCopy => ({
  uuid,
  isIdentified: false,
  createdAt: '1970-01-01T00:00:00.000000Z',
  version,
  isDeleted: true,
  properties: {},
})

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
  /** Rows are in the order of writing. Persons come before events, so that a query finds the person of each event. */
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

/** Kinds in the order of writing. */
export const ROW_KINDS = Object.keys(noRows()) as RowKind[]

/** Appends rows in place. */
export function addRows(to: IngestionRows, from: IngestionRows): void {
  for (const kind of ROW_KINDS) for (const row of from[kind]) (to[kind] as unknown[]).push(row)
}
