// A service that plays a language model over OpenAI's protocol: it answers as it was told, call by call, and remembers what it was asked.
// Runs beside the tests, which reach it over HTTP as the Worker does.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    modelUrl: string
  }
}

/** One answer: the model's text in a completion; a body as it stands; or none at all. */
export type ModelAnswer =
  | { says: string | null }
  | { status: number; body: string; headers?: Record<string, string> }
  | 'silence'

export interface ModelCall {
  path: string
  headers: Record<string, string | string[] | undefined>
  body: unknown
}

/** What a model has still to answer, and what it was asked. */
interface Play {
  answers: ModelAnswer[]
  calls: ModelCall[]
}

const plays = new Map<string, Play>()

export default async function serveModel(project: TestProject) {
  const server = createServer((request, response) => void serve(request, response))
  // A connection that is closed while the Worker takes it again would look like a model that is away.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  project.provide('modelUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
}

/** `PUT /plays/<id>` writes a play, `GET` of it tells what was asked; everything else under `/<id>/` is the model. */
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, first = '', second = ''] = request.url!.split('/')
  const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()
  if (first === 'plays') {
    if (request.method === 'PUT') plays.set(second, { answers: JSON.parse(text) as ModelAnswer[], calls: [] })
    response.end(JSON.stringify(plays.get(second)!.calls))
    return
  }
  const play = plays.get(first)!
  const { headers, url } = request
  play.calls.push({ path: url!.slice(first.length + 1), headers, body: JSON.parse(text) })
  answer(play.answers.shift() ?? { status: 500, body: 'nothing more to say' }, response)
}

function answer(told: ModelAnswer, response: ServerResponse): void {
  if (told === 'silence') return
  if ('status' in told) {
    response.writeHead(told.status, told.headers).end(told.body)
    return
  }
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(completionOf(told.says)))
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
