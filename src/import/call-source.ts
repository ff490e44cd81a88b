// Calls the source of an import for the console: bounded in time, in what is read, and in how many calls a user makes at the same time.
import { withoutLastSlashes } from '../base-url'
import { type Actor, type Project, userOf } from '../auth/actor'
import type { Deps } from '../deps'
import { ApiError, invalid } from '../errors'
import { publicUrl } from '../http/public-url'
import type { SourceCall, SourceReply } from './source-call'
import { isImportRead } from './source-paths'

export const SOURCE_DEADLINE_MS = 60_000
export const MAX_SOURCE_BYTES = 8 * 1024 * 1024
/** Of a user in a project, in an isolate. */
export const MAX_SOURCE_CALLS = 8

/** As bytes, as text, and in the response. */
const COPIES = 3

/**
 * Any member may: who can call it can write what an import writes. Nothing is stored, and the call has no header but those of the source.
 * @param requestUrl of the caller's request.
 * @throws 400 for an address that may not be called, or a path that no import reads; 429 for more calls at the same time.
 */
export async function callSource(
  { memory, env }: Pick<Deps, 'memory' | 'env'>,
  actor: Actor,
  project: Project,
  call: SourceCall,
  requestUrl: URL,
  deadlineMs = SOURCE_DEADLINE_MS,
): Promise<SourceReply> {
  const base = publicUrl(call.url, env, requestUrl)
  if (/[?#]/.test(base)) throw invalid('url', 'The URL must not contain a query or a fragment.')
  if (!isImportRead(call)) throw invalid('path', 'An import does not make this call.')
  const hide = (text: string) => text.replaceAll(call.key, '[secret]')
  return withLimit(`${userOf(actor)?.id} ${project.id}`, async () => {
    const reply = await send(call, withoutLastSlashes(base), deadlineMs, (bytes) =>
      memory.take(bytes * COPIES),
    )
    return { ...reply, body: hide(reply.body), location: reply.location && hide(reply.location) }
  })
}

const calls = new Map<string, number>()

async function withLimit<T>(caller: string, work: () => Promise<T>): Promise<T> {
  const count = calls.get(caller) ?? 0
  if (count >= MAX_SOURCE_CALLS) throw tooManyCalls()
  calls.set(caller, count + 1)
  try {
    return await work()
  } finally {
    const left = calls.get(caller)! - 1
    if (left === 0) calls.delete(caller)
    else calls.set(caller, left)
  }
}

const tooManyCalls = () =>
  new ApiError({
    status: 429,
    type: 'throttled_error',
    code: 'throttled',
    detail: `At most ${MAX_SOURCE_CALLS} calls of a source run at the same time.`,
    headers: { 'Retry-After': '1' },
  })

/** Never throws for what the source does. Redirects are not followed. */
async function send(
  { source, key, method, path, body }: SourceCall,
  base: string,
  deadlineMs: number,
  take: (bytes: number) => void,
): Promise<SourceReply> {
  const nothing = { status: null, body: '', retry_after: null, location: null }
  const signal = AbortSignal.timeout(deadlineMs)
  let response: Response
  let text: string | null
  try {
    response = await fetch(`${base}${path}`, {
      method,
      headers: {
        Authorization: source === 'posthog' ? `Bearer ${key}` : key,
        Accept: 'application/json',
        'Content-Type': 'application/json',
        'User-Agent': 'Halyard-Import/1',
      },
      redirect: 'manual',
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    text = await textOf(response, take)
  } catch (error) {
    if (error instanceof ApiError) throw error
    // The platform's own text may name what only it can see.
    return {
      ...nothing,
      error: signal.aborted
        ? `The source did not respond within ${deadlineMs / 1000} seconds.`
        : 'The source cannot be reached: check the address.',
    }
  }
  return {
    status: response.status,
    body: text ?? '',
    retry_after: response.headers.get('Retry-After'),
    location: response.headers.get('Location'),
    error:
      text === null
        ? `The source responded with more than ${MAX_SOURCE_BYTES / 1024 / 1024} MiB. The command npm run import reads more.`
        : null,
  }
}

/** @returns null for a body that is too large. @throws 503 when other requests hold too much memory. */
async function textOf({ body }: Response, take: (bytes: number) => void): Promise<string | null> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    // Leaving the loop cancels the body.
    if (bytes > MAX_SOURCE_BYTES) return null
    take(chunk.byteLength)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
