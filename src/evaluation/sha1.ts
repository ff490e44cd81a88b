// SHA-1 for bucketing: the first 60 bits of the digest of a short text, with no allocation on the way.
//
// The platform's digest is asynchronous in Workers, and a flag check is too small to await. Nothing here is secret:
// the hash only spreads identifiers evenly, and every client must draw the same number: docs/reference/evaluation.md#the-hash.
import { compress } from './sha1-block'

const BYTES_PER_BLOCK = 64
const WORDS_PER_BLOCK = 16
const TWO_TO_MINUS_60 = 2 ** -60
const TWO_TO_28 = 2 ** 28

/** The bytes of a message and its padding, as bytes and as words. */
class Message {
  readonly bytes: Uint8Array
  readonly words: Int32Array
  readonly view: DataView

  /** @param blocks of 64 bytes that the message can have */
  constructor(blocks: number) {
    const buffer = new ArrayBuffer(blocks * BYTES_PER_BLOCK)
    this.bytes = new Uint8Array(buffer)
    this.words = new Int32Array(buffer)
    this.view = new DataView(buffer)
  }
}

/** Blocks of the buffer that every call reuses. A longer text gets a buffer of its own, which is not kept. */
const SCRATCH_BLOCKS = 16
const scratch = new Message(SCRATCH_BLOCKS)

/** The five words of the digest. */
const state = new Int32Array(5)

/** Returns the number of blocks for a text, with at least 9 bytes of padding. */
const blocksFor = (bytes: number): number => ((bytes + 8) >> 6) + 1

/**
 * Returns the number in [0, 1] that decides rollouts and variants: SHA-1 of the UTF-8 bytes of `prefix + identifier + salt`, its first 60
 * bits rounded to a double and divided by 2^60. The parts are separate parameters, so that the caller need not join them. The result is
 * bit-exact with every client of the API, and 1 itself is possible.
 */
export function hash01(prefix: string, identifier: string, salt: string): number {
  // A UTF-16 unit takes at most three bytes.
  const blocks = blocksFor((prefix.length + identifier.length + salt.length) * 3)
  const message = blocks > SCRATCH_BLOCKS ? new Message(blocks) : scratch
  let length = write(prefix, message.bytes, 0)
  length = write(identifier, message.bytes, length)
  if (salt !== '') length = write(salt, message.bytes, length)
  digest(message, length)
  return ((state[0]! >>> 0) * TWO_TO_28 + (state[1]! >>> 4)) * TWO_TO_MINUS_60
}

/** Writes a text at a position. @returns the position after it */
function write(text: string, bytes: Uint8Array, start: number): number {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit > 0x7f) return writeEncoded(text, index, bytes, start + index)
    bytes[start + index] = unit
  }
  return start + text.length
}

/** Writes the text from `index` on as UTF-8. Half of a surrogate pair becomes U+FFFD, as in every encoder. */
function writeEncoded(text: string, index: number, bytes: Uint8Array, start: number): number {
  let at = start
  for (; index < text.length; index++) {
    const point = text.codePointAt(index) ?? 0
    if (point < 0x80) {
      bytes[at++] = point
    } else if (point < 0x800) {
      bytes[at++] = 0xc0 | (point >> 6)
      bytes[at++] = 0x80 | (point & 0x3f)
    } else if (point < 0x10000) {
      const scalar = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point
      bytes[at++] = 0xe0 | (scalar >> 12)
      bytes[at++] = 0x80 | ((scalar >> 6) & 0x3f)
      bytes[at++] = 0x80 | (scalar & 0x3f)
    } else {
      index++
      bytes[at++] = 0xf0 | (point >> 18)
      bytes[at++] = 0x80 | ((point >> 12) & 0x3f)
      bytes[at++] = 0x80 | ((point >> 6) & 0x3f)
      bytes[at++] = 0x80 | (point & 0x3f)
    }
  }
  return at
}

/** Pads the message and runs it through the compression function, which leaves the digest in `state`. */
function digest({ bytes, words, view }: Message, length: number): void {
  const blocks = blocksFor(length)
  const last = blocks * WORDS_PER_BLOCK - 1
  let end = length
  bytes[end++] = 0x80
  while ((end & 3) !== 0) bytes[end++] = 0
  // The upper word of the length is 0, too. A call of `fill` would take longer.
  for (let at = end >> 2; at < last; at++) words[at] = 0
  view.setInt32(last * 4, length << 3)
  state[0] = 0x67452301
  state[1] = 0xefcdab89
  state[2] = 0x98badcfe
  state[3] = 0x10325476
  state[4] = 0xc3d2e1f0
  for (let block = 0; block < blocks; block++) compress(state, view, block * BYTES_PER_BLOCK)
}
