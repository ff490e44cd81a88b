import { encodeHexLowerCase } from '@oslojs/encoding'

/** Returns the stored form of a personal API key: `sha256$` and the hex digest. */
export async function secureValueOf(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))
  return `sha256$${encodeHexLowerCase(new Uint8Array(digest))}`
}
