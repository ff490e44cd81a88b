// Signed cookies between the steps of single sign-on. They are valid for one browser, one organization and a limited time. Values that
// the provider sees and values that it must not see are keyed digests of the cookie's id.
import * as z from 'zod'
import { invalid } from '../../errors'
import { signToken, tokenKeys, verifyToken } from '../signed-token'

export const STATE_COOKIE = 'sso_state'
export const LINK_COOKIE = 'sso_link'

export const STATE_SECONDS = 600

/** A sign-in that has been sent to the provider. */
const State = z.object({
  id: z.string(),
  organization: z.string(),
  issuer: z.string(),
  /** The page to continue on. */
  next: z.string(),
  /** Whether the sign-in is a test, which only shows its result. */
  isTest: z.boolean(),
})
export type State = z.output<typeof State>

/** An identity that the provider has confirmed, for an account whose password has yet to be proven. */
const Link = z.object({
  organization: z.string(),
  issuer: z.string(),
  subject: z.string(),
  user: z.int(),
  email: z.string(),
  next: z.string(),
})
export type Link = z.output<typeof Link>

const expiryOf = (now: Date) => new Date(now.getTime() + STATE_SECONDS * 1000)

export const signState = (env: Env, state: State, now: Date): string =>
  signToken(env, 'sso-state', state, expiryOf(now))

/** Returns null for an invalid or expired cookie. */
export const verifyState = (env: Env, cookie: string | null, now: Date): State | null =>
  verifyToken(env, 'sso-state', State, cookie, now)

export const signLink = (env: Env, link: Link, now: Date): string =>
  signToken(env, 'sso-link', link, expiryOf(now))

/** Returns null for an invalid or expired cookie. */
export const verifyLink = (env: Env, cookie: string | null, now: Date): Link | null =>
  verifyToken(env, 'sso-link', Link, cookie, now)

/** Returns the digests. Each has 64 characters that a URL may contain. */
export function bindingsOf(env: Env, { id }: Pick<State, 'id'>) {
  const keys = tokenKeys(env)
  return {
    state: keys.digests(`sso-state-parameter:${id}`)[0],
    nonce: keys.digests(`sso-nonce:${id}`)[0],
    codeVerifier: keys.digests(`sso-verifier:${id}`)[0],
  }
}

export const expired = () =>
  invalid(
    null,
    'This sign-in has expired, was used, or began in another browser. Begin again.',
    'invalid_state',
  )
