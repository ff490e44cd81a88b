// Counts the calls of a key: per minute by the platform's rate limiter, and per hour without delaying any call. For the hour, an isolate
// counts in memory, reports to D1 after a response, and rejects by the total of its last report.
//
// An isolate reports the first call of a key, then every hundredth part of the limit, or the next call after ten minutes. Other isolates do
// not know what it has not reported: a key exceeds its limit by at most 1 % for each isolate that serves it.
import type { Actor } from '../../auth/actor'
import { LruCache } from '../../lru-cache'
import {
  addCall,
  countKey,
  type CountingDeps,
  type KeyRate,
  secondsLeft,
  type Throttle,
  throttled,
} from './throttle'
import { toStoredTimestamp } from '../../timestamps'

/**
 * Limits per hour. `REMOTE_CONFIG_RATE` has none. Runs of queries have upstream's limits, and runs of materialized rows five times as many.
 */
export const HOURLY_QUOTAS: Readonly<Partial<Record<KeyRate, Throttle>>> = {
  KEY_RATE: { name: 'key', calls: 4_800, seconds: 3_600 },
  TEST_EVALUATION_RATE: { name: 'key_test_evaluation', calls: 1_200, seconds: 3_600 },
  RUN_RATE: { name: 'endpoint_run', calls: 2_400, seconds: 3_600 },
  MATERIALIZED_RUN_RATE: { name: 'endpoint_run_materialized', calls: 12_000, seconds: 3_600 },
}

const REPORTED_SHARE = 100
const REPORT_INTERVAL_MS = 600_000

/** The most keys that an isolate counts. It evicts the least recently used key. */
const MAX_COUNTED_KEYS = 10_000

export type KeyQuota = ReturnType<typeof createKeyQuota>

interface Window {
  /** The total of the last report, or null before the first one. */
  reported: number | null
  /** The calls since the last report. */
  pending: number
  /** The calls of a report that is being sent. */
  sending: number
  startedAtMs: number
  reportedAtMs: number
}

interface ReportingDeps extends CountingDeps {
  afterResponse(work: () => Promise<unknown>): void
}

/** Creates the counter of an isolate. */
export function createKeyQuota() {
  const windows = new LruCache<string, Window>(MAX_COUNTED_KEYS)

  /** Returns the window of a key, which is a new one after an hour. */
  function windowOf(id: string, { seconds }: Throttle, nowMs: number): Window {
    const found = windows.get(id)
    if (found && found.startedAtMs + seconds * 1000 > nowMs) return found
    const window = { reported: null, pending: 0, sending: 0, startedAtMs: nowMs, reportedAtMs: nowMs }
    windows.set(id, window, 1)
    return window
  }

  async function report(
    { db, clock }: ReportingDeps,
    quota: Throttle,
    keyId: string,
    window: Window,
  ): Promise<void> {
    const now = clock.now()
    const calls = { count: window.pending, since: new Date(window.startedAtMs) }
    window.sending = window.pending
    window.pending = 0
    try {
      const [total] = await addCall(db, quota, keyId, now, undefined, calls)
      window.reported = total!.count
      window.startedAtMs = Date.parse(total!.startedAt)
      window.reportedAtMs = now.getTime()
    } catch (error) {
      window.pending += window.sending
      throw error
    } finally {
      window.sending = 0
    }
  }

  return {
    /**
     * Counts a call of an API key. It does nothing for sessions, and unless the deployment has `THROTTLES` on. Rejected calls do not count
     * in the hour.
     * @throws 429 past a limit
     */
    async count(deps: ReportingDeps, actor: Actor, rate: KeyRate = 'KEY_RATE'): Promise<void> {
      await countKey(deps, actor, rate)
      const quota = HOURLY_QUOTAS[rate]
      if (deps.env.THROTTLES !== 'on' || actor.kind !== 'apiKey' || !quota) return
      const now = deps.clock.now()
      const window = windowOf(`${quota.name}:${actor.keyId}`, quota, now.getTime())
      if ((window.reported ?? 0) + window.sending + window.pending >= quota.calls) {
        throw throttled(secondsLeft(toStoredTimestamp(new Date(window.startedAtMs)), quota.seconds, now))
      }
      window.pending += 1
      if (window.sending === 0 && isReportDue(window, quota, now.getTime())) {
        deps.afterResponse(async () => {
          if (window.pending > 0 && window.sending === 0) await report(deps, quota, actor.keyId, window)
        })
      }
    },
  }
}

const isReportDue = ({ reported, pending, reportedAtMs }: Window, { calls }: Throttle, nowMs: number) =>
  reported === null || pending >= calls / REPORTED_SHARE || nowMs - reportedAtMs >= REPORT_INTERVAL_MS
