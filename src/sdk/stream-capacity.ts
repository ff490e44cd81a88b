// Allocates an isolate's slots for streams. Streams of one project leave slots for those of other projects: with a fixed quota of half of
// the slots, two projects could take all of them.
import { tooManyStreams } from '../snapshots/change-stream-client'

export interface StreamCapacity {
  /**
   * Takes a slot for a stream of a project, which may have at most as many as are then free: half of all when no other project has any.
   * @returns a function that frees the slot
   * @throws 503 when the project has as many as are free
   */
  take(projectId: number): () => void
}

export function createStreamCapacity(max: number): StreamCapacity {
  const openOf = new Map<number, number>()
  let free = max
  return {
    take(projectId) {
      const open = openOf.get(projectId) ?? 0
      if (open >= free) throw tooManyStreams()
      openOf.set(projectId, open + 1)
      free -= 1
      return () => {
        const left = openOf.get(projectId)! - 1
        if (left === 0) openOf.delete(projectId)
        else openOf.set(projectId, left)
        free += 1
      }
    },
  }
}
