// SHA-1 for bucketing: the first 60 bits of the digest of a short text, with no allocation on the way.
//
// The platform's digest is asynchronous in Workers, and a flag check is too small to await. Nothing here is secret:
// the hash only spreads identifiers evenly, and every client must draw the same number (reference §1.1).
import { compress } from './sha1-block'

const WORDS_PER_BLOCK = 16
const BYTES_PER_BLOCK = 64
const TWO_TO_60 = 2 ** 60
const TWO_TO_28 = 2 ** 28

/** Room for the usual text, reused by every call. A longer one gets an array of its own, which is not kept. */
const scratch = new Int32Array(16 * WORDS_PER_BLOCK)
/** The padded message as big-endian words, and how many bytes of it are known. */
let message = scratch
let length = 0
/** The last bytes: those that do not fill a word yet are in its low end. A word is written once, when it is full. */
let word = 0

/** The five words of the digest. */
const state = new Int32Array(5)

/**
 * The number in [0, 1] that decides rollouts and variants: SHA-1 of the UTF-8 bytes of `prefix + identifier + salt`,
 * its first 60 bits rounded to a double and divided by 2^60 (reference §1.1). Parts are passed apart so that the
 * caller need not join them. Bit-exact with every client of the wire protocol; 1 itself is possible.
 */
export function hash01(prefix: string, identifier: string, salt: string): number {
  reserve(prefix.length + identifier.length + salt.length)
  append(prefix)
  append(identifier)
  if (salt !== '') append(salt)
  digest()
  return ((state[0]! >>> 0) * TWO_TO_28 + (state[1]! >>> 4)) / TWO_TO_60
}

/** Begins a message of `units` UTF-16 units, at most three bytes each, and its padding. */
function reserve(units: number): void {
  const words = Math.ceil((units * 3 + 9) / BYTES_PER_BLOCK) * WORDS_PER_BLOCK
  message = words > scratch.length ? new Int32Array(words) : scratch
  length = 0
  word = 0
}

function append(text: string): void {
  // In local variables: this loop is a quarter of the work.
  const words = message
  let at = length
  let last = word
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit > 0x7f) {
      length = at
      word = last
      appendEncoded(text, index)
      return
    }
    last = (last << 8) | unit
    at++
    if ((at & 3) === 0) words[(at >> 2) - 1] = last
  }
  length = at
  word = last
}

/** Appends the text from `start` as UTF-8; half of a surrogate pair becomes U+FFFD, as in every encoder. */
function appendEncoded(text: string, start: number): void {
  for (let index = start; index < text.length; index++) {
    const point = text.codePointAt(index) ?? 0
    if (point < 0x80) {
      appendByte(point)
    } else if (point < 0x800) {
      appendByte(0xc0 | (point >> 6))
      appendByte(0x80 | (point & 0x3f))
    } else if (point < 0x10000) {
      const scalar = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point
      appendByte(0xe0 | (scalar >> 12))
      appendByte(0x80 | ((scalar >> 6) & 0x3f))
      appendByte(0x80 | (scalar & 0x3f))
    } else {
      index++
      appendByte(0xf0 | (point >> 18))
      appendByte(0x80 | ((point >> 12) & 0x3f))
      appendByte(0x80 | ((point >> 6) & 0x3f))
      appendByte(0x80 | (point & 0x3f))
    }
  }
}

function appendByte(byte: number): void {
  word = (word << 8) | byte
  length++
  if ((length & 3) === 0) message[(length >> 2) - 1] = word
}

/** Pads the message and runs it through the compression function, leaving the digest in `state`. */
function digest(): void {
  const end = length >> 2
  const blocks = ((length + 8) >> 6) + 1
  const last = blocks * WORDS_PER_BLOCK - 1
  message[end] = ((word << 8) | 0x80) << (24 - ((length & 3) << 3))
  for (let at = end + 1; at < last; at++) message[at] = 0
  message[last - 1] = length >>> 29
  message[last] = length << 3
  state[0] = 0x67452301
  state[1] = 0xefcdab89
  state[2] = 0x98badcfe
  state[3] = 0x10325476
  state[4] = 0xc3d2e1f0
  for (let block = 0; block < blocks; block++) compress(state, message, block * WORDS_PER_BLOCK)
}
