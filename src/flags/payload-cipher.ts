// Encrypted payloads: AES-256-GCM under a key from the environment, named in the ciphertext so that keys can rotate (decision 19).
//
// PAYLOAD_KEYS is a comma list of `id:base64` with 32-byte keys. The first encrypts; all of them decrypt.
// A stored payload is `enc:<key id>:<base64 of 12 bytes of nonce, ciphertext and tag>`.
import { Buffer } from 'node:buffer'
import { ApiError } from '../errors'

const PREFIX = 'enc'
const NONCE_BYTES = 12

/** What stands for an encrypted payload where it may not be read; the quotation marks belong to it. */
export const PLACEHOLDER = '"********* (encrypted)"'

export interface PayloadCipher {
  /** @throws 500 with a code of its own when no key is configured. */
  encrypt(plain: string): Promise<string>
  /** @throws 500 `remote_config_decrypt_failed` when the key is gone or the text was tampered with. */
  decrypt(stored: string): Promise<string>
}

const failed = (code: string, detail: string) =>
  new ApiError({ status: 500, type: 'server_error', code, detail })

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))
const base64Of = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** A cipher over the keys of the environment. */
export function createPayloadCipher(configured: string | undefined): PayloadCipher {
  const keys = new Map(
    (configured ?? '')
      .split(',')
      .filter(Boolean)
      .map((entry) => {
        const [id = '', base64 = ''] = entry.trim().split(':', 2)
        return [id, base64] as const
      }),
  )

  const importKey = (base64: string) =>
    crypto.subtle.importKey('raw', bytesOf(base64), 'AES-GCM', false, ['encrypt', 'decrypt'])

  return {
    async encrypt(plain) {
      const [current] = keys
      if (!current) {
        throw failed(
          'payload_key_missing',
          'This deployment has no key for encrypted payloads: set PAYLOAD_KEYS.',
        )
      }
      const [id, base64] = current
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
      const sealed = await crypto.subtle.encrypt(
        { name: 'AES-GCM', iv },
        await importKey(base64),
        new TextEncoder().encode(plain),
      )
      const whole = new Uint8Array(NONCE_BYTES + sealed.byteLength)
      whole.set(iv)
      whole.set(new Uint8Array(sealed), NONCE_BYTES)
      return `${PREFIX}:${id}:${base64Of(whole)}`
    },

    async decrypt(stored) {
      const [prefix, id = '', base64 = ''] = stored.split(':', 3)
      const key = keys.get(id)
      try {
        if (prefix !== PREFIX || key === undefined) throw new Error('no key')
        const whole = bytesOf(base64)
        const plain = await crypto.subtle.decrypt(
          { name: 'AES-GCM', iv: whole.subarray(0, NONCE_BYTES) },
          await importKey(key),
          whole.subarray(NONCE_BYTES),
        )
        return new TextDecoder().decode(plain)
      } catch {
        throw failed(
          'remote_config_decrypt_failed',
          'Failed to decrypt the remote config payload. Please contact support if the problem persists.',
        )
      }
    },
  }
}

/** Whether a stored payload is encrypted. */
export const isEncrypted = (payload: string) => payload.startsWith(`${PREFIX}:`)
