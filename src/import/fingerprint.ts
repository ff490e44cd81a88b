// Compares JSON values, whatever the order of their keys.
import { sha256 } from '@oslojs/crypto/sha2'
import { encodeBase64urlNoPadding } from '@oslojs/encoding'
import { isArray, isObject, type JsonValue } from '../json'

/** JSON text with sorted keys; members without a value are left out. */
export function canonicalJson(value: JsonValue): string {
  if (isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .filter((key) => (value[key] ?? null) !== null)
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key]!)}`)
  return `{${members.join(',')}}`
}

export const fingerprintOf = (value: JsonValue): string =>
  encodeBase64urlNoPadding(sha256(new TextEncoder().encode(canonicalJson(value)))).slice(0, 22)
