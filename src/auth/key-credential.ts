// Finds the API key of a request in the header, the body or the query, in this order. Only the first one counts.

export interface KeyCredential {
  value: string
  /** Says in the 401 where the key was found. */
  source: 'request Authorization header' | 'request body' | 'request query string'
}

/** @param readBody returns the parsed body; it is called only without a header */
export async function findKeyCredential(
  request: { header(name: string): string | undefined; query(name: string): string | undefined },
  readBody: () => unknown,
): Promise<KeyCredential | null> {
  const [scheme, value] = (request.header('Authorization') ?? '').trim().split(/\s+/, 2)
  if (scheme?.toLowerCase() === 'bearer' && value) return { value, source: 'request Authorization header' }

  const body = await readBody()
  const inBody = body && typeof body === 'object' && Reflect.get(body, 'personal_api_key')
  if (typeof inBody === 'string' && inBody) return { value: inBody, source: 'request body' }

  const inQuery = request.query('personal_api_key')
  return inQuery ? { value: inQuery, source: 'request query string' } : null
}
