// Where a link leads through. Every redirect goes to one of these, or to the provider: nothing that a request says becomes a destination.

export const START_PATH = '/complete/chat-link/start/'
export const CALLBACK_PATH = '/complete/chat-link/'
const SETTINGS_PATH = '/settings/user-personal-integrations'
const LOGIN_PATH = '/login'

/** Why a link failed, as the settings page is told (reference/account-api.md §5.3, §5.4). */
export type LinkFailure =
  | 'invalid_state'
  | 'workspace_not_found'
  | 'flag_off'
  | 'not_configured'
  | 'exchange_failed'
  | 'team_mismatch'
  | 'session_mismatch'
  | 'org_mismatch'

/** Raised on the way; the browser is then led to the settings page. */
export class LinkError extends Error {
  override readonly name = 'LinkError'
  constructor(readonly failure: string) {
    super(failure)
  }
}

export const refuse = (failure: LinkFailure): LinkError => new LinkError(failure)

const redirect = (location: string) => new Response(null, { status: 302, headers: { Location: location } })

const failurePath = (failure: string) =>
  `${SETTINGS_PATH}?${new URLSearchParams({ chat_link_error: failure }).toString()}`

export const toProvider = (url: URL): Response => redirect(url.href)
export const toSuccess = (): Response => redirect(`${SETTINGS_PATH}?chat_link_success=1`)
export const toFailure = (failure: string): Response => redirect(failurePath(failure))

const toLogin = (next: string): Response =>
  redirect(`${LOGIN_PATH}?${new URLSearchParams({ next }).toString()}`)

/** Somebody who is not signed in, on the way to the provider: signs in, and goes on. */
export const toLoginAndOn = ({ searchParams }: URL): Response => {
  const state = searchParams.get('state') ?? ''
  return toLogin(`${START_PATH}?${new URLSearchParams({ state }).toString()}`)
}

/** Somebody who is not signed in, on the way back: no session that begins now has set out. The code goes no further. */
export const toLoginAfterAll = (): Response => toLogin(failurePath('session_mismatch'))
