// What a password has to be: at least eight characters, and hard to guess (reference/account-api.md §1.3).
//
// Guesses are estimated as zxcvbn does: repeats, sequences, keyboard runs, dates, what is known of the user, and the 2,000 most common
// passwords. It is kinder than the upstream service to passwords made of dictionary words, whose lists would double the Worker in size.
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs } from '@zxcvbn-ts/language-common'
import { invalid } from '../../errors'
import { COMMON_PASSWORDS } from './common'

const MIN_LENGTH = 8
/** scrypt takes any length; there has to be an end, and no password manager goes further. */
const MAX_LENGTH = 1024
/** Of 0 to 4: more than 10⁸ guesses. */
const MIN_SCORE = 3

/** Made when the first password is judged, not for every request. */
let judge: ZxcvbnFactory | undefined

function estimator(): ZxcvbnFactory {
  judge ??= new ZxcvbnFactory({
    dictionary: { 'passwords-common': COMMON_PASSWORDS },
    graphs: { qwerty: adjacencyGraphs.qwerty, keypad: adjacencyGraphs.keypad },
  })
  return judge
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
  const words = known.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]).filter(Boolean)
  const { score, feedback } = estimator().check(password, words)
  if (score < MIN_SCORE) {
    throw invalid('password', feedback.suggestions.join(' ') || 'This password is too weak.')
  }
}
