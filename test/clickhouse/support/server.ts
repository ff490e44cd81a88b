// ClickHouse's HTTP interface, as much of it as Halyard speaks, in front of the real engine: statements in the body, the address or a form,
// settings and `param_*` beside them, passwords, errors with their number in a header, and the number of written rows in the summary.
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Responded, Asked } from './engine'

export const USER = 'halyard'
export const PASSWORD = 'pass:wörd/?&'

/** Names in the address that are no settings. */
const RESERVED = new Set(['query', 'database', 'default_format', 'query_id', 'wait_end_of_query'])

export interface ClickhouseTestServer {
  url: string
  /** Runs a statement on the engine, past HTTP. */
  command(sql: string): Promise<string>
  stop(): Promise<void>
}

export async function startClickhouse(): Promise<ClickhouseTestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'halyard-clickhouse-'))
  const engine = startEngine(folder)
  const server = createServer((request, response) => {
    void answer(request, engine.ask).then(({ status, headers, body }) => {
      response.writeHead(status, { 'Content-Type': 'text/plain; charset=UTF-8', ...headers }).end(body)
    })
  })
  // A test may be busy for longer than connections are usually kept.
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async command(sql) {
      const answered = await engine.ask({ sql, format: 'JSONCompact', database: 'default', parameters: {} })
      if ('text' in answered) return answered.text
      throw new Error(answered.message)
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await engine.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Ask = (asked: Omit<Asked, 'id'>) => Promise<Responded>

function startEngine(folder: string): { ask: Ask; stop(): Promise<void> } {
  const child: ChildProcess = fork(join(import.meta.dirname, 'engine.ts'), [folder], {
    cwd: import.meta.dirname,
    // Of the runner's own, none is of use to it.
    execArgv: [],
  })
  const waiting = new Map<number, (answered: Responded) => void>()
  let last = 0
  child.on('message', (answered: Responded) => {
    waiting.get(answered.id)?.(answered)
    waiting.delete(answered.id)
  })
  const exited = new Promise<void>((resolve) => {
    child.on('exit', (status) => {
      for (const [id, settle] of waiting) settle({ id, code: 1001, message: `the engine ended: ${status}` })
      resolve()
    })
  })
  return {
    ask: (asked) =>
      new Promise((resolve) => {
        last += 1
        waiting.set(last, resolve)
        child.send({ ...asked, id: last })
      }),
    async stop() {
      child.kill()
      await exited
    },
  }
}

interface HttpResponse {
  status: number
  headers: Record<string, string>
  body: string
}

const failure = (status: number, code: number, message: string): HttpResponse => ({
  status,
  headers: { 'X-ClickHouse-Exception-Code': String(code) },
  body: `${message}\n`,
})

async function answer(request: IncomingMessage, ask: Ask): Promise<HttpResponse> {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (!isAllowed(request.headers.authorization)) {
    return failure(
      403,
      516,
      `Code: 516. DB::Exception: ${USER}: Authentication failed: password is incorrect. (AUTHENTICATION_FAILED)`,
    )
  }
  const { query, data, form } = await statementIn(request, searchParams)
  const settings = [...searchParams].filter(([name]) => !RESERVED.has(name) && !name.startsWith('param_'))
  const parameters = [...searchParams, ...form].filter(([name]) => name.startsWith('param_'))
  const answered = await ask({
    sql: withSettings(query, settings) + (data && `\n${data}`),
    format: searchParams.get('default_format') ?? 'TabSeparated',
    database: searchParams.get('database') ?? 'default',
    parameters: Object.fromEntries(parameters),
  })
  if ('text' in answered) {
    const written = /^\s*insert\b/i.test(query) ? data.split('\n').filter(Boolean).length : 0
    return {
      status: 200,
      headers: { 'X-ClickHouse-Summary': JSON.stringify({ read_rows: '0', written_rows: String(written) }) },
      body: answered.text,
    }
  }
  return failure(answered.code === 60 ? 404 : 500, answered.code, answered.message)
}

const isAllowed = (authorization = '') =>
  authorization === `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`

/** The statement: in the address, a form or the body; after one in the address, the body is its data. */
async function statementIn(
  request: IncomingMessage,
  searchParams: URLSearchParams,
): Promise<{ query: string; data: string; form: [string, string][] }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const query = searchParams.get('query') ?? ''
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) {
    const text = body.toString()
    return query ? { query, data: text, form: [] } : { query: text, data: '', form: [] }
  }
  const fields = await new Response(body, { headers: { 'Content-Type': type } }).formData()
  const form = [...fields].map(([name, value]): [string, string] => [name, String(value)])
  return { query: query + (fields.get('query') ?? ''), data: '', form }
}

/** Settings hold for the statement alone, where a SELECT and an INSERT take them. */
function withSettings(query: string, settings: readonly (readonly [string, string])[]): string {
  if (settings.length === 0 || !/^\s*(select|with|insert)\b/i.test(query)) return query
  const list = settings.map(([name, value]) => `${name} = ${/^[\d.]+$/.test(value) ? value : `'${value}'`}`)
  const clause = ` SETTINGS ${list.join(', ').replaceAll('\\', '\\\\')}`
  const format = /\s+FORMAT\s+\w+\s*$/i.exec(query)
  return format ? query.slice(0, format.index) + clause + format[0] : query + clause
}
