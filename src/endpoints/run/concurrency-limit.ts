// How many queries a project may have under way at once. The database works on one at a time: without a bound, one project's slow queries
// would keep everybody else's flags waiting.
//
// Counted in this isolate only: a project that is busy in many places has as many times the room.
import { tooManyAtOnce } from '../../analytics/engine/limits'

/** Queries that a project may have under way. */
export const ROOM = 20

declare module '../../deps' {
  interface Deps {
    /** Limits the concurrent queries of a project. */
    runGate: RunGate
  }
}

export interface RunGate {
  /** Runs `work` when there is room. @throws 429 when there is none. */
  pass<T>(projectId: number, work: () => Promise<T>): Promise<T>
}

export function createRunGate(room = ROOM): RunGate {
  const inside = new Map<number, number>()
  return {
    async pass(projectId, work) {
      const count = inside.get(projectId) ?? 0
      if (count >= room) throw tooManyAtOnce()
      inside.set(projectId, count + 1)
      try {
        return await work()
      } finally {
        const left = inside.get(projectId)! - 1
        if (left === 0) inside.delete(projectId)
        else inside.set(projectId, left)
      }
    },
  }
}
