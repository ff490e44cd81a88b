// Starts Unleash's server with PostgreSQL, whose management API ours is compared with.
import { type ChildProcess, execFileSync, spawn, type SpawnOptions } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installPackages } from '../../support/runner/install-packages'

const FOLDER = 'test/bench/unleash'
const SERVER = join(import.meta.dirname, '../unleash/node_modules/unleash-server/dist/server.js')

/** Debian's packages put the programs of PostgreSQL here. */
const POSTGRESQL = '/usr/lib/postgresql'

const TOKEN = '*:*.bench-bench-bench-bench-bench-bench'
const START_MS = 60_000

export interface Unleash {
  url: string
  headers: Record<string, string>
  /** Tells PostgreSQL's planner what the tables hold now, as its daemon does within a minute. */
  analyze(): void
  stop(): Promise<void>
}

/** Starts both with an empty database and their defaults. @returns null where PostgreSQL is not installed */
export async function startUnleash(): Promise<Unleash | null> {
  const [version] = existsSync(POSTGRESQL)
    ? readdirSync(POSTGRESQL).sort((a, b) => Number(b) - Number(a))
    : []
  const programs = join(POSTGRESQL, version ?? '', 'bin')
  if (!version || !existsSync(join(programs, 'postgres'))) return null
  installPackages(FOLDER)

  const folder = mkdtempSync(join(tmpdir(), 'halyard-bench-'))
  const data = join(folder, 'data')
  const account = postgresAccount()
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid!)
  const [databasePort, port] = [await freePort(), await freePort()]
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'bench', '--auth=trust'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    cwd: folder,
    ...account,
  })
  const postgres = spawn(join(programs, 'postgres'), ['-D', data, '-p', String(databasePort), '-k', folder], {
    stdio: 'ignore',
    cwd: folder,
    ...account,
  })
  await until(() => {
    execFileSync(
      join(programs, 'createdb'),
      ['-h', folder, '-p', String(databasePort), '-U', 'bench', 'bench'],
      {
        stdio: 'ignore',
      },
    )
  })
  const server = spawn(process.execPath, [SERVER], {
    stdio: 'ignore',
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATABASE_URL: `postgres://bench@127.0.0.1:${databasePort}/bench`,
      DATABASE_SSL: 'false',
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: String(port),
      INIT_ADMIN_API_TOKENS: TOKEN,
      CHECK_VERSION: 'false',
      SEND_TELEMETRY: 'false',
      // Its defaults would end a bench: they limit flags to 5,000, and searches a minute.
      UNLEASH_FEATURE_FLAGS_LIMIT: '1000000',
      SEARCH_FEATURES_RATE_LIMIT_PER_MINUTE: '1000000',
    },
  })
  const url = `http://127.0.0.1:${port}`
  await until(async () => {
    if (!(await fetch(`${url}/health`)).ok) throw new Error('Unleash is not ready')
  })
  return {
    url,
    headers: { Authorization: TOKEN, 'Content-Type': 'application/json' },
    analyze: () =>
      void execFileSync(
        join(programs, 'vacuumdb'),
        ['-h', folder, '-p', String(databasePort), '-U', 'bench', '--analyze', 'bench'],
        { stdio: 'ignore' },
      ),
    async stop() {
      await ended(server, 'SIGKILL')
      await ended(postgres, 'SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL does not run as root: there, it runs as the account that its package has made. */
function postgresAccount(): Pick<SpawnOptions, 'uid' | 'gid'> {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return (address as { port: number }).port
}

async function until(attempt: () => unknown): Promise<void> {
  for (const end = Date.now() + START_MS; ; await sleep(200)) {
    try {
      await attempt()
      return
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<unknown> {
  const end = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  return end
}
