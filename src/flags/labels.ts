// Tags and evaluation contexts: two sets of lower-case names (reference/flags-api.md §1.6).
import { isLongerThan } from '../characters'
import type { Change } from '../activity/entry'
import { invalid } from '../errors'
import { cleanNames } from '../tags'

const MAX_CONTEXTS = 50
const MAX_LENGTH = 255

/** Contexts have an activity entry of their own, with the sorted sets (reference §6.4). */
export const contextChange = (before: readonly string[], after: readonly string[]): Change => ({
  type: 'FeatureFlag',
  action: 'changed',
  field: 'evaluation_contexts',
  before: [...before].sort(),
  after: [...after].sort(),
})

/** Tags as stored: trimmed, lower-cased, without blanks and repetitions, sorted. */
export const cleanTags = cleanNames

/**
 * Evaluation contexts as stored.
 * @param sent anything.
 * @throws 400 for what is no list, for more than 50, or for a member that is no text of 1 to 255 characters.
 */
export function cleanContexts(sent: unknown): string[] {
  if (!Array.isArray(sent) || sent.length > MAX_CONTEXTS) {
    throw invalid(null, `evaluation_contexts must be a list of at most ${MAX_CONTEXTS} items.`)
  }
  if (!sent.every(isContext)) throw invalid(null, 'Invalid evaluation context name.')
  return cleanNames(sent)
}

function isContext(name: unknown): name is string {
  if (typeof name !== 'string') return false
  const trimmed = name.trim()
  // The database ends text at U+0000, and knows no half characters.
  const isKept = name.isWellFormed() && !name.includes('\0')
  return isKept && trimmed !== '' && !isLongerThan(trimmed, MAX_LENGTH)
}
