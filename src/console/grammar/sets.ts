// Describes the condition sets of a flag, and finds those that decide who gets it. The functions are pure.
import { canonical } from '../api/canonical'
import type { ConditionSet, FlagFilters } from '../api/client'
import { membersWords, PEOPLE, type Wording } from './conditions'
import { capitalized, percent } from './words'

/**
 * Returns the condition sets of a flag, each with the type of groups that it is about, or null for people: its own type, as evaluation
 * reads it, or else the flag's.
 */
export const setsOf = ({ groups, aggregation_group_type_index: ofFlag }: FlagFilters) =>
  (groups ?? []).map((set) => ({
    ...set,
    aggregation_group_type_index:
      ('aggregation_group_type_index' in set ? set.aggregation_group_type_index : ofFlag) ?? null,
  }))

/** Returns the types of groups that the sets of a flag are about, each once; null stands for people. */
export const groupTypesOf = (filters: FlagFilters): readonly (number | null)[] => [
  ...new Set(setsOf(filters).map(({ aggregation_group_type_index: index }) => index)),
]

/** Whether no set of a flag is about people. */
export function isOnlyOfGroups(filters: FlagFilters): boolean {
  const types = groupTypesOf(filters)
  return types.length > 0 && !types.includes(null)
}

/** Whom a condition set is about: `people whose plan is pro`, or everyone without conditions. */
export interface SetParts {
  share: number
  /** Words such as `people whose plan is pro`, `company groups`, `people`. */
  members: string
  /** Whether the set has no condition. */
  isOpen: boolean
}

export function partsOf(set: ConditionSet, wording: Wording = {}): SetParts {
  const index = set.aggregation_group_type_index ?? null
  const type = index === null ? undefined : wording.groupTypeOf?.(index)
  const noun = index === null ? PEOPLE : type === undefined ? 'groups' : `${type} groups`
  const conditions = set.properties ?? []
  return {
    share: set.rollout_percentage ?? 100,
    members: membersWords(noun, conditions, wording),
    isOpen: conditions.length === 0,
  }
}

/** Describes a condition set: `25% of people whose plan is pro`, `everyone`, `every company group`. */
export function setWords(set: ConditionSet, wording: Wording = {}): string {
  const { share, members, isOpen } = partsOf(set, wording)
  if (share !== 100) return `${percent(share)} of ${members}`
  if (!isOpen) return members
  return members === PEOPLE ? 'everyone' : `every ${members.replace(/s$/, '')}`
}

/** Returns one text for sets about the same people with the same variant, whatever their shares are. */
const peopleOf = ({ properties, variant, aggregation_group_type_index: index }: ConditionSet): string =>
  canonical([properties ?? [], variant, index])

/**
 * Returns the condition sets that decide who gets the flag. Of sets about the same people, the largest share is the only one, because all
 * shares of a flag include people in the same order. If one gives the flag to everyone, it is the only one, except with
 * `early_exit`: a set whose conditions a person then matches ends the search, whomever its share includes.
 */
export function decidingSets(filters: FlagFilters): readonly ConditionSet[] {
  const all = setsOf(filters)
  const sets = all.filter(({ rollout_percentage: share }) => share !== 0)
  if (filters.early_exit && sets.length > 0) return all
  const everyone = sets.find((set) => setWords(set) === 'everyone')
  if (everyone) return [everyone]
  const byPeople = new Map<string, ConditionSet>()
  for (const set of sets) {
    const known = byPeople.get(peopleOf(set))
    if (!known || partsOf(set).share > partsOf(known).share) byPeople.set(peopleOf(set), set)
  }
  return [...byPeople.values()]
}

/** Says who gets a flag, in a few words: `Everyone`, `No one`, `50% of people whose plan is pro, and 1 more condition set`. */
export function releaseWords(filters: FlagFilters, wording: Wording): string {
  const [first, ...others] = decidingSets(filters)
  if (!first) return 'No one'
  const more =
    others.length === 0 ? '' : `, and ${others.length} more condition ${others.length === 1 ? 'set' : 'sets'}`
  return capitalized(setWords(first, wording)) + more + (filters.holdout ? ', without the holdout' : '')
}

export const isOfGroups = ({ aggregation_group_type_index: index }: ConditionSet): boolean =>
  typeof index === 'number'
