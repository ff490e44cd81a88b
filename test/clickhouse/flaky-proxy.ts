// A connection to ClickHouse that breaks when a test says so: the statement arrives, its answer does not.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FlakyProxy {
  url: string
  /** The next statement with these words in it is carried out and never answered. */
  loseAnswerOf(words: string): void
  /** How many statements with these words in them have come. */
  seen(words: string): number
  stop(): Promise<void>
}

export async function startFlakyProxy(target: string): Promise<FlakyProxy> {
  let toLose: string | null = null
  const statements: string[] = []
  const proxy = createServer((request, response) => {
    void forward(request, target).then(async (answer) => {
      const statement = new URL(request.url ?? '/', target).searchParams.get('query') ?? ''
      statements.push(statement)
      if (toLose !== null && statement.includes(toLose)) {
        toLose = null
        request.socket.destroy()
        return
      }
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      response.end(Buffer.from(await answer.arrayBuffer()))
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    loseAnswerOf(words) {
      toLose = words
    },
    seen: (words) => statements.filter((statement) => statement.includes(words)).length,
    async stop() {
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

async function forward(request: IncomingMessage, target: string): Promise<Response> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return fetch(target + (request.url ?? '/'), {
    method: 'POST',
    body: Buffer.concat(chunks),
    headers: {
      Authorization: request.headers.authorization ?? '',
      ...(request.headers['content-type'] ? { 'Content-Type': request.headers['content-type'] } : {}),
    },
  })
}
