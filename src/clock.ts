// Time and ids as parameters, so that tests can set them.
import { encodeHexLowerCase } from '@oslojs/encoding'

export interface Clock {
  now(): Date
}

export interface Ids {
  /** Returns a UUID v7: ids made later sort later, also within one millisecond. */
  uuid(now: Date): string
  /** Returns a UUID v4, which has 122 random bits, for ids that must not be guessed. */
  opaqueUuid(): string
  /** Returns `bytes` random bytes as base62 text. */
  secret(bytes: number): string
}

export const systemClock: Clock = { now: () => new Date() }

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Returns `bytes` random bytes as base62 text (32 bytes are 43 characters at most). */
function randomBase62(bytes: number): string {
  let rest = BigInt(`0x${encodeHexLowerCase(crypto.getRandomValues(new Uint8Array(bytes)))}`)
  let text = ''
  while (rest > 0n) {
    text = BASE62[Number(rest % 62n)] + text
    rest /= 62n
  }
  return text.padStart(Math.ceil((bytes * 8) / Math.log2(62)), '0')
}

/** Makes UUID v7 ids (RFC 9562 §5.7) with a counter in `rand_a`, so that one source never goes backwards. */
export function createIds(): Ids {
  let lastMillis = 0
  let counter = 0

  return {
    uuid(now) {
      const millis = Math.max(now.getTime(), lastMillis)
      counter = millis === lastMillis ? counter + 1 : Math.floor(Math.random() * 0x400)
      // After 12 bits the counter continues in the next millisecond, because order matters more than the exact time.
      lastMillis = counter > 0xfff ? millis + 1 : millis
      if (counter > 0xfff) counter = 0
      const head = lastMillis.toString(16).padStart(12, '0')
      const version = (0x7000 | counter).toString(16)
      // Variant and random bits come from a v4 UUID, which is the fastest source on the platform.
      return `${head.slice(0, 8)}-${head.slice(8)}-${version}-${crypto.randomUUID().slice(19)}`
    },
    opaqueUuid: () => crypto.randomUUID(),
    secret: randomBase62,
  }
}
