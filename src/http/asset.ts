import type { Context } from 'hono'
import { notFound } from '../errors'
import type { AppEnv } from './app-env'

/**
 * Responds with a static file, or with 304 to its tag.
 * @param isChanged whether the response will differ from the file, so that a caller's tag of the file says nothing
 * @throws 404 without such a file
 */
export async function serveAsset(
  c: Context<AppEnv>,
  path: string,
  caching: string,
  isChanged = false,
): Promise<Response> {
  const tag = isChanged ? undefined : c.req.header('If-None-Match')
  const file = await c.get('deps').env.ASSETS.fetch(new URL(path, c.req.url), {
    headers: tag === undefined ? {} : { 'If-None-Match': tag },
  })
  if (file.status !== 200 && file.status !== 304) throw notFound()
  const headers = new Headers(file.headers)
  headers.set('Cache-Control', caching)
  return new Response(file.body, { status: file.status, headers })
}
