// Redirects of linking. Each leads to a fixed path or to the provider. A request never supplies a destination.
import { loginPath } from '../../pages/login-redirect'
import { redirectTo } from '../../pages/respond'

export const START_PATH = '/complete/chat-link/start/'
export const CALLBACK_PATH = '/complete/chat-link/'
const SETTINGS_PATH = '/settings/user-personal-integrations'

/** Error codes for the settings page (docs/reference/accounts.md#chat-links). */
export type LinkFailure =
  | 'invalid_state'
  | 'workspace_not_found'
  | 'flag_off'
  | 'not_configured'
  | 'exchange_failed'
  | 'team_mismatch'
  /** The same id at the provider is linked in another workspace, and has to be unlinked first. */
  | 'identity_linked'
  | 'session_mismatch'
  | 'org_mismatch'

/** An error after which the browser is redirected to the settings page. */
export class LinkError extends Error {
  override readonly name = 'LinkError'
  constructor(readonly failure: string) {
    super(failure)
  }
}

export const linkError = (failure: LinkFailure): LinkError => new LinkError(failure)

const redirect = (location: string) => redirectTo(location, 302)

const failurePath = (failure: string) =>
  `${SETTINGS_PATH}?${new URLSearchParams({ chat_link_error: failure }).toString()}`

export const toProvider = (url: URL): Response => redirect(url.href)
export const toSuccess = (): Response => redirect(`${SETTINGS_PATH}?chat_link_success=1`)
export const toFailure = (failure: string): Response => redirect(failurePath(failure))

const toLogin = (next: string): Response => redirect(loginPath(next))

/** Redirects to the sign-in, which then continues with the link. */
export const toLoginAndOn = ({ searchParams }: URL): Response => {
  const state = searchParams.get('state') ?? ''
  return toLogin(`${START_PATH}?${new URLSearchParams({ state }).toString()}`)
}

/** Redirects to the sign-in and drops the code, because a new session cannot have started the link. */
export const toLoginAfterAll = (): Response => toLogin(failurePath('session_mismatch'))
