// Inflates the compression of lz-string in base64, which older mobile and small browser SDKs use. The package of that name cannot bound
// what it inflates: a few kilobytes can become gigabytes.
import { malformed } from '../../errors'
import { tooLarge } from '../../http/body/body'
import type { MemoryLease } from '../../http/limits/request-memory'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUES: ReadonlyMap<string, number> = new Map([...ALPHABET].map((digit, value) => [digit, value]))
const BITS_PER_DIGIT = 6

/** Codes that are no phrases. After the first two, a character of 8 or 16 bits follows; the third ends the text. */
const BYTE = 0
const UNIT = 1
const END = 2
const FIRST_PHRASE = 3

const broken = () => malformed('the body is not valid lz-string')

/** Reads numbers from bits, the least significant bit first. */
class BitReader {
  #at = 0
  #value = 0
  #left = 0

  constructor(readonly text: string) {}

  /** @throws 400 at the end, and for what is no base64 */
  read(bits: number): number {
    let number = 0
    for (let bit = 0; bit < bits; bit += 1) {
      if (this.#left === 0) this.#next()
      this.#left -= 1
      number |= ((this.#value >> this.#left) & 1) << bit
    }
    return number
  }

  #next(): void {
    const value = VALUES.get(this.text[this.#at] ?? '')
    if (value === undefined) throw broken()
    this.#value = value
    this.#left = BITS_PER_DIGIT
    this.#at += 1
  }
}

/** Collects UTF-16 units in an array that doubles when it is full. */
class Output {
  #units = new Uint16Array(1024)
  length = 0

  constructor(
    readonly maxLength: number,
    readonly lease: MemoryLease,
  ) {}

  /** @throws 413 past the maximum */
  add(unit: number): void {
    if (this.length === this.maxLength) throw tooLarge(this.maxLength)
    if (this.length === this.#units.length) {
      this.lease.take(this.#units.byteLength)
      const larger = new Uint16Array(this.length * 2)
      larger.set(this.#units)
      this.#units = larger
    }
    this.#units[this.length] = unit
    this.length += 1
  }

  /** Adds units again that were added before. The range may extend into the units that this call adds. */
  repeat(start: number, length: number): void {
    for (let at = start; at < start + length; at += 1) this.add(this.#units[at]!)
  }

  text(): string {
    return new TextDecoder('utf-16le', { fatal: false, ignoreBOM: true }).decode(
      this.#units.subarray(0, this.length),
    )
  }
}

/** Bytes of a phrase in the dictionary. A digit of base64 adds at most two phrases. */
const PHRASE_BYTES = 16

/**
 * Inflates what `LZString.compressToBase64` compressed. Every phrase of its dictionary is part of the text that was inflated before, so
 * that the dictionary stores positions and not texts.
 * @param maxLength of the inflated text, in UTF-16 units
 * @throws 400 for any other text, 413 past `maxLength`, and errors of the lease
 */
export function inflateLz(text: string, maxLength: number, lease: MemoryLease): string {
  lease.take(text.length * 2 * PHRASE_BYTES)
  const bits = new BitReader(text)
  const output = new Output(maxLength, lease)
  const starts: number[] = []
  const lengths: number[] = []
  const addPhrase = (start: number, length: number): void => {
    starts.push(start)
    lengths.push(length)
  }
  /** The position of the previous phrase. */
  let [start, length] = [0, 0]
  for (;;) {
    // The number of bits in a code depends on the number of phrases.
    const code = bits.read(length === 0 ? 2 : widthOf(starts.length + FIRST_PHRASE))
    if (code === END) return output.text()
    const phrase = code - FIRST_PHRASE
    const next = output.length
    if (code === BYTE || code === UNIT) {
      output.add(bits.read(code === BYTE ? 8 : 16))
      addPhrase(next, 1)
      if (length > 0) addPhrase(start, length + 1)
      ;[start, length] = [next, 1]
    } else {
      if (phrase > starts.length || length === 0) throw broken()
      // This code may name the phrase that it adds: the previous phrase with the first unit of this one, which is the unit that follows
      // it.
      if (phrase === starts.length) output.repeat(start, length + 1)
      else output.repeat(starts[phrase]!, lengths[phrase]!)
      addPhrase(start, length + 1)
      ;[start, length] = [next, output.length - next]
    }
  }
}

const widthOf = (number: number): number => 32 - Math.clz32(number)
