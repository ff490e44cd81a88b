import { spawn } from 'node:child_process'
import { runCommand } from './command'
import { serveConsole } from './build/console'
import { buildGuides } from './build/guides'
import { acquireLock } from './serve/lock'
import { BINARY, LOCAL_HOSTS, WRANGLER_ENVIRONMENT } from './wrangler'

const DEFAULT_PORT = '8787'
const CONSOLE_PORT = 5173

const USAGE = `npm run dev [-- OPTIONS OF WRANGLER DEV]

Serves with wrangler's reloads, on the same databases as npm start (default port ${DEFAULT_PORT}), and the console with hot reload on
http://localhost:${CONSOLE_PORT}.`

runCommand(USAGE, async () => {
  const args = process.argv.slice(2)
  const port = /(?:^| )--port[= ](\d+)/.exec(args.join(' '))?.[1]
  const url = `http://localhost:${port ?? DEFAULT_PORT}`
  const lock = acquireLock('npm run dev', url)
  process.on('exit', lock.release)
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
