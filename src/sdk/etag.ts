import { textResponse } from '../http/text-response'

async function etagOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  const hex = [...new Uint8Array(digest).subarray(0, 16)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  return `W/"${hex}"`
}

const bare = (tag: string) => tag.trim().replace(/^W\//, '').replaceAll('"', '')

/**
 * Responds with JSON and a weak entity tag, or with 304 if `If-None-Match` contains the tag or `*`.
 * @param respond makes the response, by default one that counts as memory until it is read
 */
export async function taggedJson(
  request: Request,
  body: unknown,
  headers: Record<string, string> = {},
  respond = textResponse,
): Promise<Response> {
  const text = JSON.stringify(body)
  const etag = await etagOf(text)
  const known = new Set((request.headers.get('If-None-Match') ?? '').split(',').map(bare))
  const all = { ...headers, ETag: etag, 'Cache-Control': 'private, must-revalidate' }
  if (known.has(bare(etag)) || known.has('*')) return new Response(null, { status: 304, headers: all })
  return respond(text, { ...all, 'Content-Type': 'application/json' })
}
