// Estimates password strength. zxcvbn, which upstream uses, would be a third of this Worker. As in zxcvbn, a password is a sequence of segments:
// a common password, a word known about the user, a run such as `abcd` or `qwer`, a repeat and a year are each worth a few bits;
// any other character is worth four. Unusual dictionary words score higher than in zxcvbn.
import { invalid } from '../../errors'
import { COMMON_PASSWORDS } from './common-passwords'
import { isPasswordTooLong, passwordTooLong } from './password-length'

const MIN_LENGTH = 8
/** Minimum bits of a password. They stand for more than 10⁸ guesses, which is score 3 of zxcvbn. */
const MIN_BITS = 27
const BITS_PER_CHARACTER = 4
const BITS_PER_WORD = 10
const BITS_PER_RUN = 5
const BITS_PER_YEAR = 7
const MIN_SEGMENT = 3
/** Longer segments are compared with words only, so that the work is linear in the length of the password. */
const MAX_PATTERN = 32

const RUNS = [
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1qaz2wsx3edc4rfv',
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
]
const LOOKALIKES: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}

/**
 * @param known facts that others know of the user: name, address
 * @throws 400 with `attr` password
 */
export function checkStrength(password: string, known: readonly string[]): void {
  if (isPasswordTooLong(password)) throw passwordTooLong(password)
  if (password.length < MIN_LENGTH) {
    throw invalid(
      'password',
      `This password is too short. It must contain at least ${MIN_LENGTH} characters.`,
    )
  }
  if (bitsOf(password, known) < MIN_BITS) throw invalid('password', 'This password is too weak.')
}

/** Returns the bits of the cheapest sequence of segments, by dynamic programming. */
function bitsOf(password: string, known: readonly string[]): number {
  const text = password.toLowerCase()
  const plain = [...text].map((char) => LOOKALIKES[char] ?? char).join('')
  const forwards = [...COMMON_PASSWORDS, ...known.flatMap(wordsOf)].filter(
    ({ length }) => length >= MIN_SEGMENT,
  )
  const words = new Set([...forwards, ...forwards.map(reversed)])
  const lengths = segmentLengths(words)

  const cheapest = [0]
  for (let end = 1; end <= text.length; end += 1) {
    let best = cheapest[end - 1]! + BITS_PER_CHARACTER
    for (const length of lengths) {
      const start = end - length
      if (start < 0) break
      const segment = text.slice(start, end)
      const isWord = words.has(segment) || words.has(plain.slice(start, end))
      const cost = isWord ? BITS_PER_WORD : costOfPattern(segment)
      if (cost !== null) best = Math.min(best, cheapest[start]! + cost)
    }
    cheapest.push(best)
  }
  return cheapest.at(-1)!
}

const reversed = (text: string) => [...text].toReversed().join('')

/** Returns the lengths of segments in ascending order. */
function segmentLengths(words: ReadonlySet<string>): number[] {
  const lengths = new Set(
    Array.from({ length: MAX_PATTERN - MIN_SEGMENT + 1 }, (_, index) => MIN_SEGMENT + index),
  )
  for (const { length } of words) lengths.add(length)
  return [...lengths].sort((a, b) => a - b)
}

const wordsOf = (text: string) => {
  const lower = text.toLowerCase()
  return [lower, ...lower.split(/[^\p{L}\p{N}]+/u)]
}

/** Returns null without a pattern. */
function costOfPattern(segment: string): number | null {
  if (segment.length > MAX_PATTERN) return null
  if (/^(19|20)\d\d$/.test(segment)) return BITS_PER_YEAR
  if (RUN_SEGMENTS.has(segment)) return BITS_PER_RUN
  return isRepeat(segment) ? BITS_PER_RUN + BITS_PER_CHARACTER : null
}

/** Every segment of a run, forwards and backwards. */
const RUN_SEGMENTS = new Set(
  RUNS.flatMap((run) => [run, reversed(run)]).flatMap((run) =>
    [...run].flatMap((_, start) =>
      Array.from({ length: run.length - start }, (__, index) => run.slice(start, start + index + 1)),
    ),
  ),
)

/** Whether a segment repeats one to four characters. */
const isRepeat = (segment: string) =>
  [1, 2, 3, 4].some((size) => segment.length >= 2 * size && hasPeriod(segment, size))

function hasPeriod(segment: string, size: number): boolean {
  for (let at = size; at < segment.length; at += 1) if (segment[at] !== segment[at - size]) return false
  return true
}
