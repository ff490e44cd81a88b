// `npm start` in a folder of its own: the same code and configuration, with the soak's Worker in front.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Credentials } from '../../src/cli/local/credentials'
import { withLocalDatabases } from '../../src/cli/local/databases'
import { setUpLocally } from '../../src/cli/local/setup'
import { seedDatabase } from '../../src/cli/local/seed'
import { requireFreePort } from '../../src/cli/serve/port'
import { type Fault, FAULT_PATH, SQL_PATH, type SqlQuestion } from './faults'

const ROOT = join(import.meta.dirname, '../..')
const LINKED = ['src', 'drizzle', 'migrations', 'test', 'node_modules', 'package.json', 'tsconfig.json']
const START_MS = 180_000
/** For a fault to be set, or a query of an audit. */
const CONTROL_MS = 60_000

export interface SoakServer {
  readonly url: string
  /** An organization each, with its owner, project and key. */
  tenants: Credentials[]
  /** Ends a runtime process at once; resolves when the supervisor has brought the service back. */
  crash(): Promise<void>
  setFault(fault: Fault | null): Promise<void>
  /** Rows of the real database, whatever fault there is. */
  query<Row>(database: SqlQuestion['database'], sql: string, ...values: (string | number)[]): Promise<Row[]>
  /** Resident memory of the runtime in MiB. */
  memory(): number
  /** What the command printed since it served, with the time of each line: restarts, and errors of the log. */
  log: string[]
  stop(): Promise<void>
}

/**
 * @param count of organizations.
 * @param onEnd is called when the supervisor finds that the server has ended; what it returns, when it serves again.
 */
export async function startSoakServer(
  count: number,
  onEnd: (reason: string) => () => void,
): Promise<SoakServer> {
  const folder = mkdtempSync(join(tmpdir(), 'halyard-soak-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const name of LINKED) symlinkSync(join(ROOT, name), join(folder, name))
  const config = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')
  writeFileSync(join(folder, 'wrangler.toml'), config.replace('"src/index.ts"', '"test/soak/worker.ts"'))
  process.chdir(folder)

  const port = await requireFreePort(0)
  const url = `http://localhost:${port}`
  const tenants = [(await setUpLocally({ baseUrl: url })).credentials!]
  await withLocalDatabases(async ({ databases }) => {
    const { execute } = databases[0]!
    while (tenants.length < count) {
      const email = `owner-${tenants.length + 1}@localhost.localdomain`
      tenants.push(await seedDatabase(execute, { email, baseUrl: url, queryEngine: 'd1' }))
    }
  })

  const child = spawn(process.execPath, ['--import', 'tsx/esm', 'src/cli/start.ts', '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log: string[] = []
  let onServing = () => {}
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      const text = chunk.toString()
      output = (output + text).slice(-4_000)
      const at = new Date().toISOString().slice(11, 23)
      for (const line of text.split('\n')) {
        if (line.trim() !== '') log.push(`${at} ${line}`)
        if (line.startsWith('The server stopped: ')) onServing = onEnd(line)
        if (line.startsWith('Serving again')) onServing()
      }
    })
  }
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  process.on('exit', () => child.kill('SIGTERM'))

  async function untilReady(isNew: () => boolean): Promise<void> {
    for (const end = Date.now() + START_MS; Date.now() < end; await sleep(100)) {
      if (child.exitCode !== null) throw new Error(`npm start ended:\n${output}`)
      if (isNew() && (await isResponding(url))) return
    }
    throw new Error(`the server did not answer within ${START_MS / 1000} seconds:\n${output}`)
  }

  async function control<T>(path: string, body: unknown): Promise<T> {
    const response = await fetch(url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      // A connection that is kept may be closed by the server in the same moment.
      headers: { Connection: 'close' },
      signal: AbortSignal.timeout(CONTROL_MS),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${(await response.text()).slice(0, 500)}`)
    return (await response.json()) as T
  }

  await untilReady(() => true)
  log.length = 0
  return {
    url,
    tenants,
    log,
    async crash() {
      const former = runtimesOf(child.pid!)
      for (const { pid } of former) process.kill(pid, 'SIGKILL')
      const isNew = ({ pid }: { pid: number }) => former.every((one) => one.pid !== pid)
      await untilReady(() => runtimesOf(child.pid!).some(isNew))
    },
    setFault: (fault) => control(FAULT_PATH, fault),
    query: (database, sql, ...values) => control(SQL_PATH, { database, sql, values }),
    memory: () => Math.round(runtimesOf(child.pid!).reduce((sum, { kib }) => sum + kib, 0) / 1024),
    async stop() {
      child.kill('SIGTERM')
      await ended
      process.chdir(ROOT)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const isResponding = (url: string): Promise<boolean> =>
  fetch(`${url}/health`, { signal: AbortSignal.timeout(5_000) }).then(
    (response) => response.ok && response.headers.has('X-Request-Id'),
    () => false,
  )

/** The runtime processes that a command has started. */
const runtimesOf = (command: number): { pid: number; kib: number }[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,comm='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, , name]) => Number(parent) === command && name === 'workerd')
    .map(([pid, , rss]) => ({ pid: Number(pid), kib: Number(rss) }))
