// Who gets a flag, in one sentence. Pure.
import type { Flag } from '../api/client'
import { reachingSets, setWords, type Wording } from './conditions'

/** Condition sets that the sentence names. */
const MAX_SETS = 2

type Facts = Pick<Flag, 'active' | 'archived' | 'is_remote_configuration' | 'filters'>

/** `On for 25 % of people whose plan is pro, and for 1 more condition set.` */
export function flagSentence(
  { active, archived, is_remote_configuration: isConfig, filters }: Facts,
  wording: Wording = {},
): string {
  if (archived) return 'Archived: no one gets it.'
  if (!active) return 'Off for everyone.'
  const sets = reachingSets(filters)
  if (sets.length === 0) return 'On, but no one gets it yet.'
  const words = sets.slice(0, MAX_SETS).map((set) => setWords(set, wording))
  const hidden = sets.length - words.length
  if (hidden > 0) words.push(`${hidden} more condition ${hidden === 1 ? 'set' : 'sets'}`)
  if (isConfig) {
    const [only] = words
    return words.length === 1 && only === 'everyone'
      ? 'Everyone gets its value.'
      : `Its value goes to ${joined(words)}.`
  }
  const variants = filters.multivariate?.variants.length ?? 0
  const inVariants = variants === 0 ? '' : `, in ${variants} ${variants === 1 ? 'variant' : 'variants'}`
  return `On for ${joined(words, 'for ')}${inVariants}.`
}

const joined = (words: readonly string[], each = ''): string =>
  words
    .map((word, index) =>
      index === 0 ? word : `${index === words.length - 1 ? ', and ' : ', '}${each}${word}`,
    )
    .join('')
