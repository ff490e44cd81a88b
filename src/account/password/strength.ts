// What a password has to be: at least eight characters, and hard to guess (reference/account-api.md §1.3).
//
// The upstream service asks zxcvbn. Its lists alone would be a third of this Worker, so the guesses are estimated here, after the same idea:
// a password is read as a row of parts, each worth what a guesser has to try for it. A common password, a word that others know of the
// user, a run such as `abcd` or `qwer`, a repeat and a year are each worth a few bits; any other character is worth four. That is kinder
// to unusual dictionary words than zxcvbn, and as strict with what leaks show.
import { invalid } from '../../errors'
import { COMMON_PASSWORDS } from './common'

const MIN_LENGTH = 8
/** scrypt takes any length; there has to be an end, and no password manager goes further. */
const MAX_LENGTH = 1024
/** More than 10⁸ guesses: what zxcvbn calls a score of three. */
const MIN_BITS = 27
const BITS_PER_CHARACTER = 4
/** A word of a list of a thousand. */
const BITS_PER_WORD = 10
/** Where a run starts, or what is repeated. */
const BITS_PER_RUN = 5
const BITS_PER_YEAR = 7
const MIN_PART = 3

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
 * Checks a new password.
 * @param known what others know of the user: name, address. A password made of it is weak.
 * @throws 400 with `attr` password.
 */
export function checkStrength(password: string, known: readonly string[]): void {
  if (password.length < MIN_LENGTH) {
    throw invalid(
      'password',
      `This password is too short. It must contain at least ${MIN_LENGTH} characters.`,
    )
  }
  if (password.length > MAX_LENGTH) {
    throw invalid('password', `Ensure this field has no more than ${MAX_LENGTH} characters.`, 'max_length')
  }
  if (bitsOf(password, known) < MIN_BITS) throw invalid('password', 'This password is too weak.')
}

/** How many bits a guesser has to get right, reading the password in the way that is cheapest at every step. */
function bitsOf(password: string, known: readonly string[]): number {
  const text = password.toLowerCase()
  const plain = [...text].map((char) => LOOKALIKES[char] ?? char).join('')
  const words = new Set(
    [...COMMON_PASSWORDS, ...known.flatMap(wordsOf)].filter(({ length }) => length >= MIN_PART),
  )
  const backwards = new Set([...words].map((word) => [...word].toReversed().join('')))
  const longest = Math.max(...[...words].map(({ length }) => length))
  const isWord = (part: string) => words.has(part) || backwards.has(part)

  const cheapest = [0]
  for (let end = 1; end <= text.length; end += 1) {
    let best = cheapest[end - 1]! + BITS_PER_CHARACTER
    for (let start = Math.max(0, end - Math.max(longest, 32)); start <= end - MIN_PART; start += 1) {
      const part = text.slice(start, end)
      const cost = isWord(part) || isWord(plain.slice(start, end)) ? BITS_PER_WORD : costOfPattern(part)
      if (cost !== null) best = Math.min(best, cheapest[start]! + cost)
    }
    cheapest.push(best)
  }
  return cheapest.at(-1)!
}

const wordsOf = (text: string) => {
  const lower = text.toLowerCase()
  return [lower, ...lower.split(/[^\p{L}\p{N}]+/u)]
}

/** What a part is worth that follows a pattern, or null when it follows none. */
function costOfPattern(part: string): number | null {
  if (/^(19|20)\d\d$/.test(part)) return BITS_PER_YEAR
  const reversed = [...part].toReversed().join('')
  if (RUNS.some((run) => run.includes(part) || run.includes(reversed))) return BITS_PER_RUN
  return isRepeat(part) ? BITS_PER_RUN + BITS_PER_CHARACTER : null
}

/** Up to four characters, over and over. */
const isRepeat = (part: string) =>
  [1, 2, 3, 4].some(
    (size) =>
      part.length >= 2 * size &&
      part ===
        part
          .slice(0, size)
          .repeat(Math.ceil(part.length / size))
          .slice(0, part.length),
  )
