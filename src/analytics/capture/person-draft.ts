// Persons as they are stored, and as they are while events are applied to them. Pure.
import type { JsonObject } from '../../json'
import type { CapturedEvent } from './parse-event'
import type { Bag } from './property-changes'

export interface StoredPerson {
  id: number
  uuid: string
  properties: JsonObject
  isIdentified: boolean
  createdAt: string
  version: number
}

/** A person as it is to be stored: a new one, or one that changed. */
export interface PersonRow {
  uuid: string
  properties: JsonObject
  isIdentified: boolean
  createdAt: string
}

/** A person while events are applied to it. */
export interface Draft extends Bag, PersonRow {
  stored: StoredPerson | null
  isChanged: boolean
  /** Of those that this run knows of. */
  distinctIds: Set<string>
  /** All distinct ids; counted for persons that this run may give another one. */
  distinctIdCount: number
  /** Stored persons that became part of this one. */
  absorbed: StoredPerson[]
}

/** Distinct ids that one person may have. */
export const MAX_DISTINCT_IDS = 10_000

/**
 * The stored persons as drafts, by distinct id: ids of one person share one draft.
 * @param distinctIdCounts by the id of the person.
 */
export function draftsOf(
  people: ReadonlyMap<string, StoredPerson>,
  distinctIdCounts: ReadonlyMap<number, number>,
): Map<string, Draft> {
  const byId = new Map<number, Draft>()
  const drafts = new Map<string, Draft>()
  for (const [distinctId, stored] of people) {
    const { id, version: _version, ...row } = stored
    const draft = byId.get(id) ?? {
      ...row,
      stored,
      bytes: null,
      isChanged: false,
      distinctIds: new Set(),
      distinctIdCount: distinctIdCounts.get(id) ?? 0,
      absorbed: [],
    }
    byId.set(id, draft)
    draft.distinctIds.add(distinctId)
    drafts.set(distinctId, draft)
  }
  return drafts
}

/** Somebody who is seen for the first time, in this event. */
export const newPerson = ({ timestamp }: CapturedEvent, newUuid: () => string): Draft => ({
  uuid: newUuid(),
  properties: {},
  isIdentified: false,
  createdAt: timestamp,
  bytes: null,
  stored: null,
  isChanged: true,
  distinctIds: new Set(),
  distinctIdCount: 0,
  absorbed: [],
})
