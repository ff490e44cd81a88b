// UUIDs that derive from text.
import { sha256 } from '@oslojs/crypto/sha2'
import { encodeHexLowerCase } from '@oslojs/encoding'

/** A UUID version 8 (RFC 9562) from the SHA-256 of a text. */
export function uuidOf(text: string): string {
  const hex = encodeHexLowerCase(sha256(new TextEncoder().encode(text)))
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
