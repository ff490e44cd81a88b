// A served Worker as if it were deployed at a public address, and faults that a deployment may have.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fetch } from '../../../src/cli/verify/service'

export const PUBLIC = 'https://flags.example.com'

export interface Call {
  method: string
  /** As the caller has it. */
  url: URL
  headers: Headers
  /** As text; empty without one. */
  body: string
}

/** Answers a call in place of the deployment. @param forward gets the deployment's own answer. */
export type Fault = (call: Call, forward: () => Promise<Response>) => Promise<Response>

/** The answers of a deployment without faults to what a Worker on this machine answers otherwise. */
const deployed: Fault = async ({ url, body }, forward) => {
  if (url.protocol === 'http:')
    return new Response(null, { status: 301, headers: { Location: url.href.replace('http:', 'https:') } })
  if (body.includes('https://10.0.0.1/'))
    return Response.json({ type: 'validation_error', attr: 'url' }, { status: 400 })
  if (url.pathname !== '/metrics') return forward()
  const response = await forward()
  const backup = 'halyard_backup_failed 0\nhalyard_backup_age_seconds 7200\n'
  return response.ok ? new Response((await response.text()) + backup) : response
}

/**
 * @param local address of the Worker
 * @param onFault called when the fault has changed an answer
 */
export const fetchThrough =
  (local: string, fault: Fault = (_, forward) => forward(), onFault: () => void = () => {}): Fetch =>
  async (address, init) => {
    const url = new URL(address)
    const call = {
      method: init.method ?? 'GET',
      url,
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? init.body : '',
    }
    const forward = () =>
      fetch(`${local}${url.pathname}${url.search}`, {
        ...init,
        // Webhooks call the Worker where it is.
        ...(init.body ? { body: call.body.replaceAll(PUBLIC, local) } : {}),
      })
    let own: Response | undefined
    const answer = await fault(call, async () => (own = await deployed(call, forward)))
    if (answer !== own) onFault()
    return answer
  }

/**
 * A clock that waits pass on: what waits for a minute takes less than two seconds.
 * @param isInVain whether a fault has changed an answer: from then on, each wait passes on at least twenty seconds.
 */
export function fastClock(isInVain: () => boolean) {
  let ahead = 0
  return {
    now: () => Date.now() + ahead,
    async wait(ms: number, signal: AbortSignal) {
      const real = Math.min(ms, 40)
      await sleep(real, undefined, { signal })
      ahead += (isInVain() ? Math.max(ms, 20_000) : ms) - real
    },
  }
}

/** Which calls a fault is about: a method and a part of the path, or of the path and the body. */
export type Match = (call: Call) => boolean

export const on =
  (method: string, path: RegExp): Match =>
  (call) =>
    call.method === method && path.test(call.url.pathname)

export const answers =
  (match: Match, status: number, body: string | object = '', headers: Record<string, string> = {}): Fault =>
  async (call, forward) =>
    match(call)
      ? new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
      : forward()

export const edits =
  (match: Match, edit: (text: string) => string): Fault =>
  async (call, forward) => {
    const response = await forward()
    if (!match(call)) return response
    const text = await response.clone().text()
    const edited = edit(text)
    if (edited === text) return response
    const headers = new Headers(response.headers)
    headers.delete('Content-Encoding')
    return new Response(edited, { status: response.status, headers })
  }

/** Changes JSON. */
export const changes = <T>(match: Match, change: (body: T) => unknown): Fault =>
  edits(match, (text) => {
    const body = JSON.parse(text) as T
    return JSON.stringify(change(body) ?? body)
  })

/** @param value null: removes it. */
export const header =
  (match: Match, name: string, value: string | null = null): Fault =>
  async (call, forward) => {
    const response = await forward()
    if (!match(call)) return response
    const headers = new Headers(response.headers)
    if (value === null) headers.delete(name)
    else headers.set(name, value)
    headers.delete('Content-Encoding')
    const hasBody = ![204, 301, 302].includes(response.status)
    return new Response(hasBody ? await response.text() : null, { status: response.status, headers })
  }

/** Always the first answer, as a cache gives it. */
export function remembers(match: Match): Fault {
  let first: string | null = null
  return edits(match, (text) => (first ??= text))
}
