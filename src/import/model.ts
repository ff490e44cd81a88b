// The items and streams that an import moves, whatever service or file they come from. An item refers to others by key where the API has
// ids, so that the items of two projects can be compared, and those of a file can be read.
import type { JsonObject, JsonValue } from '../json'

/** Titles of kinds, in the order in which they can be written: an item refers to earlier kinds, or to its own. */
export const KIND_TITLES = {
  group_type: 'Group types',
  event_definition: 'Definitions of events',
  property_definition: 'Definitions of properties',
  variable: 'Variables',
  cohort: 'Cohorts',
  flag: 'Flags',
  query: 'Saved queries',
  dashboard: 'Dashboards',
  scheduled_change: 'Scheduled changes',
  webhook: 'Webhooks',
  // A flag that is written later would need evaluation contexts, or approval.
  project: 'Settings of the project',
  approval_policy: 'Approval policies',
}
export type Kind = keyof typeof KIND_TITLES
export const KINDS = Object.keys(KIND_TITLES) as Kind[]

/**
 * Titles of streams, which are read in pages and only on request, in the order in which they are written: persons and groups are read after
 * the events, so that they are the outcome of all that were moved.
 */
export const STREAM_TITLES = { event: 'Events', group: 'Groups', person: 'Persons' }
export type Stream = keyof typeof STREAM_TITLES
export const STREAMS = Object.keys(STREAM_TITLES) as Stream[]

export interface Item {
  kind: Kind
  /** The key, which is unique in its kind and project: the key of a flag, the name of a query. */
  key: string
  /** The fields that are compared and written, in the API's form. */
  value: JsonObject
  /** Fields that only a new one gets, such as the time of its creation. */
  initial?: JsonObject
  /** A distinct id of each person of a static cohort, sorted. */
  members?: readonly string[]
  /** The note that a flag's description gets about its origin. */
  note?: string
  /** Differences from the source, each with its reason. */
  changes: readonly string[]
  /** Why the item cannot be imported. */
  problem: string | null
  /** Why a flag's results differ for some people on both sides, so that comparing them is pointless. */
  incomparable?: string
}

/** The versions of a saved query, with the numbers that they have at the source. */
export function numberedVersions({ value, initial }: Item): { number: number; version: JsonObject }[] {
  const numbers = (initial?.numbers ?? []) as readonly number[]
  return (value.versions as readonly JsonObject[]).map((version, index) => ({
    version,
    number: numbers[index] ?? index + 1,
  }))
}

/** An item of the target. */
export interface TargetItem extends Item {
  id: number | string
  /** The person of each distinct id of the members of a static cohort. */
  people?: ReadonlyMap<string, string>
}

export interface Page {
  rows: readonly JsonObject[]
  /** The position of the next page. It is null at the end. */
  next: string | null
  /** The position at which a later import continues, at the end of a stream that grows there. */
  resume?: string | null
}

/** A service or file from which items are read. */
export interface Source {
  /** The name of the source for people, without secrets. */
  title: string
  /** Identifies the source to what an import remembers. */
  id: string
  /** Identifies the state of a source to which positions in streams belong. It is absent where they stay valid. */
  edition?: string
  readItems(): Promise<Item[]>
  /** Notes of the report about the whole import. */
  remarks(): readonly string[]
  /** The number of pages of a stream that the source allows in an hour. */
  pagesPerHour?(stream: Stream): number | null
  /** @returns null where the source does not say. */
  count(stream: Stream): Promise<number | null>
  /**
   * @param cursor where the page begins; null for the first.
   * @returns null where the source has none of them.
   */
  readPage(stream: Stream, cursor: string | null): Promise<Page | null>
  /** Evaluates all flags for a person. It is null where the source has no such call. */
  evaluate: Evaluate | null
}

export interface Subject {
  distinctId: string
  properties: JsonObject
  /** Groups by the name of the group type. */
  groups: Readonly<Record<string, { key: string; properties: JsonObject }>>
}

export interface Evaluated {
  /** False, true or the key of a variant. */
  value: JsonValue
  /** The payload. It is absent where the source omits or hides it. */
  payload?: JsonValue
}

/** Evaluates flags, and returns results by key. */
export type Evaluate = (subject: Subject) => Promise<Readonly<Record<string, Evaluated>>>
