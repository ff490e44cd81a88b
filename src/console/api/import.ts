// Makes a transport to this service with the session, for an export and a file of flags.
import { CallError, type Transport } from '../../import/call'
import { sendSignedIn } from './client'
import { Problem } from './problem'

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
