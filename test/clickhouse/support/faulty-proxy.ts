// A connection to ClickHouse that fails as a test says: the statement does not arrive, or its response is another or not complete.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fault } from './fault-names'

type TestResponse = (
  response: ServerResponse,
  answer: () => Promise<ForwardedResponse>,
) => Promise<void> | void

interface ForwardedResponse {
  status: number
  headers: Record<string, string>
  body: Buffer
}

const PAGE = '<!DOCTYPE html>\n<html><head><title>Welcome to nginx!</title></head><body>…</body></html>\n'
const EXCEPTION = 'Code: 241. DB::Exception: Memory limit exceeded. (MEMORY_LIMIT_EXCEEDED)'

const FAULTS: Readonly<Record<Fault, TestResponse>> = {
  'refuses the connection': (response) => void response.destroy(),
  'answers 502': (response) => void response.writeHead(502).end('Bad Gateway'),
  'answers 500 without a number': (response) => void response.writeHead(500).end(PAGE),
  'refuses the statement': (response) =>
    void response.writeHead(500, { 'X-ClickHouse-Exception-Code': '242' }).end('(TABLE_IS_READ_ONLY)'),
  'answers a page': (response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end(PAGE),
  'answers nothing': (response) => void response.writeHead(200).end(),
  'answers another JSON': (response) => void response.writeHead(200).end('{"status":"ok"}'),
  'answers a broken summary': (response) =>
    void response.writeHead(200, { 'X-ClickHouse-Summary': '{"written_rows":' }).end(),
  'writes nothing': (response) =>
    void response.writeHead(200, { 'X-ClickHouse-Summary': '{"written_rows":"0"}' }).end(),
  'loses the answer': async (response, answer) => {
    await answer()
    response.destroy()
  },
  'answers 504 late': async (response, answer) => {
    await answer()
    response.writeHead(504).end(PAGE)
  },
  'removes the headers': async (response, answer) => {
    const { body } = await answer()
    response.writeHead(200).end(body)
  },
  'breaks off': async (response, answer) => {
    const { headers, body } = await answer()
    response.writeHead(200, { ...headers, 'Content-Length': String(body.byteLength + 1) })
    response.write(body.subarray(0, body.byteLength / 2), () => response.destroy())
  },
  'ends early': async (response, answer) => {
    const { headers, body } = await answer()
    response.writeHead(200, { ...headers, 'x-clickhouse-summary': '{"written_rows":"0"}' })
    response.end(body.subarray(0, body.byteLength / 2))
  },
  'appends an exception': async (response, answer) => {
    const { headers, body } = await answer()
    response.writeHead(200, { ...headers, 'X-ClickHouse-Exception-Tag': 'dnqkxowxhzvwqhrx' })
    const half = body.subarray(0, body.byteLength / 2).toString()
    response.end(`${half}\r\n__exception__\r\ndnqkxowxhzvwqhrx\r\n${EXCEPTION}\r\n`)
  },
}

export interface FaultyProxy {
  url: string
  /** What happens to a statement of these words; null: nothing. */
  faultOf: (statement: string) => Fault | null
  /** Has the next statement with these words fail. */
  failOnce(fault: Fault, words: string): void
  /** How many statements with these words in them have come. */
  seen(words: string): number
  stop(): Promise<void>
}

/**
 * @param target URL of the server. Tests in another process give it, by PUT, a list of faults and nulls: what happens to the next statements.
 */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const statements: string[] = []
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const none = () => null
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faultOf: none,
    failOnce(fault, words) {
      proxy.faultOf = (statement) => {
        if (!statement.includes(words)) return null
        proxy.faultOf = none
        return fault
      }
    },
    seen: (words) => statements.filter((statement) => statement.includes(words)).length,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const statement = new URL(request.url ?? '/', target).searchParams.get('query') ?? ''
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
    if (request.method === 'PUT') {
      const plan = JSON.parse(body.toString()) as (Fault | null)[]
      proxy.faultOf = () => plan.shift() ?? null
      response.end()
      return
    }
    const fault = proxy.faultOf(statement)
    if (fault) await FAULTS[fault](response, () => forward(request, body, target))
    else {
      const answer = await forward(request, body, target)
      response.writeHead(answer.status, answer.headers).end(answer.body)
    }
    statements.push(statement)
  }
}

async function forward(
  { url = '/', headers: { authorization, 'content-type': type } }: IncomingMessage,
  body: Buffer,
  target: string,
): Promise<ForwardedResponse> {
  const answer = await fetch(target + url, {
    method: 'POST',
    body: new Uint8Array(body),
    headers: {
      ...(authorization ? { Authorization: authorization } : {}),
      ...(type ? { 'Content-Type': type } : {}),
    },
  })
  const headers = Object.fromEntries(
    [...answer.headers].filter(([name]) => name === 'content-type' || name.startsWith('x-clickhouse-')),
  )
  return { status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) }
}
