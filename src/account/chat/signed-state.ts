// Signed tokens of chat linking, for one purpose and for 15 minutes. Nonce and PKCE verifier are keyed digests of the token's id and the
// session: they are never stored, and neither the token nor the database reveals them.
import * as z from 'zod'
import { signToken, tokenKeys, verifyToken } from '../signed-token'

export const STATE_SECONDS = 900

const base = {
  user: z.int(),
  project: z.int(),
  workspace: z.string(),
}

const SCHEMAS = {
  start: z.object(base),
  callback: z.object({ ...base, id: z.string(), session: z.string() }),
}

type Purpose = keyof typeof SCHEMAS
type Claims<P extends Purpose> = z.output<(typeof SCHEMAS)[P]>

const nameOf = (purpose: Purpose) => `chat-state:${purpose}`

export const signState = <P extends Purpose>(env: Env, purpose: P, claims: Claims<P>, now: Date): string =>
  signToken(env, nameOf(purpose), claims, new Date(now.getTime() + STATE_SECONDS * 1000))

/** Returns null for an invalid or expired token, and for one of another purpose. */
export const verifyState = <P extends Purpose>(
  env: Env,
  purpose: P,
  token: string | undefined,
  now: Date,
): Claims<P> | null => verifyToken(env, nameOf(purpose), SCHEMAS[purpose], token, now) as Claims<P> | null

/** Returns nonce and verifier. Both have 64 characters that a URL may contain. */
export function bindingsOf(env: Env, { id, session }: Pick<Claims<'callback'>, 'id' | 'session'>) {
  const keys = tokenKeys(env)
  return {
    nonce: keys.digests(`chat-nonce:${id}:${session}`)[0],
    codeVerifier: keys.digests(`chat-verifier:${id}:${session}`)[0],
  }
}
