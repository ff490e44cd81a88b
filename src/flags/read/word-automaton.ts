// Matches words in order, with only separators between them, in one pass over a text. Pure.

const SEPARATOR = /[\s_-]/
/** The number of bits in one element of a bit set. */
const BITS = 32

/** Counts the work of a match. */
export interface MatchMeter {
  /** The number of elements of bit sets that were computed. */
  steps: number
}

/**
 * Whether `words` occur in `text` one after the other, with any run of white space, `-` and `_` between two of them, also an empty one.
 *
 * Runs the pattern as a bit-parallel automaton (Baeza-Yates and Gonnet's Shift-And): bit `i` is set while the first `i + 1` characters of
 * the words match up to the current place. The cost is the length of the text times the length of the words over 32, whatever they hold.
 */
export function containsWords(
  text: string,
  words: readonly string[],
  meter: MatchMeter = { steps: 0 },
): boolean {
  const pattern = words.join('')
  const size = Math.ceil(pattern.length / BITS)
  const masks = masksOf(pattern, size)
  const ends = endsOf(words, size)
  const last = pattern.length - 1
  const reached = new Int32Array(size)
  for (let at = 0; at < text.length; at += 1) {
    const mask = masks.get(text.charCodeAt(at))
    const isSeparator = SEPARATOR.test(text[at]!)
    // The first character of the pattern may match at every position.
    let carry = 1
    for (let element = 0; element < size; element += 1) {
      const before = reached[element]!
      const next = ((before << 1) | carry) & (mask?.[element] ?? 0)
      carry = before >>> (BITS - 1)
      reached[element] = isSeparator ? next | (before & ends[element]!) : next
    }
    meter.steps += size
    if (reached[Math.floor(last / BITS)]! & (1 << (last % BITS))) return true
  }
  return false
}

/** Returns for each UTF-16 unit the positions at which the pattern has it. */
function masksOf(pattern: string, size: number): ReadonlyMap<number, Int32Array> {
  const masks = new Map<number, Int32Array>()
  for (let at = 0; at < pattern.length; at += 1) {
    const unit = pattern.charCodeAt(at)
    let mask = masks.get(unit)
    if (!mask) masks.set(unit, (mask = new Int32Array(size)))
    setBit(mask, at)
  }
  return masks
}

/** Returns the last position of every word but the last, after which separators may follow. */
function endsOf(words: readonly string[], size: number): Int32Array {
  const ends = new Int32Array(size)
  let at = -1
  for (const word of words.slice(0, -1)) setBit(ends, (at += word.length))
  return ends
}

function setBit(bits: Int32Array, at: number): void {
  const element = Math.floor(at / BITS)
  bits[element] = bits[element]! | (1 << (at % BITS))
}
