import { setTimeout as sleep } from 'node:timers/promises'
import { buildGuides } from './build/guides'
import { runCommand, say } from './command'
import { onExit } from './exit-cleanup'
import { greeting } from './local/greeting'
import type { LocalSetup } from './local/setup'
import { acquireLock } from './serve/lock'
import { createLogFormatter } from './serve/log-format'
import { DEFAULT_PORT, parsePort, requireFreePort } from './serve/port'
import { startTriggers } from './serve/triggers'
import { QUEUE_ENDINGS } from '../jobs/queues'
import type { WorkerOptions } from './local/worker-options'

const USAGE = `npm start [-- --port N] [--renew]

Serves on this machine, with local databases and a first user. Starts the runtime again when it ends. Ctrl-C stops it.

  --port N   of localhost (default ${DEFAULT_PORT}; 0: any that is free); the variable PORT sets it, too
  --renew    makes a new password and key for the first user`

/** The time between two probes, and the deadline of each. One statement of a query may block the runtime for 30 seconds. */
const PROBE_MS = 15_000
const MAX_FAILED_PROBES = 4

const OPTIONS = { port: { type: 'string' }, renew: { type: 'boolean', default: false } } as const

runCommand(USAGE, { options: OPTIONS }, async ({ values: { port: given, renew } }) => {
  const wanted =
    given === undefined ? parsePort('PORT', process.env.PORT || DEFAULT_PORT) : parsePort('--port', given)
  // A stop by a signal is not a failure.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0))
  const lock = acquireLock('npm start')
  onExit(lock.release)
  const port = await requireFreePort(wanted)
  const baseUrl = `http://localhost:${port}`
  const { readWorker } = await import('./local/worker-options')
  const { bundleWorker } = await import('./serve/bundle')
  const worker = await readWorker()
  // Wrangler bundles in a separate process.
  const [bundle, setup] = await Promise.all([
    bundleWorker(worker, () => say('Bundling the Worker…\n')),
    prepare(baseUrl, renew),
  ])

  // A first start has made the secrets, which are variables.
  const { options } = await readWorker()

  // Reading Miniflare's source map takes a second.
  process.setSourceMapsEnabled(false)
  const { createRuntime } = await import('./serve/runtime')
  const sayLine = (line: string) => say(`${line}\n`)
  const format = createLogFormatter({ isTerminal: process.stdout.isTTY })
  const bindings = {
    ...options.bindings,
    THROTTLES: 'off',
    // Members may name services of this machine and network, unless a proxy makes this one public.
    ALLOW_PRIVATE_HOSTS: process.env.ALLOW_PRIVATE_HOSTS ?? 'on',
  }
  const runtime = createRuntime({
    worker: { ...withParallelWebhooks(options), bindings },
    bundle,
    port,
    onLogLine(line) {
      const text = format(line)
      if (text) sayLine(text)
    },
    onEnd: (reason) => sayLine(`The server stopped: ${reason}. Starting it again…`),
    onServing: () => sayLine(`Serving again on ${baseUrl}`),
  })
  onExit(runtime.kill)
  await runtime.start()
  lock.record(baseUrl)
  startTriggers(baseUrl, sayLine)
  sayLine(greeting(setup, { isTerminal: process.stdout.isTTY }))

  // Miniflare restarts a runtime that has ended. A runtime that is stuck, or was not restarted, is replaced here.
  for (let failed = 0; ;) {
    await sleep(PROBE_MS)
    failed = (await isResponding(baseUrl)) ? 0 : failed + 1
    if (failed < MAX_FAILED_PROBES) continue
    sayLine(`The server did not answer ${failed} probes in a row. Starting it again…`)
    await runtime.start().then(
      () => sayLine(`Serving again on ${baseUrl}`),
      (error: Error) => sayLine(`It did not start: ${error.message}`),
    )
  }
})

/** Builds what is served besides the Worker, and creates the databases. */
async function prepare(baseUrl: string, renew: boolean): Promise<LocalSetup> {
  const { setUpLocally } = await import('./local/setup')
  const { buildConsole } = await import('./build/console')
  const setup = await setUpLocally({ baseUrl, renew })
  await buildGuides()
  await buildConsole(() => say('Building the console…\n'))
  return setup
}

const isResponding = (baseUrl: string): Promise<boolean> =>
  fetch(`${baseUrl}/health`, { signal: AbortSignal.timeout(PROBE_MS) }).then(
    async (response) => {
      await response.body?.cancel()
      return response.ok
    },
    () => false,
  )

/** The most messages of a batch. */
const MAX_BATCH_SIZE = 100

/**
 * Handles waiting webhooks in parallel. The local queue has one consumer, which would keep all webhooks waiting for one slow receiver, while
 * the platform runs consumers in parallel. Therefore this one takes all webhooks that wait, and calls them at the same time.
 */
function withParallelWebhooks(options: WorkerOptions): WorkerOptions {
  const consumers = Object.entries(options.queueConsumers).map(([name, consumer]) => [
    name,
    name.endsWith(QUEUE_ENDINGS.WEBHOOKS) ? { ...consumer, maxBatchSize: MAX_BATCH_SIZE } : consumer,
  ])
  return { ...options, queueConsumers: Object.fromEntries(consumers) as WorkerOptions['queueConsumers'] }
}
