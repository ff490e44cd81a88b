// Signed tokens for one purpose: `<base64url of JSON>.<HMAC-SHA-256 in hex>`.
import { Buffer } from 'node:buffer'
import * as z from 'zod'
import { equalsInConstantTime } from '../auth/constant-time'
import { type Keyring, keyringOf } from '../storage/cipher'

const MAX_TOKEN_LENGTH = 4_096

/** The expiry, in epoch seconds. */
const Expiring = z.looseObject({ exp: z.int() })

export const tokenKeys = (env: Env): Keyring => keyringOf(env, 'ACCOUNT_KEYS')

/** @param purpose for which alone the token is valid */
export function signToken(env: Env, purpose: string, claims: object, expiresAt: Date): string {
  const exp = Math.floor(expiresAt.getTime() / 1000)
  const body = Buffer.from(JSON.stringify({ ...claims, exp })).toString('base64url')
  return `${body}.${tokenKeys(env).digests(`${purpose}:${body}`)[0]}`
}

/** Returns null for an invalid or expired token, and for one of another purpose. */
export function verifyToken<Claims extends z.ZodType>(
  env: Env,
  purpose: string,
  claims: Claims,
  token: string | null | undefined,
  now: Date,
): z.output<Claims> | null {
  if (!token || token.length > MAX_TOKEN_LENGTH) return null
  const [body = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0) return null
  const genuine = tokenKeys(env)
    .digests(`${purpose}:${body}`)
    .some((digest) => equalsInConstantTime(digest, signature))
  if (!genuine) return null
  const signed: unknown = JSON.parse(Buffer.from(body, 'base64url').toString())
  if (Expiring.parse(signed).exp * 1000 <= now.getTime()) return null
  // A token of another release may have other claims.
  return claims.safeParse(signed).data ?? null
}
