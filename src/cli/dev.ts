import { spawn } from 'node:child_process'
import { runCommand, say } from './command'
import { serveConsole } from './build/console'
import { buildGuides } from './build/guides'
import { credentialLines } from './local/greeting'
import { acquireLock } from './serve/lock'
import { DEFAULT_PORT } from './serve/port'
import { BINARY, LOCAL_HOSTS, WRANGLER_ENVIRONMENT } from './wrangler'

const CONSOLE_PORT = 5173

const USAGE = `npm run dev [-- OPTIONS OF WRANGLER DEV]

Serves with wrangler's reloads, on the same databases as npm start (default port ${DEFAULT_PORT}), and the console with hot reload on
http://localhost:${CONSOLE_PORT}.`

/** Of wrangler's options, those that npm may not take for its own. */
const OPTIONS = Object.fromEntries(
  ['port', 'ip', 'env', 'remote', 'var', 'host', 'persist-to', 'test-scheduled'].map((name) => [
    name,
    { type: ['remote', 'test-scheduled'].includes(name) ? 'boolean' : 'string' } as const,
  ]),
)

runCommand(USAGE, { options: OPTIONS, strict: false }, async ({ values: { port } }) => {
  const args = process.argv.slice(2)
  const url = `http://localhost:${port ?? DEFAULT_PORT}`
  const lock = acquireLock('npm run dev', url)
  process.on('exit', lock.release)
  const { setUpLocally } = await import('./local/setup')
  const setup = await setUpLocally({ baseUrl: url })
  say(`${credentialLines(setup, process.stdout.isTTY)}\n`)
  await buildGuides()
  const child = spawn(BINARY, ['dev', LOCAL_HOSTS, ...(port ? [] : ['--port', DEFAULT_PORT]), ...args], {
    env: { ...process.env, ...WRANGLER_ENVIRONMENT },
    stdio: 'inherit',
  })
  await serveConsole(url, CONSOLE_PORT)
  // Wrangler has to end first, because it restores the terminal.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
})
