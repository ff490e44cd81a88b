import { START_PATH } from '../chat/paths'
import { html, redirectTo } from '../../pages/respond'

/**
 * Goes to the page after sign-in. The page of the chat link redirects to another site, and browsers apply `form-action` to all redirects
 * after a form. The response is therefore a page that goes there by itself.
 */
export async function proceed(next: string): Promise<Response> {
  if (!next.startsWith(START_PATH)) return redirectTo(next)
  const { ContinuePage } = await import('./login-page')
  const response = html(ContinuePage({ next }))
  response.headers.set('Refresh', `0; url=${next}`)
  return response
}
