// Finishes a sign-in when the browser returns from the provider of its organization.
import { eq } from 'drizzle-orm'
import { organizationSso } from '../../../drizzle'
import type { Deps } from '../../deps'
import { ApiError } from '../../errors'
import type { Confirmed } from '../openid/sign-in'
import { consumeState } from '../openid/used-state'
import { LOGIN_LIMIT, refundAttempt } from '../sign-in/attempt-limits'
import type { Origin, SignIn } from '../sign-in/open-sign-in'
import { decide, type Outcome, type Person, personFrom } from './decide'
import { loadFacts } from './facts'
import { createMember, signInAs } from './open-account'
import { redirectUriOf } from './paths'
import { providerOf } from './provider'
import { selectSettings, type StoredSettings } from './settings'
import { bindingsOf, expired, LINK, STATE, STATE_SECONDS } from './state'

export type Arrival =
  | { kind: 'signed in'; signIn: SignIn; next: string }
  /** The password of the account is required, once. */
  | { kind: 'prove'; cookie: string }
  | { kind: 'test'; claims: Record<string, unknown>; says: string }

/**
 * Checks that this browser started the sign-in, at this organization and issuer, before it uses the code.
 * @param cookie of the start
 * @throws 400 for another browser or a late or repeated return; 403 when the provider or the rules refuse
 */
export async function finishSignIn(
  deps: Deps,
  url: URL,
  cookie: string | null,
  origin: Origin,
): Promise<Arrival> {
  const { db, env, clock } = deps
  const now = clock.now()
  const state = STATE.verify(env, cookie, now)
  const bindings = state && bindingsOf(env, state)
  if (!state || url.searchParams.get('state') !== bindings!.state) throw expired()
  const expiresAt = new Date(now.getTime() + STATE_SECONDS * 1000)
  await consumeState(db, `sso:${state.id}`, expiresAt, expired)
  const [settings] = await selectSettings(db, state.organization, eq(organizationSso.issuer, state.issuer))
  if (!settings) throw expired()
  const { claims } = await confirmed(deps, settings, url, bindings!)
  if (state.isTest) return testOf(deps, settings, claims)

  const person = personFrom(claims)
  const facts = await loadFacts(db, settings, person, now)
  const outcome = decide(settings, claims, person, facts)
  if (outcome.kind === 'prove') {
    // The password counts by itself.
    await refundAttempt(db, LOGIN_LIMIT, origin.client.network)
    const { organizationId: organization, issuer } = settings
    const { subject, email } = person
    const link = { organization, issuer, subject, user: outcome.userId, email, next: state.next }
    return { kind: 'prove', cookie: LINK.sign(env, link, now) }
  }
  const signIn = await (outcome.kind === 'create'
    ? createMember(deps, settings, person, outcome, origin, now)
    : signInAs(deps, settings, person, outcome, origin, now))
  const next =
    outcome.kind === 'sign in' && outcome.inviteId !== undefined ? `/signup/${outcome.inviteId}` : state.next
  return { kind: 'signed in', signIn, next }
}

/** @throws 403 when the provider refuses, or what it sends is not valid. */
async function confirmed(
  { env }: Deps,
  settings: StoredSettings,
  url: URL,
  bindings: ReturnType<typeof bindingsOf>,
): Promise<Confirmed> {
  const { confirm } = await import('../openid/sign-in')
  const signIn = { redirectUri: redirectUriOf(url), ...bindings }
  const wanted = ['email', 'email_verified', ...(settings.levelClaim === null ? [] : [settings.levelClaim])]
  try {
    return await confirm(await providerOf(env, settings, url), signIn, url, wanted)
  } catch (cause) {
    throw new ApiError({
      status: 403,
      type: 'authentication_error',
      code: 'provider_refused',
      detail: `Your provider did not confirm who you are${reasonOf(url)}. Begin again, or ask an admin to test it in the settings of the organization.`,
      cause,
    })
  }
}

/** Returns the provider's error code, if there is one. */
const reasonOf = ({ searchParams }: URL): string => {
  const code = searchParams.get('error') ?? ''
  return /^[\w.-]{1,64}$/.test(code) ? ` (${code})` : ''
}

/** Describes the result of a sign-in without signing in. */
async function testOf(
  { db, clock }: Deps,
  settings: StoredSettings,
  claims: Record<string, unknown>,
): Promise<Arrival> {
  try {
    const person = personFrom(claims)
    const outcome = decide(settings, claims, person, await loadFacts(db, settings, person, clock.now()))
    return { kind: 'test', claims, says: describe(outcome, person) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { kind: 'test', claims, says: `The sign-in would be refused: ${error.detail}` }
  }
}

function describe(outcome: Outcome, { email }: Person): string {
  switch (outcome.kind) {
    case 'create':
      return `The sign-in would create ${email} as a member of level ${outcome.level}.`
    case 'sign in':
      return `The sign-in would open the account that it opened before.`
    case 'link':
      return `The sign-in would open the account of ${email}.`
    case 'prove':
      return `The sign-in would ask once for the password of the account of ${email}, and then open it.`
  }
}
