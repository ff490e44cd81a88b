// Shows a group: properties, events, and what flags it gets.
import { groupTypesOf } from '../grammar/sets'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type Group, groupQuery } from '../api/people'
import { eachFlag, flagsKey, groupTypesQuery } from '../api/queries'
import { Loading, ProblemNotice } from '../design/feedback'
import { EntityPage, Loaded } from '../entity/entity-page'
import { CopyButton, Time } from '../design/small'
import { EntityEvents } from '../events/entity-events'
import { FlagValues } from '../people/flag-values'
import '../people/people.css'
import { PropertyList } from '../people/property-list'

const route = getRouteApi('/project/$projectId/groups/$typeIndex/$groupKey')

export function GroupPage() {
  const { projectId, typeIndex, groupKey } = route.useParams()
  const group = useQuery(groupQuery(projectId, typeIndex, groupKey))
  const types = useQuery(groupTypesQuery(projectId))
  return (
    <Loaded query={types} noun="group">
      {(known) => (
        <Loaded query={group} noun="group">
          {(data) => (
            <Page
              key={groupKey}
              projectId={projectId}
              group={data}
              type={known.find(({ group_type_index: index }) => index === typeIndex)?.group_type ?? ''}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  )
}

function Page({ projectId, group, type }: { projectId: number; group: Group; type: string }) {
  const { tab, show } = route.useSearch()
  const { group_type_index: typeIndex, group_key: key, group_properties: properties } = group
  const filter = useMemo(() => ({ group: { typeIndex, key } }), [typeIndex, key])
  return (
    <EntityPage
      noun="group"
      list={{
        to: '/project/$projectId/groups/$typeIndex',
        params: { projectId, typeIndex },
        search: {},
        label: `Groups: ${type}`,
      }}
      title={typeof properties.name === 'string' && properties.name !== '' ? properties.name : key}
      note={
        <>
          First seen <Time at={group.created_at} /> · <span className="mono">{key}</span>{' '}
          <CopyButton text={key} label="Copy the key" />
        </>
      }
      tab={tab}
      tabs={[
        ['properties', 'Properties', () => <PropertyList label="Properties" properties={properties} />],
        [
          'events',
          'Events',
          () => (
            <EntityEvents
              projectId={projectId}
              filter={filter}
              shown={show}
              hint="Events that name this group in the property $groups are listed here."
            />
          ),
        ],
        [
          'flags',
          'Flags',
          () => <GroupFlags projectId={projectId} typeIndex={typeIndex} type={type} groupKey={key} />,
        ],
      ]}
    />
  )
}

/** Whether a flag that has conditions on groups of a type has others too, by its key. */
const groupFlagsQuery = (projectId: number, typeIndex: number) => ({
  queryKey: [...flagsKey(projectId), 'of groups', typeIndex],
  async queryFn({ signal }: { signal: AbortSignal }): Promise<ReadonlyMap<string, boolean>> {
    const isMixed = new Map<string, boolean>()
    for await (const { key, filters } of eachFlag(projectId, {}, signal)) {
      const indexes = groupTypesOf(filters)
      if (indexes.includes(typeIndex)) isMixed.set(key, indexes.length > 1)
    }
    return isMixed
  },
})

/** A placeholder: flags that have only conditions on groups do not need the person. */
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
