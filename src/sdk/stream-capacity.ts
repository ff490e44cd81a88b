// Allocates an isolate's slots for streams. Streams of one organization leave slots for those of others: with a fixed quota of half of
// the slots, two organizations could take all of them, and by project an organization alone could.
import { tooManyStreams } from '../snapshots/change-stream-client'

/** Maximum streams of an organization for one network. Slots of clients that have gone are free after seconds to a minute. */
export const MAX_STREAMS_PER_NETWORK = 100

export interface StreamCapacity {
  /**
   * Takes a slot for a stream of an organization, which may have at most as many as are then free: half of all when no other one has any.
   * @param network of the client; null when it is unknown, and not limited
   * @returns a function that frees the slot
   * @throws 503 when the organization has as many as are free, or the network has its maximum
   */
  take(organizationId: string, network: string | null): () => void
}

export function createStreamCapacity(max: number): StreamCapacity {
  const ofOrganization = createCounts<string>()
  const ofNetwork = createCounts<string>()
  let free = max
  return {
    take(organizationId, network) {
      const key = network === null ? null : `${organizationId} ${network}`
      const isFull = key !== null && ofNetwork.get(key) >= MAX_STREAMS_PER_NETWORK
      if (isFull || ofOrganization.get(organizationId) >= free) throw tooManyStreams()
      ofOrganization.add(organizationId, 1)
      if (key !== null) ofNetwork.add(key, 1)
      free -= 1
      return () => {
        ofOrganization.add(organizationId, -1)
        if (key !== null) ofNetwork.add(key, -1)
        free += 1
      }
    },
  }
}

/** Counts by key, without those that are 0. */
function createCounts<K>() {
  const counts = new Map<K, number>()
  const get = (key: K) => counts.get(key) ?? 0
  return {
    get,
    add(key: K, more: number): void {
      const count = get(key) + more
      if (count === 0) counts.delete(key)
      else counts.set(key, count)
    },
  }
}
