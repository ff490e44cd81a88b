// Compares JSON values, whatever the order of their keys.
import { sha256 } from '@oslojs/crypto/sha2'
import { encodeBase64urlNoPadding } from '@oslojs/encoding'
import { isArray, isObject, type JsonValue } from '../json'

/** JSON text with sorted keys; members that are null are left out unless they are kept. */
export function canonicalJson(value: JsonValue, nulls: 'dropped' | 'kept' = 'dropped'): string {
  if (isArray(value)) return `[${value.map((each) => canonicalJson(each, nulls)).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .filter((key) => value[key] !== undefined && (nulls === 'kept' || value[key] !== null))
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key]!, nulls)}`)
  return `{${members.join(',')}}`
}

export const fingerprintOf = (value: JsonValue): string =>
  encodeBase64urlNoPadding(sha256(new TextEncoder().encode(canonicalJson(value)))).slice(0, 22)
