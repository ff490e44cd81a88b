// A group: properties, events, and what flags it gets.
import { PageHeader } from '../design/page-header'
import { setsOf } from '../grammar/conditions'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { client, dataOf, type Flag } from '../api/client'
import { type Group, groupQuery } from '../api/people'
import { groupTypesQuery, inProject } from '../api/queries'
import { Loading, PageLoading, PageProblem, ProblemNotice } from '../design/feedback'
import { usePageName } from '../design/page-title'
import { CopyButton, Time } from '../design/small'
import { Tabs } from '../design/tabs'
import { Crumb } from '../design/crumb'
import { EntityEvents } from '../events/entity-events'
import { FlagValues } from '../people/flag-values'
import '../people/people.css'
import { PropertyList } from '../people/property-list'
import type { GroupTab } from '../router'

const route = getRouteApi('/project/$projectId/groups/$typeIndex/$groupKey')

const TABS: readonly (readonly [GroupTab, string])[] = [
  ['properties', 'Properties'],
  ['events', 'Events'],
  ['flags', 'Flags'],
]

export function GroupPage() {
  const { projectId, typeIndex, groupKey } = route.useParams()
  const group = useQuery(groupQuery(projectId, typeIndex, groupKey))
  const types = useQuery(groupTypesQuery(projectId))
  if (group.isPending || types.isPending) return <PageLoading label="Loading the group" />
  if (!group.data || !types.data)
    return (
      <PageProblem
        error={group.error ?? types.error}
        onRetry={() => void Promise.all([group.refetch(), types.refetch()])}
      />
    )
  const type = types.data.find(({ group_type_index: index }) => index === typeIndex)?.group_type ?? ''
  return <Loaded key={groupKey} projectId={projectId} group={group.data} type={type} />
}

function Loaded({ projectId, group, type }: { projectId: number; group: Group; type: string }) {
  const { tab = 'properties', show } = route.useSearch()
  const { group_type_index: typeIndex, group_key: key, group_properties: properties } = group
  const filter = useMemo(() => ({ group: { typeIndex, key } }), [typeIndex, key])
  const name = typeof properties.name === 'string' && properties.name !== '' ? properties.name : key
  usePageName(name)
  return (
    <>
      <Crumb to="/project/$projectId/groups/$typeIndex" params={{ projectId, typeIndex }} search={{}}>
        Groups: {type}
      </Crumb>
      <PageHeader
        title={name}
        note={
          <>
            First seen <Time at={group.created_at} /> · <span className="mono">{key}</span>{' '}
            <CopyButton text={key} label="Copy the key" />
          </>
        }
      />
      <Tabs label="Parts of the group" current={tab} tabs={TABS} />
      {tab === 'properties' && <PropertyList label="Properties" properties={properties} />}
      {tab === 'events' && (
        <EntityEvents
          projectId={projectId}
          filter={filter}
          shown={show}
          hint="Events that name this group in the property $groups are listed here."
        />
      )}
      {tab === 'flags' && (
        <GroupFlags projectId={projectId} typeIndex={typeIndex} type={type} groupKey={key} />
      )}
    </>
  )
}

const PAGE = 1_000

/** Keys of the flags that have conditions on groups of a type. */
const groupFlagsQuery = (projectId: number, typeIndex: number) => ({
  queryKey: ['project', projectId, 'flags', 'of groups', typeIndex],
  async queryFn({ signal }: { signal: AbortSignal }): Promise<ReadonlySet<string>> {
    const keys = new Set<string>()
    for (let offset = 0; ;) {
      const { results, next } = await dataOf(
        client.GET('/api/projects/{project_id}/feature_flags/', {
          params: { path: inProject(projectId), query: { limit: PAGE, offset } },
          signal,
        }),
      )
      for (const flag of results) if (isOfGroups(flag, typeIndex)) keys.add(flag.key)
      offset += results.length
      if (next === null || results.length === 0) return keys
    }
  },
})

const isOfGroups = ({ filters }: Flag, typeIndex: number): boolean =>
  setsOf(filters).some(({ aggregation_group_type_index: index }) => index === typeIndex)

/** A placeholder: flags of groups do not need the person. */
const NOBODY = 'unknown'

interface GroupFlagsProps {
  projectId: number
  typeIndex: number
  type: string
  groupKey: string
}

function GroupFlags({ projectId, typeIndex, type, groupKey }: GroupFlagsProps) {
  const keys = useQuery(groupFlagsQuery(projectId, typeIndex))
  const groups = useMemo(() => ({ [type]: groupKey }), [type, groupKey])
  if (keys.isPending) return <Loading label="Loading the flags" />
  if (!keys.data) return <ProblemNotice error={keys.error} onRetry={() => void keys.refetch()} />
  return (
    <div className="stack">
      <p className="soft">What flags with conditions on groups of the type {type} answer now.</p>
      <FlagValues projectId={projectId} distinctId={NOBODY} groups={groups} keys={keys.data} />
    </div>
  )
}
