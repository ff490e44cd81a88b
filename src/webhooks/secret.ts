// Makes secrets and signatures of the Standard Webhooks convention.
import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'
import { keyringOf } from '../storage/cipher'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export const newSecret = (): string =>
  PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString('base64')

export const sealSecret = (env: Env, secret: string): Promise<string> =>
  keyringOf(env, 'ACCOUNT_KEYS').encrypt(secret, 'webhookSecret')

/** @throws if the key of `sealSecret` is no longer configured */
export const openSecret = (env: Env, sealed: string): Promise<string> =>
  keyringOf(env, 'ACCOUNT_KEYS').decrypt(sealed)

/** @param secrets the current one first */
export function signedHeaders(
  secrets: readonly string[],
  messageId: string,
  sentAt: Date,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
