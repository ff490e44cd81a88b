// Keeps the local server running: one that ends or no longer answers is started again, a limited number of times.
import { setTimeout as wait } from 'node:timers/promises'
import type { Server } from './server'

/** Restarts within the window. A server that fails more often has a problem that restarting does not solve. */
const MAX_RESTARTS = 5
const RESTART_WINDOW_MS = 600_000

export interface Timing {
  /** How long a start may take. */
  startMs: number
  /** Between two probes, and for each. */
  probeMs: number
  /** Probes in a row that may fail: one statement of a query may block the runtime for 30 seconds. */
  maxFailedProbes: number
}

const TIMING: Timing = { startMs: 120_000, probeMs: 15_000, maxFailedProbes: 4 }

export interface SupervisorOptions {
  start(): Server
  probe(timeoutMs: number): Promise<boolean>
  onReady(isFirst: boolean): void
  onRestart(reason: string): void
  timing?: Timing
}

/** @throws when it does not start, or ends too often; the message has the last lines of its output. */
export async function supervise(options: SupervisorOptions): Promise<never> {
  const restarts: number[] = []
  for (let isFirst = true; ; isFirst = false) {
    const server = options.start()
    let reason = await untilEnd(server, (signal) => untilReady(options, signal))
    if (reason === null) {
      options.onReady(isFirst)
      reason = await untilEnd(server, (signal) => untilUnresponsive(options, signal))
    } else if (isFirst) {
      server.kill()
      throw new Error(`The server did not start: ${reason}.\n${server.tail()}`)
    }
    server.kill()
    const now = Date.now()
    while (restarts.length > 0 && restarts[0]! < now - RESTART_WINDOW_MS) restarts.shift()
    if (restarts.length === MAX_RESTARTS) {
      throw new Error(
        `The server ended ${MAX_RESTARTS + 1} times within ${RESTART_WINDOW_MS / 60_000} minutes, now because ${reason}.\n${server.tail()}`,
      )
    }
    restarts.push(now)
    options.onRestart(reason!)
  }
}

/** The result of a watch, or why the server ended before. */
async function untilEnd(
  { ended }: Server,
  watch: (signal: AbortSignal) => Promise<string | null>,
): Promise<string | null> {
  const controller = new AbortController()
  try {
    return await Promise.race([ended, watch(controller.signal)])
  } finally {
    controller.abort()
  }
}

const START_PROBE_MS = 200

/** Null once the server answers. */
async function untilReady(
  { probe, timing = TIMING }: SupervisorOptions,
  signal: AbortSignal,
): Promise<string | null> {
  for (const end = Date.now() + timing.startMs; Date.now() < end && !signal.aborted;) {
    if (await probe(timing.probeMs)) return null
    await sleep(START_PROBE_MS, signal)
  }
  return `it did not answer within ${timing.startMs / 1000} seconds`
}

async function untilUnresponsive(
  { probe, timing = TIMING }: SupervisorOptions,
  signal: AbortSignal,
): Promise<string> {
  const { probeMs, maxFailedProbes } = timing
  for (let failed = 0; failed < maxFailedProbes && !signal.aborted;) {
    await sleep(probeMs, signal)
    const isResponding = signal.aborted || (await probe(probeMs))
    failed = isResponding ? 0 : failed + 1
  }
  return `it did not answer ${maxFailedProbes} probes in a row`
}

const sleep = (milliseconds: number, signal: AbortSignal): Promise<unknown> =>
  wait(milliseconds, undefined, { signal }).catch(() => {})
