// Tags and evaluation contexts: two sets of lower-case names. docs/reference/flags.md#tags-and-evaluation-contexts.
import { Buffer } from 'node:buffer'
import { isLongerThan } from '../../characters'
import { diff } from '../../activity/diff'
import type { Change } from '../../activity/entry'
import { invalid } from '../../errors'
import { cleanNames, cleanTags } from '../../tags'

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

/** Maximum bytes of the tags of a flag together. A bulk change writes those of each flag into the activity log, before and after. */
export const MAX_TAG_BYTES = 4_000

const bytesOf = (names: readonly string[]) =>
  names.reduce((total, name) => total + Buffer.byteLength(name), 0)

/**
 * Returns tags as they are stored.
 * @param stored the tags of the flag, which may be more from before the limit, and are then not made larger
 * @throws 400, attr `tags`
 */
export function flagTagsOf(sent: readonly string[], stored: readonly string[] = []): string[] {
  const names = cleanTags(sent)
  if (bytesOf(names) > Math.max(MAX_TAG_BYTES, bytesOf(stored)))
    throw invalid(
      'tags',
      `Ensure the tags of a flag have no more than ${MAX_TAG_BYTES.toLocaleString('en')} bytes together.`,
      'max_length',
    )
  return names
}
