// Cloudflare, as far as wrangler and a deployment call it: an HTTP server with an account in it. It records unexpected calls.
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import type { AddressInfo } from 'node:net'
import { type MigrationsFolder, readMigrations } from '../../../src/cli/migrations'
import { type Account, Page, Refused, type Route } from './account'
import { storageRoutes } from './storage'
import { workerRoutes } from './workers'

export const TOKEN = 'the-operators-own-token'

export interface Cloudflare extends Account {
  /** What `CLOUDFLARE_API_BASE_URL` is to be. */
  url: string
  /** Those that the token opens. */
  accounts: { id: string; name: string }[]
  /** Calls that there is no response for. */
  unknown: string[]
  /** Rejects a call, or leaves it without a response. */
  interfere: ((call: string) => { status: number; code: number } | 'hang' | null) | null
  stop(): Promise<void>
}

export async function serveCloudflare(): Promise<Cloudflare> {
  const server = createServer()
  const cloudflare: Cloudflare = {
    url: '',
    accounts: [{ id: 'account-1', name: 'Example' }],
    subdomain: 'example',
    databases: new Map(),
    namespaces: new Map(),
    queues: new Map(),
    workers: new Map(),
    changes: [],
    unknown: [],
    interfere: null,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  const routes: Route[] = [
    ['GET', /^\/accounts$/, () => new Page(cloudflare.accounts)],
    ['GET', /^\/memberships$/, () => new Page(cloudflare.accounts.map((account) => ({ account })))],
    ...storageRoutes(cloudflare),
    ...workerRoutes(cloudflare),
  ]

  async function answer(method: string, path: string, rest: Omit<Parameters<Route[2]>[0], 'parts'>) {
    for (const [verb, pattern, act] of routes) {
      const match = verb === method ? path.match(pattern) : null
      if (match) return act({ ...rest, parts: match.slice(1) })
    }
    cloudflare.unknown.push(`${method} ${path}`)
    throw new Refused(404, 7003, 'There is no such route')
  }

  server.on('request', async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { pathname, searchParams: search } = new URL(request.url!, 'http://cloudflare')
    const path = pathname.replace(/^\/accounts\/account-\d+/, '')
    const send = (status: number, envelope: object) => {
      response.writeHead(status, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ messages: [], errors: [], result: null, ...envelope }))
    }
    try {
      if (request.headers.authorization !== `Bearer ${TOKEN}`)
        throw new Refused(401, 10_000, 'Authentication error')
      const interference = cloudflare.interfere?.(`${request.method} ${path}`)
      if (interference === 'hang') return
      if (interference) throw new Refused(interference.status, interference.code, 'No')
      const result = await answer(request.method!, path, { search, request, body: Buffer.concat(chunks) })
      send(200, { success: true, ...(result instanceof Page ? pageOf(result, search) : { result }) })
    } catch (error) {
      const { status = 500, code = 1, message } = error as Refused
      send(status, { success: false, errors: [{ code, message }] })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cloudflare.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return cloudflare
}

function pageOf({ rows }: Page, search: URLSearchParams) {
  const page = Number(search.get('page') ?? 1)
  const per_page = Number(search.get('per_page') ?? 50)
  const result = rows.slice((page - 1) * per_page, page * per_page)
  return { result, result_info: { page, per_page, count: result.length, total_count: rows.length } }
}

/** The queues of wrangler.toml, dead letter queues among them. */
export const QUEUES = ['halyard-ingestion', 'halyard-builds', 'halyard-webhooks', 'halyard-ingestion-dead']

/** A migrated database, as wrangler leaves it. */
function migratedDatabase(folder: MigrationsFolder): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT)')
  for (const { file, sql } of readMigrations(folder)) {
    database.exec(sql)
    database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').run(file)
  }
  return database
}

/** What a deployment leaves that was interrupted before the upload: everything but the Worker and the first user. */
export function prepare({ databases, namespaces, queues }: Cloudflare): void {
  databases.set('d1-prepared', { name: 'halyard', sql: migratedDatabase('main') })
  databases.set('d1-events', { name: 'halyard-events', sql: migratedDatabase('events') })
  namespaces.set('kv-prepared', 'halyard-snapshots')
  for (const name of QUEUES) queues.set(`queue-${name}`, { name, consumers: [] })
}
