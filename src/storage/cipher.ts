// Encrypts secrets at rest with AES-256-GCM, and computes HMACs, with keys from the environment.
//
// A key ring is a comma-separated list of `id:base64` with 32-byte keys. The first one encrypts, all of them decrypt. A key followed by
// `:standby` only decrypts: a rotation gives it to every isolate before one of them encrypts with it. The stored form is `enc:<key
// id>:<base64 of 12 bytes of nonce, ciphertext and tag>`.
import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'
import { LruCache } from '../lru-cache'
import type { EncryptedColumn, KeyringSecret } from './encrypted-columns'

const PREFIX = 'enc'
const NONCE_BYTES = 12
const KEY_BYTES = 32

export interface Keyring {
  /** The id of the key that encrypts, or null. */
  readonly currentId: string | null
  /**
   * @param column where the value is stored: it has to be in the list that a rotation of keys rewrites.
   * @throws `NoKey` when none is configured.
   */
  encrypt(plain: string, column: EncryptedColumn): Promise<string>
  /** @throws when the key is gone or the text was tampered with. */
  decrypt(sealed: string): Promise<string>
  /**
   * Keyed digests, for secrets that are too short for a plain digest; one for each key, the current one first.
   * @throws `NoKey` when none is configured.
   */
  digests(text: string): [string, ...string[]]
}

/** The key ring is missing or malformed. */
export class NoKey extends Error {
  override readonly name = 'NoKey'
}

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))

/** The key ring of a secret: during a rotation, the new key is in a secret of its own. */
export const keyringOf = (
  env: Partial<Readonly<Record<KeyringSecret | `${KeyringSecret}_NEXT`, string>>>,
  secret: KeyringSecret,
): Keyring => createKeyring([env[`${secret}_NEXT`], env[secret]].filter(Boolean).join(','))

/** Parsed key rings by their text: an isolate has one for each of its settings. */
const parsed = new LruCache<string, Keyring>(8)

/**
 * Parses a key ring.
 * @throws `NoKey` for a key without 32 bytes: HMAC would accept it, even an empty one, and tokens could be forged.
 */
export function createKeyring(configured = ''): Keyring {
  const keyring = parsed.get(configured) ?? parseKeyring(configured)
  parsed.set(configured, keyring, 1)
  return keyring
}

function parseKeyring(configured: string): Keyring {
  const entries = configured
    .split(',')
    .filter(Boolean)
    .map((entry) => {
      const [id = '', base64 = '', state] = entry.trim().split(':', 3)
      const key = bytesOf(base64)
      if (key.length !== KEY_BYTES) throw new NoKey(`key ${id} must have ${KEY_BYTES} bytes`)
      return { id, key, isStandby: state === 'standby' }
    })
  const ordered = [
    ...entries.filter(({ isStandby }) => !isStandby),
    ...entries.filter(({ isStandby }) => isStandby),
  ]
  const keys = new Map(ordered.map(({ id, key }) => [id, key]))

  const importKey = (key: Uint8Array<ArrayBuffer>) =>
    crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt'])

  return {
    currentId: ordered[0]?.id ?? null,

    async encrypt(plain) {
      const [current] = keys
      if (!current) throw new NoKey('no key is configured')
      const [id, key] = current
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
      const sealed = await crypto.subtle.encrypt(
        { name: 'AES-GCM', iv },
        await importKey(key),
        new TextEncoder().encode(plain),
      )
      const whole = new Uint8Array(NONCE_BYTES + sealed.byteLength)
      whole.set(iv)
      whole.set(new Uint8Array(sealed), NONCE_BYTES)
      return `${PREFIX}:${id}:${Buffer.from(whole).toString('base64')}`
    },

    async decrypt(sealed) {
      const [prefix, id = '', base64 = ''] = sealed.split(':', 3)
      const key = keys.get(id)
      if (prefix !== PREFIX || key === undefined) throw new NoKey('no key for this')
      const whole = bytesOf(base64)
      const plain = await crypto.subtle.decrypt(
        { name: 'AES-GCM', iv: whole.subarray(0, NONCE_BYTES) },
        await importKey(key),
        whole.subarray(NONCE_BYTES),
      )
      return new TextDecoder().decode(plain)
    },

    digests(text) {
      const [first, ...rest] = [...keys.values()].map((key) =>
        createHmac('sha256', key).update('digest:').update(text).digest('hex'),
      )
      if (first === undefined) throw new NoKey('no key is configured')
      return [first, ...rest]
    },
  }
}

/** Whether a stored text is encrypted. */
export const isEncrypted = (text: string) => text.startsWith(`${PREFIX}:`)
