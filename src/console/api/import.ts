// The two sides of an import: this service with the session, and its source by way of this service.
import { CallError, type Transport } from '../../import/call'
import { fetchTransport } from '../../import/fetch-transport'
import { sendSignedIn } from './client'
import { Problem, problemOf } from './problem'
import type { components } from './schema'

type Schemas = components['schemas']

/** Calls this service. */
export const ownTransport: Transport = async (method, path, body, headers) => {
  const response = await send(method, path, body, headers)
  return {
    status: response.status,
    text: await response.text(),
    retryAfter: response.headers.get('Retry-After'),
    location: null,
  }
}

interface Connection {
  source: Schemas['SourceCall']['source']
  /** Without a slash at its end. */
  url: string
  key: string
}

/**
 * Calls the source of an import: directly where it is this service, which a Worker cannot call.
 * @throws Problem, attr `url` or `key`, for a call that this service does not make.
 */
export function sourceTransport(projectId: number, { source, url, key }: Connection): Transport {
  if (new URL(url).origin === location.origin) return fetchTransport(url, { credentials: 'omit' })
  return async (method, path, body) => {
    const call = { source, url, key, method, path, ...(body === undefined ? {} : { body }) }
    const response = await send('POST', `/api/projects/${projectId}/import_source/`, call, {})
    const retryAfter = response.headers.get('Retry-After')
    if (response.status === 429 || response.status === 503)
      return { status: response.status, text: await response.text(), retryAfter, location: null }
    if (!response.ok) throw await problemOf(response)
    const reply = (await response.json()) as Schemas['SourceReply']
    if (reply.error !== null)
      throw new CallError(reply.status, `${url}: ${reply.error}`, { code: 'source_unreachable' })
    return {
      status: reply.status!,
      text: reply.body,
      retryAfter: reply.retry_after,
      location: reply.location,
    }
  }
}

async function send(
  method: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  try {
    return await sendSignedIn(
      new Request(location.origin + path, {
        method,
        headers: { ...headers, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
  } catch (error) {
    throw error instanceof Problem && error.status === 0 ? new CallError(null, error.message) : error
  }
}
