// The app as a caller uses it, with its own clock, and with its log lines captured.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createApp } from '../../src/app'
import type { RequestLine } from '../../src/http/log/request-log'
import { type TestClock, testClock } from './clock'
import { createIngestionQueue, type IngestionQueue } from './ingestion-queue'

export const ORIGIN = 'https://halyard.test'

export interface TestResponse {
  status: number
  /** The body, parsed when it is JSON, or null without one. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests assert on whatever came back
  body: any
  text: string
  headers: Headers
  /** The line that the request wrote to the log. */
  line: RequestLine
}

export interface Harness {
  clock: TestClock
  lines: RequestLine[]
  /** The bindings of requests. */
  env: Env
  ingestion: IngestionQueue
  /** Sends a request, waits for the work after the response, and lets the consumer store captured events. */
  send(
    method: string,
    path: string,
    init?: { body?: unknown; headers?: Record<string, string>; raw?: BodyInit; cf?: object },
  ): Promise<TestResponse>
}

/**
 * Drops messages: the runtime would handle them after the test, and call receivers that do not exist. Tests of deliveries have their own
 * queue.
 */
const withoutDeliveries = {
  sendBatch: () => Promise.resolve(),
  metrics: () => env.WEBHOOKS.metrics(),
} as unknown as Env['WEBHOOKS']

export function createHarness({
  clock = testClock(),
  bindings = {},
}: { clock?: TestClock; bindings?: Partial<Env> } = {}): Harness {
  const lines: RequestLine[] = []
  const ingestion = createIngestionQueue()
  const own: Env = { ...env, INGESTION: ingestion.binding, WEBHOOKS: withoutDeliveries, ...bindings }
  const app = createApp({
    clock,
    log(line) {
      lines.push(line as RequestLine)
      // A crash is an error unless the test expects it, and its cause belongs in the report.
      if ('status' in line && line.status === 500) process.stderr.write(`${line.error?.slice(0, 500)}\n`)
    },
  })
  return {
    clock,
    lines,
    env: own,
    ingestion,
    async send(method, path, { body, headers = {}, raw, cf } = {}) {
      const request = new Request(new URL(path, ORIGIN), {
        method,
        headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
        body: raw ?? (body === undefined ? null : JSON.stringify(body)),
      })
      if (cf) Object.defineProperty(request, 'cf', { value: cf })
      const context = createExecutionContext()
      const response = await app.fetch(request, own, context)
      const text = await response.text()
      await waitOnExecutionContext(context)
      await ingestion.drain(own)
      const isJson = response.headers.get('Content-Type')?.includes('json')
      return {
        status: response.status,
        body: text === '' ? null : isJson ? JSON.parse(text) : text,
        text,
        headers: response.headers,
        line: lines.findLast((line) => line.message === 'request')!,
      }
    },
  }
}
