// The other end of the queue of builds.
import { type Clock, createIds, type Ids, systemClock } from '../../../clock'
import { createQueryGates } from '../../../analytics/query-gate/gateway'
import { consoleLog, describeError, type Log } from '../../../http/request-log'
import { createProjects } from '../../../project/gateway'
import { openDatabase } from '../../../storage/database'
import { createMeter } from '../../../storage/metered-d1'
import { buildVersion } from './build-version'
import { RENEW_MS } from './lease'
import type { BuildMessage } from './build-queue'
import { type MaterializationQuota, QUOTA } from './quota'
import type { BuildDeps } from './build-work'

/** As many as `max_retries` in wrangler.toml, and the first. */
const TRIES = 4

/** Seconds until a build that storage failed is gone on with. */
const RETRY_SECONDS = 30

/** Rows of a statement. Most results are written by one, so that all of their rows are of the same moment. */
const CHUNK = 250_000

export interface ConsumeOptions {
  clock?: Clock
  ids?: Ids
  log?: Log
  chunk?: number
  quota?: MaterializationQuota
  renewMs?: number
}

/** What builds work with, outside of any request. */
function buildDeps(
  env: Env,
  /** Is given work that the batch has to wait for. */
  waitUntil: (work: Promise<unknown>) => void,
  {
    clock = systemClock,
    ids = createIds(),
    log = consoleLog,
    chunk = CHUNK,
    quota = QUOTA,
    renewMs = RENEW_MS,
  }: ConsumeOptions = {},
): BuildDeps {
  const meter = createMeter()
  return {
    env,
    db: openDatabase(env.DB, meter),
    meter,
    eventsMeter: createMeter(),
    queryGates: createQueryGates(env.QUERY_GATES, waitUntil),
    clock,
    ids,
    projects: createProjects(env.PROJECTS, meter),
    log,
    chunk,
    quota,
    renewMs,
  }
}

/** Handles a batch of the queue. A build that storage failed comes back, and goes on where it was. */
export async function consumeBuilds(
  batch: MessageBatch<BuildMessage>,
  env: Env,
  options: ConsumeOptions = {},
): Promise<void> {
  const ends: Promise<unknown>[] = []
  const deps = buildDeps(env, (work) => ends.push(work), options)
  for (const message of batch.messages) {
    try {
      await buildVersion(deps, message.body, message.attempts >= TRIES)
      message.ack()
    } catch (error) {
      deps.log({ level: 'error', message: 'a materialization was not built', error: describeError(error) })
      message.retry({ delaySeconds: RETRY_SECONDS * message.attempts })
    }
  }
  await Promise.all(ends)
}
