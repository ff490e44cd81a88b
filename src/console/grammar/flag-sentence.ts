// Says in one sentence who gets a flag. The functions are pure.
import type { Flag } from '../api/client'
import { decidingSets, setWords } from './sets'
import type { Wording } from './conditions'

/** The most condition sets that the sentence names. */
const MAX_SETS = 2

type Facts = Pick<
  Flag,
  'active' | 'archived' | 'deleted' | 'is_remote_configuration' | 'bucketing_identifier' | 'filters'
>

/** Returns a text such as `On for 25% of people whose plan is pro, and for 1 more condition set.` */
export function flagSentence(facts: Facts, wording: Wording): string {
  const { active, archived, deleted, is_remote_configuration: isConfig, filters } = facts
  if (deleted) return 'Deleted: off for everyone.'
  if (archived) return 'Archived: off for everyone.'
  if (!active) return 'Disabled: off for everyone.'
  const sets = decidingSets(filters)
  const isEnrolled = Boolean(filters.feature_enrollment)
  if (sets.length === 0 && !isEnrolled) return 'Enabled, but no condition set gives it to anyone.'
  const words = sets.slice(0, MAX_SETS).map((set) => setWords(set, wording))
  const hidden = sets.length - words.length
  if (hidden > 0) words.push(`${hidden} more condition ${hidden === 1 ? 'set' : 'sets'}`)
  if (isEnrolled) words.unshift('people who enrolled in early access')
  const holdout = filters.holdout ? ', without those in the holdout' : ''
  const byDevice = facts.bucketing_identifier === 'device_id' ? ', by device' : ''
  if (isConfig) {
    const isForAll = words.length === 1 && words[0] === 'everyone' && holdout === ''
    return isForAll
      ? 'Everyone gets this value.'
      : `This value goes to ${joined(words, 'to', filters)}${holdout}.`
  }
  return `On for ${joined(words, 'for', filters)}${variantWords(facts)}${byDevice}${holdout}.`
}

/** Joins the sets. With `early_exit`, a later set is only about those whom no earlier one matches. */
const joined = (
  words: readonly string[],
  to: string,
  { early_exit: stopsAtFirst }: Flag['filters'],
): string =>
  words
    .map((word, index) => {
      if (index === 0) return word
      if (stopsAtFirst) return `, then, of all others, ${to} ${word}`
      return `${index === words.length - 1 ? ', and' : ','} ${to} ${word}`
    })
    .join('')

function variantWords({ filters }: Facts): string {
  const count = filters.multivariate?.variants.length ?? 0
  if (count === 0) return ''
  const chosen = new Set(decidingSets(filters).map(({ variant }) => variant ?? null))
  const [only] = chosen
  if (chosen.size === 1 && only) return `, always with the variant ${only}`
  return `, in ${count} ${count === 1 ? 'variant' : 'variants'}`
}
