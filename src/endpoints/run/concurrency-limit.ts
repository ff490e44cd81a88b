// Limits the concurrent queries of a project: a database runs one at a time, and slow queries would block everything else. Each isolate
// counts its own queries.
import { tooManyQueries } from '../../analytics/engine/limits'

export const MAX_CONCURRENT_RUNS = 20

export interface ConcurrencyLimit {
  /** @throws 429 at the limit */
  pass<T>(projectId: number, work: () => Promise<T>): Promise<T>
}

export function createConcurrencyLimit(max = MAX_CONCURRENT_RUNS): ConcurrencyLimit {
  const inside = new Map<number, number>()
  return {
    async pass(projectId, work) {
      const count = inside.get(projectId) ?? 0
      if (count >= max) throw tooManyQueries()
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
