// Requests, and what is known of a write whose response is missing or a 5xx.
import { setTimeout as sleep } from 'node:timers/promises'

const REQUEST_MS = 60_000

// oxlint-disable-next-line typescript/no-explicit-any -- whatever came back
export type Body = any

export interface TestResponse {
  /** 0: no response. */
  status: number
  body: Body
  headers: Headers
}

/** When failures are expected: a fault or a restart, and the time that the service needs to notice its end. */
export interface Disruptions {
  begin(): () => void
  /** Whether a request that began then may fail. */
  coversSince(started: number): boolean
  /** Resolves when failures are no longer expected. */
  over(): Promise<void>
}

/** Readers skip a store that failed for five seconds; a deadline of the main database is eight. */
const GRACE_MS = 10_000

export function createDisruptions(): Disruptions {
  const state = { open: 0, until: 0 }
  return {
    begin() {
      state.open += 1
      return () => {
        state.open -= 1
        state.until = Date.now() + GRACE_MS
      }
    },
    coversSince: (started) => state.open > 0 || started < state.until,
    async over() {
      while (state.open > 0 || Date.now() < state.until) await sleep(100)
    },
  }
}

/** What the soak has seen so far. */
export interface Tally {
  requests: number
  /** Acknowledged writes. */
  acknowledged: number
  /** 503 and lost connections while a disruption was under way. */
  disrupted: number
  /** What must not happen, in words. */
  violations: string[]
}

const MAX_VIOLATIONS = 50
const NOTICE_MS = 3_000

export interface Client {
  tally: Tally
  disruptions: Disruptions
  violate(text: string): void
  /** Sends a request. A 5xx or a lost connection outside a disruption, and any 5xx but 503, is a violation. */
  send(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<TestResponse>
  /** The same, again until there is a response below 500. For what can be repeated. */
  insist(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<TestResponse>
  /** A write. Null when it is not known whether it took effect. A 4xx is a violation unless `allowed` names it. */
  write(
    method: string,
    path: string,
    options: { body?: unknown; headers?: Record<string, string> },
    allowed?: readonly number[],
  ): Promise<TestResponse | null>
}

/** @param server its address may change. */
export function createClient(server: { readonly url: string }, disruptions: Disruptions): Client {
  const tally: Tally = { requests: 0, acknowledged: 0, disrupted: 0, violations: [] }
  const violate = (text: string) => {
    if (tally.violations.length < MAX_VIOLATIONS) {
      tally.violations.push(`${new Date().toISOString().slice(11, 19)} ${text}`)
    }
  }

  const send: Client['send'] = async (method, path, { body, headers = {} } = {}) => {
    const started = Date.now()
    tally.requests += 1
    try {
      const response = await fetch(server.url + path, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
          Origin: server.url,
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(REQUEST_MS),
      })
      const text = await response.text()
      const { status } = response
      if (status >= 500) {
        const isOurs = response.headers.has('X-Request-Id')
        const isDocumented = status === 503 && response.headers.has('Retry-After')
        const isExpected = disruptions.coversSince(started)
        if (isExpected) tally.disrupted += 1
        // While the runtime restarts, the development proxy answers in its own words.
        if (!isExpected || (isOurs && !isDocumented)) {
          violate(`${method} ${path}: ${status} ${text.slice(0, 300)}`)
        }
      }
      return { status, body: parsed(text), headers: response.headers }
    } catch (error) {
      // The supervisor says a moment later that the server has ended.
      await sleep(NOTICE_MS)
      if (disruptions.coversSince(started)) tally.disrupted += 1
      else violate(`${method} ${path}: no response, ${String((error as Error).cause ?? error)}`)
      return { status: 0, body: null, headers: new Headers() }
    }
  }

  const insist: Client['insist'] = async (method, path, options) => {
    for (;;) {
      const answer = await send(method, path, options)
      if (answer.status > 0 && answer.status < 500) return answer
      await sleep(500)
    }
  }

  return {
    tally,
    disruptions,
    violate,
    send,
    insist,
    async write(method, path, options, allowed = []) {
      const answer = await send(method, path, options)
      if (answer.status === 0 || answer.status >= 500) return null
      if (answer.status < 400) tally.acknowledged += 1
      else if (!allowed.includes(answer.status)) {
        violate(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`)
      }
      return answer
    },
  }
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
