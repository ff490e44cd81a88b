// Shows how many people each condition set reaches, and all sets together.
import { useQueries, useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import type { ConditionSet, FlagFilters } from '../api/client'
import { groupTypesQuery, matchingQuery } from '../api/queries'
import { useSettled } from '../design/use-settled'
import { setsOf } from '../grammar/sets'
import { issueOf } from './draft'
import { countsOf, reachFrom } from './reach'

interface SetReachProps {
  projectId: number
  set: ConditionSet
  groupType: number | null
  /** The word for those who are counted, such as `people`. */
  subject: string
}

/** Shows how many known people would match, as the service counts them. */
export function SetReach({ projectId, set, groupType, subject }: SetReachProps) {
  const properties = useSettled(set.properties ?? [])
  const isComplete = properties.every((property) => issueOf(property) === null)
  const matching = useQuery({ ...matchingQuery(projectId, properties, groupType), enabled: isComplete })
  if (!isComplete)
    return <p className="reach-line soft small">Complete the conditions to see how many {subject} match.</p>
  if (matching.isError) return <p className="reach-line error-text">{matching.error.message}</p>
  if (!matching.data) return <p className="reach-line soft small">Counting…</p>
  const { affected, total } = matching.data
  const share = set.rollout_percentage ?? 100
  return (
    <p className="reach-line soft small" aria-live="polite">
      <Users size={14} aria-hidden />
      {total === 0 ? (
        <>No {subject} are known yet: they appear with their first event.</>
      ) : (
        <>
          {share === 100 ? 'Reaches' : 'Reaches about'}{' '}
          <strong>{Math.round((affected * share) / 100).toLocaleString('en')}</strong> of{' '}
          {total.toLocaleString('en')} known {subject}
        </>
      )}
    </p>
  )
}

/** Returns whom condition sets are about: people, or groups of a type. */
export function useSubjects(projectId: number) {
  const groupTypes = useQuery(groupTypesQuery(projectId)).data ?? []
  return {
    groupTypes,
    subjectOf(index: number | null): string {
      const type = groupTypes.find((each) => each.group_type_index === index)
      return index === null ? 'people' : type ? `${type.group_type} groups` : 'groups'
    },
  }
}

interface TotalProps {
  projectId: number
  filters: FlagFilters
}

/** Shows how many people the sets reach together, if they can be counted. */
export function TotalReach({ projectId, filters }: TotalProps) {
  const { subjectOf } = useSubjects(projectId)
  const sets = setsOf(useSettled(filters))
  const groupType = sets[0]?.aggregation_group_type_index ?? null
  const isComplete = sets.every(({ properties }) =>
    (properties ?? []).every((each) => issueOf(each) === null),
  )
  const isOfOneKind = sets.every(({ aggregation_group_type_index: index }) => index === groupType)
  const isPlain = !filters.holdout && !filters.feature_enrollment
  const counts = isOfOneKind && isPlain ? countsOf(sets, filters.early_exit === true) : null
  const matching = useQueries({
    queries: (isComplete ? (counts ?? []) : []).map(({ properties }) =>
      matchingQuery(projectId, properties, groupType),
    ),
    combine: (results) => results.map(({ data }) => data),
  })
  if (!isComplete) return null
  const known = matching.filter((each) => each !== undefined)
  if (counts === null || (counts.length > 0 && matching.length === 0))
    return (
      <p className="soft small">
        Each set is counted by itself, because they are many, of several kinds or have exceptions: one who
        matches several of them is counted in each.
      </p>
    )
  const total = known[0]?.total ?? 0
  if (known.length < counts.length || total === 0) return null
  const reach = reachFrom(
    counts,
    known.map(({ affected }) => affected),
    total,
  )
  return (
    <p className="reach-total" aria-live="polite">
      <Users size={15} aria-hidden /> All sets together reach about{' '}
      <strong>
        {reach.toLocaleString('en')} of {total.toLocaleString('en')}
      </strong>{' '}
      known {subjectOf(groupType)}. One who matches several of them is counted once.
    </p>
  )
}
