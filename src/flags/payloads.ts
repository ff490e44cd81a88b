// Payloads of a flag that keeps them encrypted (reference/flags-api.md §1.7, §4.5).
import type { Actor } from '../auth/actor'
import { invalid } from '../errors'
import type { FlagFilters } from './filters/shape'
import { isEncrypted, type PayloadCipher, PLACEHOLDER } from './payload-cipher'
import type { FlagState } from './state'

/** The state as it is stored: of a flag that keeps its payloads secret, every one encrypted that is not yet. */
export async function sealed(state: FlagState, cipher: PayloadCipher): Promise<FlagState> {
  if (!state.has_encrypted_payloads) return state
  const entries = Object.entries(state.filters.payloads ?? {}).map(
    async ([key, value]) => [key, isEncrypted(value) ? value : await cipher.encrypt(value)] as const,
  )
  if (entries.length === 0) return state
  return { ...state, filters: { ...state.filters, payloads: Object.fromEntries(await Promise.all(entries)) } }
}

const isKept = (value: string) => value === PLACEHOLDER || value === JSON.stringify(PLACEHOLDER)

/**
 * The filters to store when filters were sent to a flag whose payloads are, or become, encrypted: a payload that was left out, or sent
 * back as the placeholder, stays as it is stored.
 * @throws 400 when there is none, neither sent nor stored.
 */
export function keepEncrypted(sent: FlagFilters, stored: FlagFilters): FlagFilters {
  const fresh = Object.entries(sent.payloads ?? {}).filter(([, value]) => !isKept(value))
  const replaced = new Set(fresh.map(([key]) => key))
  const kept = Object.entries(stored.payloads ?? {}).filter(([key]) => !replaced.has(key))
  const payloads = Object.fromEntries([...kept, ...fresh])
  if (Object.keys(payloads).length === 0) {
    throw invalid(null, 'An encrypted payload is required when has_encrypted_payloads is true.')
  }
  return { ...sent, payloads }
}

/** The filters to store when a flag stops encrypting: ciphertext goes, and so does the placeholder; what was sent in the clear stays. */
export function dropEncrypted(filters: FlagFilters): FlagFilters {
  const plain = Object.entries(filters.payloads ?? {}).filter(
    ([, value]) => !isEncrypted(value) && !isKept(value) && value !== '""',
  )
  return { ...filters, payloads: Object.fromEntries(plain) }
}

/** A stored payload as `viewer` may see it: decrypted for an API key, the placeholder for anybody else. */
export async function readablePayload(
  payload: string | null,
  { actor, cipher }: { actor: Actor; cipher: PayloadCipher },
): Promise<string | null> {
  if (payload === null || !isEncrypted(payload)) return payload
  return actor.kind === 'apiKey' ? cipher.decrypt(payload) : PLACEHOLDER
}

/**
 * `readablePayload` for a flag that is shown as a whole: a payload that no key opens any more is hidden too, so that the flag can still be
 * listed, mended and deleted. Sent back as it is shown, it stays as it is stored.
 */
export const shownPayload = (payload: string, viewer: { actor: Actor; cipher: PayloadCipher }) =>
  readablePayload(payload, viewer).catch(() => PLACEHOLDER)
