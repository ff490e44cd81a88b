// A service that is called by the Worker: it sends the configured responses, call by call, and records the requests. Runs beside the tests.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    receiverUrl: string
  }
}

/** A response, with `bytes` of body or a `body` in place of a short one. Without an end, it never arrives. */
export interface ReceiverResponse {
  status: number
  headers?: Record<string, string>
  bytes?: number
  body?: string
  isEndless?: boolean
  /** Whether its body never ends. */
  isUnfinished?: boolean
  /** Whether it waits until the inbox is released. */
  isHeld?: boolean
}

export interface ReceivedCall {
  method: string
  /** The path after the address of the inbox. */
  path: string
  headers: Record<string, string>
  body: string
}

interface Inbox {
  responses: ReceiverResponse[]
  calls: ReceivedCall[]
  /** Lets the responses that are held go. */
  held: (() => void)[]
}

const inboxes = new Map<string, Inbox>()

export default async function serveReceiver(project: TestProject) {
  const server = createServer((request, response) => void serve(request, response))
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  project.provide('receiverUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
}

/** `PUT /inboxes/<id>` sets how `/<id>` responds, 200 after the last response; `GET` returns the calls; `PUT /inboxes/<id>/release` lets held responses go. */
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, first = '', second = '', third] = request.url!.split('/')
  const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()
  if (first === 'inboxes') {
    if (third === 'release') for (const release of inboxes.get(second)!.held.splice(0)) release()
    else if (request.method === 'PUT') {
      const calls = inboxes.get(second)?.calls ?? []
      inboxes.set(second, { responses: JSON.parse(body) as ReceiverResponse[], calls, held: [] })
    }
    response.end(JSON.stringify(inboxes.get(second)!.calls))
    return
  }
  const inbox = inboxes.get(first)!
  inbox.calls.push({
    method: request.method!,
    path: request.url!.slice(first.length + 1),
    headers: request.headers as Record<string, string>,
    body,
  })
  const next: ReceiverResponse = inbox.responses.shift() ?? { status: 200 }
  const { status, headers, bytes, body: text, isEndless, isUnfinished, isHeld } = next
  if (isEndless) return
  if (isHeld) await new Promise<void>((resolve) => inbox.held.push(resolve))
  response.writeHead(status, headers).write(text ?? (bytes === undefined ? 'received' : 'x'.repeat(bytes)))
  if (!isUnfinished) response.end()
}
