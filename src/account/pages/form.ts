import { ApiError } from '../../errors'

const MAX_BYTES = 64 * 1024
const FORM_TYPE = 'application/x-www-form-urlencoded'

export const isForm = (request: Request): boolean => typeOf(request) === FORM_TYPE

const typeOf = (request: Request): string =>
  (request.headers.get('Content-Type') ?? '').split(';')[0]!.trim().toLowerCase()

/** @throws 415 for another media type; 413 above 64 KiB. */
export async function parseForm(request: Request): Promise<URLSearchParams> {
  if (!isForm(request)) {
    throw formError(415, 'unsupported_media_type', `Unsupported media type "${typeOf(request)}" in request.`)
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > MAX_BYTES) {
      throw formError(413, 'request_too_large', `Request body exceeds the maximum of ${MAX_BYTES} bytes.`)
    }
    chunks.push(chunk)
  }
  return new URLSearchParams(await new Blob(chunks).text())
}

const formError = (status: number, code: string, detail: string) =>
  new ApiError({ status, type: 'invalid_request', code, detail })
