// Serves a language model's responses over OpenAI's protocol, in order, and records the calls. It runs beside the tests, and the Worker
// reaches it over HTTP.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    modelUrl: string
  }
}

/** One response: the model's text in a completion, an unchanged body, or none at all. */
export type ModelResponse =
  | { says: string | null }
  | { status: number; body: string; headers?: Record<string, string> }
  | 'silence'

export interface ModelCall {
  path: string
  headers: Record<string, string | string[] | undefined>
  body: unknown
}

/** The remaining responses, and the recorded calls. */
interface Play {
  responses: ModelResponse[]
  calls: ModelCall[]
}

const plays = new Map<string, Play>()

export default async function serveModel(project: TestProject) {
  const server = createServer((request, response) => void serve(request, response))
  // A connection that is closed while the Worker uses it again would look like an unavailable model.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  project.provide('modelUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
}

/** `PUT /plays/<id>` sets the responses, and `GET` of it returns the calls. Everything else under `/<id>/` is the model. */
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, first = '', second = ''] = request.url!.split('/')
  const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()
  if (first === 'plays') {
    if (request.method === 'PUT')
      plays.set(second, { responses: JSON.parse(text) as ModelResponse[], calls: [] })
    response.end(JSON.stringify(plays.get(second)!.calls))
    return
  }
  const play = plays.get(first)!
  const { headers, url } = request
  play.calls.push({ path: url!.slice(first.length + 1), headers, body: JSON.parse(text) })
  respond(play.responses.shift() ?? { status: 500, body: 'nothing more to say' }, response)
}

function respond(next: ModelResponse, response: ServerResponse): void {
  if (next === 'silence') return
  if ('status' in next) {
    response.writeHead(next.status, next.headers).end(next.body)
    return
  }
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(completionOf(next.says)))
}

/** As OpenAI's service gives it. */
const completionOf = (content: string | null) => ({
  id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
  object: 'chat.completion',
  created: 1_741_569_952,
  model: 'a-model',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content, refusal: null, annotations: [] },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 1911, completion_tokens: 102, total_tokens: 2013 },
})
