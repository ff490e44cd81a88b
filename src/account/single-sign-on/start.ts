// Sends a browser to the provider of its organization.
import { organizationSso } from '../../../drizzle'
import type { Deps } from '../../deps'
import { ApiError, invalid } from '../../errors'
import { HOME } from '../../pages/login-redirect'
import { email as emailField } from '../identity-fields'
import { countAttempt, lockedOut, LOGIN_LIMIT } from '../sign-in/attempt-limits'
import { domainIn } from './enforcement'
import { redirectUriOf } from './paths'
import { providerOf } from './provider'
import { hasDomain, type StoredSettings } from './settings'
import { bindingsOf, STATE, type State } from './state'

/** Maximum characters of the URL to continue on. Browsers reject cookies that are too long. */
const MAX_NEXT_LENGTH = 2_000

/** The URL of the provider, and the cookie that the response to the browser needs. */
export interface Departure {
  url: URL
  cookie: string
}

/**
 * Finds the organization by the domain of the address. The call counts as a failed sign-in until the provider has confirmed an account,
 * because each one calls a provider.
 * @throws 400, attr `email`, for an address in no verified domain; 403 for a locked-out network; 503 when the provider does not respond
 */
export async function startSignIn(
  deps: Deps,
  typed: string,
  next: string,
  requestUrl: URL,
  network: string,
): Promise<Departure> {
  const { db, clock } = deps
  const address = emailField().safeParse(typed)
  if (!address.success) throw invalid('email', 'Enter a valid email address.')
  const domain = domainIn(address.data)
  const [[tries], [settings]] = await db.batch([
    countAttempt(db, LOGIN_LIMIT, network, clock.now()),
    db.select().from(organizationSso).where(hasDomain(domain)),
  ])
  if (tries!.count > LOGIN_LIMIT.attempts) throw lockedOut()
  if (!settings)
    throw invalid(
      'email',
      `No organization here has single sign-on for ${domain}. Sign in with your password.`,
    )
  return departFor(deps, settings, { next, isTest: false }, requestUrl)
}

/** Sends the caller to the provider, to show what the provider says of the caller. */
export async function departFor(
  { env, ids, clock }: Deps,
  settings: StoredSettings,
  { next, isTest }: Pick<State, 'next' | 'isTest'>,
  requestUrl: URL,
): Promise<Departure> {
  const state: State = {
    id: ids.secret(16),
    organization: settings.organizationId,
    issuer: settings.issuer,
    next: next.length > MAX_NEXT_LENGTH ? HOME : next,
    isTest,
  }
  const signIn = { redirectUri: redirectUriOf(requestUrl), ...bindingsOf(env, state) }
  const { authorizationUrl } = await import('../openid/sign-in')
  try {
    const url = await authorizationUrl(await providerOf(env, settings, requestUrl), signIn)
    return { url, cookie: STATE.sign(env, state, clock.now()) }
  } catch (cause) {
    throw new ApiError({
      status: 503,
      type: 'server_error',
      code: 'provider_unavailable',
      detail:
        'The provider of your organization cannot be reached. Try again, or ask an admin to test it in the settings of the organization.',
      cause,
    })
  }
}
