import { sleep } from '../../deadline'
import { LruCache } from '../../lru-cache'
import { addWarnings, type CaptureWarning } from './warnings'

/** Minimum time between two reports of a project by one isolate. */
const INTERVAL_MS = 1_000

/** Maximum projects of which an isolate keeps warnings until their next report. */
const MAX_PROJECTS = 1_000

export interface WarningStore {
  /** Adds warnings to those of a project. */
  addWarnings(projectId: number, warnings: readonly CaptureWarning[]): Promise<void>
  /** Returns the warnings of a project that have not expired. The first is the one that was seen last. */
  listWarnings(projectId: number, now: Date): Promise<CaptureWarning[]>
}

export interface WarningReporter {
  /** Stores warnings after the response. Those of the same second are stored together. */
  report(
    deps: { projectObjects: WarningStore; afterResponse(work: () => Promise<unknown>): void },
    projectId: number,
    warnings: readonly CaptureWarning[],
  ): void
}

interface Pending {
  warnings: CaptureWarning[]
  /** The time at which the warnings may be sent, by `performance.now()`. */
  dueAt: number
  /** Whether a request already waits to send them at that time. */
  isAwaited: boolean
}

/** Creates the reporter of an isolate. When a request ends early, the next request sends its warnings. */
export function createWarningReporter(): WarningReporter {
  const byProject = new LruCache<number, Pending>(MAX_PROJECTS)
  return {
    report({ projectObjects, afterResponse }, projectId, warnings) {
      const pending = byProject.get(projectId) ?? { warnings: [], dueAt: 0, isAwaited: false }
      byProject.set(projectId, pending, 1)
      pending.warnings = addWarnings(pending.warnings, warnings)
      const now = performance.now()
      const isLate = now > pending.dueAt + INTERVAL_MS
      if (pending.isAwaited && !isLate) return
      pending.isAwaited = true
      afterResponse(async () => {
        await sleep(Math.max(0, pending.dueAt - now))
        const sent = pending.warnings
        Object.assign(pending, { warnings: [], dueAt: performance.now() + INTERVAL_MS, isAwaited: false })
        if (sent.length > 0) await projectObjects.addWarnings(projectId, sent)
      })
    },
  }
}
