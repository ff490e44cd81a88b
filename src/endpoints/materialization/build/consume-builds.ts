// Consumes the build queue.
import { createIds, systemClock } from '../../../clock'
import { createQueryGates } from '../../../analytics/query-gate/query-gate-client'
import { consoleLog, describeError } from '../../../http/log/request-log'
import { openDatabase } from '../../../storage/database'
import { createMeter } from '../../../storage/metered-d1'
import { buildVersion } from './build-version'
import { RENEW_MS } from './lease'
import type { BuildMessage } from './build-queue'
import { QUOTA } from './quota'
import type { BuildDeps } from './build-work'

/** Maximum rows of a statement. Most results take one statement, so that all rows are of the same time. */
const CHUNK = 250_000

/** The dependencies of a build. The batch waits for the work that is given to `waitUntil`. */
function buildDeps(env: Env, waitUntil: (work: Promise<unknown>) => void): BuildDeps {
  const meter = createMeter()
  return {
    env,
    db: openDatabase(env.DB, meter),
    meter,
    eventsMeter: createMeter(),
    queryGates: createQueryGates(env.QUERY_GATES, waitUntil),
    clock: systemClock,
    ids: createIds(),
    log: consoleLog,
    chunk: CHUNK,
    quota: QUOTA,
    renewMs: RENEW_MS,
  }
}

/** Consumes a batch. The minute's trigger sends versions again that are still due, or due after a failure. */
export async function consumeBuilds(
  batch: Pick<MessageBatch<BuildMessage>, 'messages'>,
  env: Env,
  options: Partial<BuildDeps> = {},
): Promise<void> {
  const ends: Promise<unknown>[] = []
  const deps = { ...buildDeps(env, (work) => ends.push(work)), ...options }
  for (const message of batch.messages) {
    try {
      await buildVersion(deps, message.body)
    } catch (error) {
      deps.log({ level: 'error', message: 'a materialization was not built', error: describeError(error) })
    }
    message.ack()
  }
  await Promise.all(ends)
}
