// Bounds what is stored and a request reads, measures and writes again: an event of a few bytes may concern 500 KB of properties, and
// thousands of distinct ids.
import { ApiError } from '../../errors'
import type { JsonObject } from '../../json'
import { MAX_PAGE_BYTES } from '../../storage/byte-page'

/** Maximum bytes and number of stored properties of the persons and groups that a request may change. A single event never exceeds them. */
export const MAX_STORED_BYTES = MAX_PAGE_BYTES
export const MAX_STORED_PROPERTIES = 200_000

/** Maximum distinct ids that the merges of a request move. A single merge moves at most half of `MAX_DISTINCT_IDS`. */
export const MAX_REQUEST_MOVED_IDS = 10_000

export class StoredBudget {
  #bytes = 0
  #properties = 0
  #movedIds = 0

  /** @throws 413 when `stored` exceeds what is left */
  require(stored: StoredSize, firstIndex: number): void {
    const isWithin =
      this.#bytes + stored.bytes <= MAX_STORED_BYTES &&
      this.#properties + stored.properties <= MAX_STORED_PROPERTIES
    if (!isWithin) throw tooMuchStored(firstIndex)
  }

  /** @throws 413 when merges would move more distinct ids than are left */
  requireMoves(movedIds: number, firstIndex: number): void {
    if (this.#movedIds + movedIds > MAX_REQUEST_MOVED_IDS) throw tooManyMoved(firstIndex)
  }

  spend({ bytes, properties }: StoredSize, movedIds: number): void {
    this.#bytes += bytes
    this.#properties += properties
    this.#movedIds += movedIds
  }
}

export interface StoredSize {
  /** The length of the JSON. It is infinite when it was not read, because it is too large. */
  bytes: number
  properties: number
}

export interface StoredProperties {
  properties: JsonObject
  size: StoredSize
}

export function parseStored(text: string): StoredProperties {
  const properties = JSON.parse(text) as JsonObject
  return { properties, size: { bytes: text.length, properties: Object.keys(properties).length } }
}

const tooMuchStored = (firstIndex: number) =>
  tooLarge(
    `The events change persons and groups with more than ${MAX_STORED_BYTES} bytes or ${MAX_STORED_PROPERTIES} properties together.`,
    firstIndex,
  )

const tooManyMoved = (firstIndex: number) =>
  tooLarge(
    `The events merge persons with more than ${MAX_REQUEST_MOVED_IDS} distinct ids together.`,
    firstIndex,
  )

/** @param firstIndex of the events that are not stored */
const tooLarge = (what: string, firstIndex: number) =>
  new ApiError({
    status: 413,
    type: 'invalid_request',
    code: 'request_too_large',
    detail:
      `${what} Send fewer events in a request.` +
      (firstIndex > 0 ? ` Those before index ${firstIndex} are stored.` : ''),
  })
