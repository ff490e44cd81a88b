// `npm start [-- --port N]`: a local service, migrated and seeded, that is started again when it crashes.
import { parseArgs } from 'node:util'
import { runCommand, UsageError } from './command'
import { onExit } from './exit-cleanup'
import { greeting } from './greeting'
import { createErrorFormatter } from './serve/error-lines'
import { acquireLock } from './serve/lock'
import { requireFreePort } from './serve/port'
import { type Server, startServer } from './serve/server'
import { supervise } from './serve/supervise'
import { startTriggers } from './serve/triggers'

const say = (text: string) => process.stdout.write(`${text}\n`)

runCommand(async () => {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '8787' } } })
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) {
    throw new UsageError(`--port must be a number from 0 to 65535, got "${values.port}"`)
  }
  // Wrangler takes seconds to load: what is wrong with the options is said before.
  const { setUpLocally } = await import('./local-setup')
  const lock = acquireLock('npm start')
  onExit(lock.release)
  const port = await requireFreePort(Number(values.port))
  const baseUrl = `http://localhost:${port}`

  say('Preparing the local databases…')
  const setup = await setUpLocally({ baseUrl })

  let server: Server | undefined
  let stopTriggers = () => {}
  onExit(() => server?.kill())
  const showError = createErrorFormatter()
  await supervise({
    start() {
      server = startServer(port, (line) => {
        const text = showError(line)
        if (text) say(text)
      })
      lock.record(baseUrl, server.pid)
      return server
    },
    probe: (timeoutMs) => isAnswering(baseUrl, timeoutMs),
    onReady(isFirst) {
      stopTriggers = startTriggers(baseUrl, say)
      say(isFirst ? greeting(setup) : `Serving again on ${baseUrl}`)
    },
    onRestart(reason) {
      stopTriggers()
      say(`The server stopped: ${reason}. Starting it again…`)
    },
  }).finally(() => stopTriggers())
})

const isAnswering = (baseUrl: string, timeoutMs: number): Promise<boolean> =>
  fetch(`${baseUrl}/health`, { signal: AbortSignal.timeout(timeoutMs) }).then(
    async (response) => {
      await response.body?.cancel()
      return response.ok
    },
    () => false,
  )
