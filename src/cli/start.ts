import { parseArgs } from 'node:util'
import { runCommand, say, UsageError } from './command'
import { onExit } from './exit-cleanup'
import { greeting } from './local/greeting'
import { acquireLock } from './serve/lock'
import { createLogFormatter } from './serve/log-format'
import { requireFreePort } from './serve/port'
import { type Server, startServer } from './serve/server'
import { supervise } from './serve/supervise'
import { startTriggers } from './serve/triggers'

const DEFAULT_PORT = '8787'

const USAGE = `npm start [-- --port N]

Serves on this machine, with local databases and a first user. Restarts the server when it crashes. Ctrl-C stops it.

  --port N   of localhost (default ${DEFAULT_PORT}; 0: any that is free)`

runCommand(USAGE, async () => {
  const { values } = parseArgs({ options: { port: { type: 'string', default: DEFAULT_PORT } } })
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) {
    throw new UsageError(`--port must be a number from 0 to 65535, got "${values.port}"`)
  }
  // Stopping it is not a failure.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0))
  const { setUpLocally } = await import('./local/setup')
  const lock = acquireLock('npm start')
  onExit(lock.release)
  const port = await requireFreePort(Number(values.port))
  const baseUrl = `http://localhost:${port}`
  const { buildConsole } = await import('./build/console')
  const { buildGuides } = await import('./build/guides')
  buildGuides()
  const [setup] = await Promise.all([
    setUpLocally({ baseUrl }),
    buildConsole(() => say('Building the console…\n')),
  ])

  let server: Server | undefined
  let stopTriggers = () => {}
  onExit(() => server?.kill())
  const sayLine = (line: string) => say(`${line}\n`)
  const format = createLogFormatter({ isTerminal: process.stdout.isTTY })
  await supervise({
    start() {
      server = startServer(port, (line) => {
        const text = format(line)
        if (text) sayLine(text)
      })
      lock.record(baseUrl, server.pid)
      return server
    },
    probe: (timeoutMs) => isResponding(baseUrl, timeoutMs),
    onReady(isFirst) {
      stopTriggers = startTriggers(baseUrl, sayLine)
      sayLine(isFirst ? greeting(setup) : `Serving again on ${baseUrl}`)
    },
    onRestart(reason) {
      stopTriggers()
      sayLine(`The server stopped: ${reason}. Starting it again…`)
    },
  }).finally(() => stopTriggers())
})

const isResponding = (baseUrl: string, timeoutMs: number): Promise<boolean> =>
  fetch(`${baseUrl}/health`, { signal: AbortSignal.timeout(timeoutMs) }).then(
    async (response) => {
      await response.body?.cancel()
      return response.ok
    },
    () => false,
  )
