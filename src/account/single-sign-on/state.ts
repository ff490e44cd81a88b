// Signed cookies between the steps of single sign-on. They are valid for one browser, one organization and a limited time. Values that
// the provider sees and values that it must not see are keyed digests of the cookie's id.
import * as z from 'zod'
import { invalid } from '../../errors'
import { tokenKeys, tokenKind } from '../signed-token'

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

export const STATE = tokenKind('sso-state', State, STATE_SECONDS)
export const LINK = tokenKind('sso-link', Link, STATE_SECONDS)

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
