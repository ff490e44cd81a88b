// Requests that no client should send, against a server that has to survive them.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

const CONCURRENT = 20
const PATIENCE_MS = 5_000

const head = (lines: readonly string[], path = '/e/') =>
  [`POST ${path} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', ...lines, '', ''].join(
    '\r\n',
  )

/** Inflates to 200 MB. */
const BOMB = gzipSync(Buffer.alloc(200_000_000, ' '))
const ZIPPED = gzipSync(JSON.stringify({ api_key: 'x', batch: [], padding: randomText(200_000) }))

function randomText(length: number): string {
  let text = ''
  while (text.length < length) text += Math.random().toString(36)
  return text
}

const gzip =
  (body: Buffer, length = body.byteLength) =>
  (socket: Socket) => {
    socket.write(head(['Content-Encoding: gzip', `Content-Length: ${length}`]))
    socket.write(body)
  }

type Send = (socket: Socket) => void | Promise<void>

const BROKEN: Readonly<Record<string, Send>> = {
  'gzip that is cut short': gzip(ZIPPED.subarray(0, ZIPPED.byteLength / 2)),
  'text in place of gzip': gzip(Buffer.from(randomText(200_000))),
  'gzip of 200 MB': gzip(BOMB),
  async 'an upload that is aborted'(socket) {
    gzip(ZIPPED.subarray(0, 50_000), ZIPPED.byteLength)(socket)
    await sleep(20)
    socket.resetAndDestroy()
  },
  async 'a connection that is half closed'(socket) {
    gzip(ZIPPED.subarray(0, 50_000), ZIPPED.byteLength)(socket)
    socket.end()
  },
  async 'a slow body'(socket) {
    socket.write(head(['Content-Length: 100']))
    for (let sent = 0; sent < 10 && socket.writable; sent += 1) {
      socket.write(' ')
      await sleep(50)
    }
    socket.destroy()
  },
  'headers of 1 MB': (socket) =>
    void socket.write(head([`X-Long: ${'x'.repeat(1_000_000)}`, 'Content-Length: 0'])),
  'chunks with a wrong length': (socket) =>
    void socket.write(`${head(['Transfer-Encoding: chunked'])}zz\r\nnot a chunk\r\n`),
  'text in place of a request': (socket) => void socket.write('\0\x01\x02 HTTP\r\n\r\n'),
}

/** Sends them in turn, some at the same time. @returns how many of each kind were answered, by status. */
export async function sendBrokenRequests(
  port: number,
  count: number,
): Promise<Record<string, Record<string, number>>> {
  const answers: Record<string, Record<string, number>> = {}
  const kinds = Object.entries(BROKEN)
  let next = 0
  async function work(): Promise<void> {
    while (next < count) {
      const [kind, send] = kinds[next++ % kinds.length]!
      const status = await exchange(port, send)
      const counts = (answers[kind] ??= {})
      counts[status] = (counts[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT }, work))
  return answers
}

/** @returns the status; `none` when the connection ended without one; `refused` when nothing listens. */
function exchange(port: number, send: Send): Promise<string> {
  return new Promise((resolve) => {
    let status = 'none'
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const end = () => socket.destroy()
    socket.setTimeout(PATIENCE_MS, end)
    socket.on('connect', () => void send(socket))
    socket.on('data', (data) => {
      status = /^HTTP\/1\.1 (\d+)/.exec(data.toString('latin1'))?.[1] ?? status
      end()
    })
    socket.on('end', end)
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') status = 'refused'
    })
    socket.on('close', () => resolve(status))
  })
}
