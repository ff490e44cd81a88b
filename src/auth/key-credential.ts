// Where a request carries its key: header, then body, then query; only the first one found is tried (reference §15).

export interface KeyCredential {
  value: string
  /** For the 401: where the key was found. */
  source: 'request Authorization header' | 'request body' | 'request query string'
}

/**
 * Finds the personal API key that a request carries, or null.
 * @param readBody gives the parsed body (or a promise of it); called only when there is no header.
 */
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
