// Signed tokens of chat linking: `<base64url of JSON>.<HMAC-SHA-256 in hex>`, for one purpose, for 15 minutes. Nonce and PKCE verifier are
// keyed digests of the token's id and the session: they are never stored, and the token or the database do not reveal them.
import { Buffer } from 'node:buffer'
import * as z from 'zod'
import { equalsInConstantTime } from '../../auth/constant-time'
import { type Keyring, keyringOf } from '../../storage/cipher'

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
  start: z.object(base),
  callback: z.object({ ...base, id: z.string(), session: z.string() }),
}

type Purpose = keyof typeof SCHEMAS
type Claims<P extends Purpose> = z.output<(typeof SCHEMAS)[P]>

const ringOf = (env: Env): Keyring => keyringOf(env, 'ACCOUNT_KEYS')
const signedText = (purpose: Purpose, body: string) => `chat-state:${purpose}:${body}`

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

/** Null for an invalid or expired token, and for one of another purpose. */
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

/** Both have 64 characters that fit a URL. */
export function bindingsOf(env: Env, { id, session }: Pick<Claims<'callback'>, 'id' | 'session'>) {
  const ring = ringOf(env)
  return {
    nonce: ring.digests(`chat-nonce:${id}:${session}`)[0],
    codeVerifier: ring.digests(`chat-verifier:${id}:${session}`)[0],
  }
}
