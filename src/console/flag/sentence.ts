// Who gets a flag, in a sentence. Pure.
import type { ConditionSet, Flag } from '../api/client'
import { percent, propertyWords } from '../flags/release-summary'

/** Condition sets that the sentence names. */
const MAX_SETS = 2

type Facts = Pick<Flag, 'active' | 'archived' | 'is_remote_configuration' | 'filters'>

/** `On for 25 % of users where plan is pro, and for 1 more set of conditions.` */
export function flagSentence({
  active,
  archived,
  is_remote_configuration: isConfig,
  filters,
}: Facts): string {
  if (archived) return 'Archived: no one gets it.'
  if (!active) return 'Off for everyone.'
  if (isConfig) return 'Everyone gets its value.'
  const sets = (filters.groups ?? []).filter(({ rollout_percentage: share }) => share !== 0)
  if (sets.length === 0) return 'On, but no one gets it yet.'
  const everyone = sets.find((set) => (set.properties ?? []).length === 0 && isWhole(set) && !isOfGroups(set))
  const shown = everyone ? [everyone] : sets.slice(0, MAX_SETS)
  const hidden = everyone ? 0 : sets.length - shown.length
  const parts = shown.map((set) => `for ${whoWords(set)}`)
  if (hidden > 0) parts.push(`for ${hidden} more ${hidden === 1 ? 'set' : 'sets'} of conditions`)
  const variants = filters.multivariate?.variants.length ?? 0
  const last = parts.pop()
  const who = parts.length === 0 ? last : `${parts.join(', ')}, and ${last}`
  return `On ${who}${variants > 0 ? `, in ${variants} variants` : ''}.`
}

const isWhole = ({ rollout_percentage: share }: ConditionSet): boolean => (share ?? 100) === 100

const isOfGroups = ({ aggregation_group_type_index: type }: ConditionSet): boolean => (type ?? null) !== null

function whoWords(set: ConditionSet): string {
  const conditions = (set.properties ?? []).map((property) => propertyWords(property)).join(' and ')
  const share = isWhole(set) ? '' : `${percent(set.rollout_percentage ?? 100)} of `
  if (conditions === '') {
    if (isOfGroups(set)) return share ? `${share}groups` : 'every group'
    return share ? `${share}users` : 'everyone'
  }
  return `${share}${isOfGroups(set) ? 'groups' : 'users'} where ${conditions}`
}
