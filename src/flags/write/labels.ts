// Tags and evaluation contexts: two sets of lower-case names. docs/reference/flags.md#tags-and-evaluation-contexts.
import { isLongerThan } from '../../characters'
import { diff } from '../../activity/diff'
import type { Change } from '../../activity/entry'
import { invalid } from '../../errors'
import { cleanNames } from '../../tags'

const MAX_CONTEXTS = 50
const MAX_LENGTH = 255

/** Returns the activity entry of changed contexts, which is separate from that of the flag and has sorted sets. */
export const contextChange = (before: readonly string[], after: readonly string[]): Change => ({
  type: 'FeatureFlag',
  action: 'changed',
  field: 'evaluation_contexts',
  before: [...before].sort(),
  after: [...after].sort(),
})

/** Returns the change of the tags, for the activity entry of the update. */
export const tagChanges = (before: readonly string[], after: readonly string[]): Change[] =>
  diff('FeatureFlag', ['tags'], { tags: [...before].sort() }, { tags: [...after].sort() })

/**
 * Returns evaluation contexts as they are stored.
 * @param sent anything
 * @throws 400 unless it is a list of at most 50 texts of 1 to 255 characters
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
  // SQLite ends text at U+0000, and stores no lone surrogates.
  const isKept = name.isWellFormed() && !name.includes('\0')
  return isKept && trimmed !== '' && !isLongerThan(trimmed, MAX_LENGTH)
}
