// The tokens that a sign-in at the chat provider carries through the browser: signed, for one purpose, for a quarter of an hour.
//
// A token is `<base64url of its JSON>.<HMAC-SHA-256 in hex>`. The purpose is part of what is signed, so that one kind never passes for the
// other. The nonce and the PKCE verifier are never stored: they are keyed digests of the token's id and the session, so they exist for that
// session alone, and nobody who reads the token or the database can compute them.
import { Buffer } from 'node:buffer'
import * as z from 'zod'
import { equalsInConstantTime } from '../../auth/constant-time'
import { createKeyring, type Keyring } from '../../storage/cipher'

export const STATE_SECONDS = 900
const MAX_TOKEN_LENGTH = 4_096

const base = {
  /** Epoch seconds. */
  exp: z.int(),
  user: z.int(),
  project: z.int(),
  workspace: z.string(),
}

const SCHEMAS = {
  /** Leads from our own page to the provider. */
  start: z.object(base),
  /** Comes back from the provider. */
  callback: z.object({ ...base, id: z.string(), session: z.string() }),
}

type Purpose = keyof typeof SCHEMAS
type Claims<P extends Purpose> = z.output<(typeof SCHEMAS)[P]>

const ringOf = (env: Env): Keyring => createKeyring(env.ACCOUNT_KEYS)
const signedText = (purpose: Purpose, body: string) => `chat-state:${purpose}:${body}`

/** Signs a token that is good from now for 900 seconds. */
export function signState<P extends Purpose>(
  env: Env,
  purpose: P,
  claims: Omit<Claims<P>, 'exp'>,
  now: Date,
): string {
  const exp = Math.floor(now.getTime() / 1000) + STATE_SECONDS
  const body = Buffer.from(JSON.stringify({ ...claims, exp })).toString('base64url')
  return `${body}.${ringOf(env).digests(signedText(purpose, body))[0]}`
}

/** What a token says; null when it is not one of ours, for something else, or too old. */
export function verifyState<P extends Purpose>(
  env: Env,
  purpose: P,
  token: string | undefined,
  now: Date,
): Claims<P> | null {
  if (token === undefined || token.length > MAX_TOKEN_LENGTH) return null
  const [body = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0) return null
  const genuine = ringOf(env)
    .digests(signedText(purpose, body))
    .some((digest) => equalsInConstantTime(digest, signature))
  if (!genuine) return null
  const claims = SCHEMAS[purpose].parse(JSON.parse(Buffer.from(body, 'base64url').toString()))
  return claims.exp * 1000 > now.getTime() ? (claims as Claims<P>) : null
}

/** What binds a sign-in to a session: both are 64 characters that fit a URL. */
export function bindingsOf(env: Env, { id, session }: Pick<Claims<'callback'>, 'id' | 'session'>) {
  const ring = ringOf(env)
  return {
    nonce: ring.digests(`chat-nonce:${id}:${session}`)[0],
    codeVerifier: ring.digests(`chat-verifier:${id}:${session}`)[0],
  }
}
