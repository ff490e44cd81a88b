// Signed tokens for one purpose: `<base64url of JSON>.<HMAC-SHA-256 in hex>`.
import { Buffer } from 'node:buffer'
import * as z from 'zod'
import { equalsInConstantTime } from '../auth/constant-time'
import { type Keyring, keyringOf } from '../storage/cipher'

const MAX_TOKEN_LENGTH = 4_096

/** The expiry, in epoch seconds. */
const Expiring = z.looseObject({ exp: z.int() })

export const tokenKeys = (env: Env): Keyring => keyringOf(env, 'ACCOUNT_KEYS')

/**
 * Makes a kind of token, which is valid for one purpose and some seconds.
 * @param claims schema of what a token says
 */
export const tokenKind = <Claims extends z.ZodType<object>>(
  purpose: string,
  claims: Claims,
  seconds: number,
) => ({
  sign(env: Env, said: z.output<Claims>, now: Date): string {
    const exp = Math.floor(now.getTime() / 1000 + seconds)
    const body = Buffer.from(JSON.stringify({ ...said, exp })).toString('base64url')
    return `${body}.${tokenKeys(env).digests(`${purpose}:${body}`)[0]}`
  },

  /** Returns null for an invalid or expired token, and for one of another purpose. */
  verify(env: Env, token: string | null | undefined, now: Date): z.output<Claims> | null {
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
  },
})
