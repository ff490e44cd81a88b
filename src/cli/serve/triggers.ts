// Fires the cron triggers of the local server, which the runtime does not do, so that materialized rows are refreshed and the outbox is
// retried as on the platform.
import { DAILY, EVERY_MINUTE } from '../../jobs/crons'

/** The interval, which is shorter than on the platform, so that a new runtime soon continues the work of a killed one. */
const SHORT_MS = 5_000
const DAY_MS = 86_400_000

/** Failures in a row before one is reported, because a restarting server misses a trigger or two. */
const MAX_SILENT_FAILURES = 3

const triggerUrl = (url: string, cron: string): string =>
  `${url}/cdn-cgi/local/scheduled?cron=${encodeURIComponent(cron)}`

/**
 * Fires the minute's trigger every five seconds, and the daily one at once and every day.
 * @returns a function that stops it
 */
export function startTriggers(url: string, report: (message: string) => void): () => void {
  const timers = [
    repeat(SHORT_MS, createTrigger(url, EVERY_MINUTE, report)),
    repeat(DAY_MS, createTrigger(url, DAILY, report)),
  ]
  return () => timers.forEach(clearInterval)
}

function repeat(intervalMs: number, trigger: () => Promise<void>): NodeJS.Timeout {
  void trigger()
  return setInterval(trigger, intervalMs)
}

/** Returns a function that fires a trigger, unless it still runs. Failures are reported when they persist. */
export function createTrigger(
  url: string,
  cron: string,
  report: (message: string) => void,
): () => Promise<void> {
  let isRunning = false
  let failures = 0
  return async () => {
    if (isRunning) return
    isRunning = true
    const problem = await fire(triggerUrl(url, cron))
    isRunning = false
    failures = problem === null ? 0 : failures + 1
    if (failures === MAX_SILENT_FAILURES + 1) {
      report(`The trigger "${cron}" has failed ${failures} times in a row: ${problem}`)
    }
  }
}

/** Returns the reason of a failure, or null. */
async function fire(url: string): Promise<string | null> {
  try {
    const response = await fetch(url)
    const body = await response.text()
    return response.ok ? null : `status ${response.status}, ${body.slice(0, 200)}`
  } catch (error) {
    return ((error as Error).cause as Error | undefined)?.message ?? (error as Error).message
  }
}
