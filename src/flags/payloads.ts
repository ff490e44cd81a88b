// Payloads of flags, and their encryption at rest under keys that can rotate: docs/reference/flags.md#encrypted-payloads.
import { type Actor, MEMBER, type Project } from '../auth/actor'
import { ApiError, invalid } from '../errors'
import { isEncrypted, keyringOf, NoKey } from '../storage/cipher'
import { type FlagFilters, variantsOf } from './filters/flag-filters'

/** Replaces an encrypted payload for readers without access. It includes the quotation marks. */
export const PLACEHOLDER = '"********* (encrypted)"'

export type PayloadCipher = ReturnType<typeof createPayloadCipher>

const failed = (code: string, detail: string) =>
  new ApiError({ status: 500, type: 'server_error', code, detail })

/** Creates a cipher with the keys in PAYLOAD_KEYS. */
export function createPayloadCipher(env: Parameters<typeof keyringOf>[0]) {
  const keyring = keyringOf(env, 'PAYLOAD_KEYS')
  return {
    /** @throws 500 with a code of its own when no key is configured. */
    async encrypt(plain: string): Promise<string> {
      try {
        return await keyring.encrypt(plain, 'flagPayloads')
      } catch (error) {
        if (!(error instanceof NoKey)) throw error
        throw failed(
          'payload_key_missing',
          'This deployment has no key for encrypted payloads: set PAYLOAD_KEYS.',
        )
      }
    },
    /** @throws 500 `remote_config_decrypt_failed` when the key is gone or the text was tampered with. */
    async decrypt(stored: string): Promise<string> {
      try {
        return await keyring.decrypt(stored)
      } catch {
        throw failed(
          'remote_config_decrypt_failed',
          'Failed to decrypt the remote config payload. Please contact support if the problem persists.',
        )
      }
    },
  }
}

/** Returns the state as it is stored. With `has_encrypted_payloads`, every payload is encrypted. */
export async function encryptPayloads<
  State extends { filters: FlagFilters; has_encrypted_payloads: boolean | null },
>(state: State, cipher: PayloadCipher): Promise<State> {
  if (!state.has_encrypted_payloads) return state
  const entries = Object.entries(state.filters.payloads ?? {}).map(
    async ([key, value]) => [key, isEncrypted(value) ? value : await cipher.encrypt(value)] as const,
  )
  if (entries.length === 0) return state
  return { ...state, filters: { ...state.filters, payloads: Object.fromEntries(await Promise.all(entries)) } }
}

const isKept = (value: string) => value === PLACEHOLDER || value === JSON.stringify(PLACEHOLDER)

/**
 * Returns the filters to store for a flag with encrypted payloads. A payload that is omitted, or sent as the placeholder, stays unchanged, if
 * the filters still have its variant.
 * @throws 400 without any payload, sent or stored, and for a placeholder that stands for none
 */
export function keepEncrypted(sent: FlagFilters, stored: FlagFilters): FlagFilters {
  const keys = new Set(variantsOf(sent).map(({ key }) => key))
  const isUsed = (key: string) => (keys.size > 0 ? keys.has(key) : key === 'true')
  const fresh = Object.entries(sent.payloads ?? {}).filter(([, value]) => !isKept(value))
  const replaced = new Set(fresh.map(([key]) => key))
  const kept = Object.entries(stored.payloads ?? {}).filter(([key]) => isUsed(key) && !replaced.has(key))
  const payloads = Object.fromEntries([...kept, ...fresh])
  if (Object.keys(payloads).length === 0) {
    throw invalid(null, 'An encrypted payload is required when has_encrypted_payloads is true.')
  }
  for (const key of Object.keys(sent.payloads ?? {})) if (!(key in payloads)) throw isNoPayload(key)
  return { ...sent, payloads }
}

/** Rejects the placeholder in a flag that encrypts nothing, where it would become the payload. @throws 400, attr `filters` */
export function rejectPlaceholders(filters: FlagFilters): FlagFilters {
  for (const [key, value] of Object.entries(filters.payloads ?? {})) if (isKept(value)) throw isNoPayload(key)
  return filters
}

const isNoPayload = (key: string) =>
  invalid(
    'filters',
    `payloads.${key}: this text stands for a payload that you cannot read. Send the payload itself.`,
  )

/** Returns the filters to store when a flag stops encrypting, without ciphertext and placeholders. */
export function dropEncrypted(filters: FlagFilters): FlagFilters {
  const plain = Object.entries(filters.payloads ?? {}).filter(
    ([, value]) => !isEncrypted(value) && !isKept(value) && value !== '""',
  )
  return { ...filters, payloads: Object.fromEntries(plain) }
}

interface PayloadReader {
  actor: Actor
  project: Pick<Project, 'membershipLevel'>
  cipher: PayloadCipher
}

/** Returns a stored payload as `viewer` may see it: decrypted for an API key of a member above viewer, and the placeholder for others. */
export async function readablePayload(
  payload: string | null,
  { actor, project, cipher }: PayloadReader,
): Promise<string | null> {
  if (payload === null || !isEncrypted(payload)) return payload
  return actor.kind === 'apiKey' && project.membershipLevel >= MEMBER ? cipher.decrypt(payload) : PLACEHOLDER
}

/**
 * Does what `readablePayload` does, for a record. A payload whose key is missing becomes the placeholder, so that the flag can be listed,
 * repaired and deleted.
 */
export const shownPayload = (payload: string, viewer: PayloadReader) =>
  readablePayload(payload, viewer).catch(() => PLACEHOLDER)
