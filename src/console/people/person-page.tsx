// Shows a person: properties, events, what flags they get, and their groups.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Building } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Card } from '../design/card'
import { GROUP_DAYS, type Person, personGroupsQuery, personQuery } from '../api/people'
import { groupTypesQuery } from '../api/queries'
import { Button } from '../design/button'
import { Empty, Loading, ProblemNotice } from '../design/feedback'
import { Select } from '../design/fields/field'
import { CopyButton, Time } from '../design/small'
import { EntityEvents } from '../events/entity-events'
import { DeletePerson } from './delete-person'
import { FlagValues } from './flag-values'
import './people.css'
import { PropertyList } from './property-list'
import { EntityPage, Loaded } from '../entity/entity-page'
import { pagesOf } from '../shell/pages'
import { toGroup } from '../shell/item-pages'

const route = getRouteApi('/project/$projectId/persons/$personId')

export function PersonPage() {
  const { projectId, personId } = route.useParams()
  return (
    <Loaded query={useQuery(personQuery(projectId, personId))} noun="person">
      {(person) => <Page key={person.uuid} projectId={projectId} person={person} />}
    </Loaded>
  )
}

function Page({ projectId, person }: { projectId: number; person: Person }) {
  const { tab, show } = route.useSearch()
  const navigate = useNavigate()
  const [isDeleting, setIsDeleting] = useState(false)
  const filter = useMemo(
    () => ({ person: { uuid: person.uuid, distinctIds: person.distinct_ids } }),
    [person.uuid],
  )
  const list = pagesOf(projectId).people
  return (
    <EntityPage
      noun="person"
      list={{ ...list, label: 'People' }}
      title={person.name}
      note={
        <>
          First seen <Time at={person.created_at} /> · <span className="mono">{person.uuid}</span>{' '}
          <CopyButton text={person.uuid} label="Copy the UUID" />
        </>
      }
      remove={{ label: 'Delete…', run: () => setIsDeleting(true) }}
      tab={tab}
      tabs={[
        [
          'properties',
          'Properties',
          () => (
            <div className="split">
              <PropertyList label="Properties" properties={person.properties} />
              <DistinctIds ids={person.distinct_ids} />
            </div>
          ),
        ],
        [
          'events',
          'Events',
          () => (
            <EntityEvents
              projectId={projectId}
              filter={filter}
              shown={show}
              hint="The events of this person were deleted, or have not arrived yet."
            />
          ),
        ],
        ['flags', 'Flags', () => <Flags projectId={projectId} person={person} />],
        ['groups', 'Groups', () => <Groups projectId={projectId} person={person} />],
      ]}
    >
      {isDeleting && (
        <DeletePerson
          projectId={projectId}
          person={person}
          onClose={() => setIsDeleting(false)}
          onDeleted={() => void navigate({ ...list, replace: true })}
        />
      )}
    </EntityPage>
  )
}

/** Distinct ids shown at first, and with each further click. */
const SHOWN_IDS = 20

function DistinctIds({ ids }: { ids: readonly string[] }) {
  const [shown, setShown] = useState(SHOWN_IDS)
  return (
    <Card title="Distinct ids" action={<span className="soft small">{ids.length.toLocaleString('en')}</span>}>
      <ul className="id-list">
        {ids.slice(0, shown).map((id) => (
          <li key={id} className="row spread">
            <span className="mono">{id}</span>
            <CopyButton text={id} label={`Copy ${id}`} />
          </li>
        ))}
      </ul>
      {ids.length > shown && (
        <Button isSmall onClick={() => setShown(shown + 10 * SHOWN_IDS)}>
          Show more of {ids.length.toLocaleString('en')}
        </Button>
      )}
    </Card>
  )
}

/** Choices of a select. */
const MAX_CHOICES = 100

function Flags({ projectId, person }: { projectId: number; person: Person }) {
  const [distinctId, setDistinctId] = useState(person.distinct_ids[0] ?? person.uuid)
  const groups = useQuery(personGroupsQuery(projectId, person.uuid))
  const types = useQuery(groupTypesQuery(projectId))
  const known = useMemo(() => {
    const latest: Record<string, string> = {}
    for (const { typeIndex, key } of groups.data ?? []) {
      const type = types.data?.find(({ group_type_index: index }) => index === typeIndex)?.group_type
      if (type !== undefined) latest[type] ??= key
    }
    return latest
  }, [groups.data, types.data])
  if (groups.isPending || types.isPending) return <Loading label="Loading the groups" />
  const names = Object.entries(known).map(([type, key]) => `${type} ${key}`)
  return (
    <div className="stack">
      {groups.isError && <ProblemNotice error={groups.error} onRetry={() => void groups.refetch()} />}
      <div className="row wrap spread">
        <p className="soft">
          What each flag answers now
          {names.length > 0 && <>, with the groups of the last events: {names.join(', ')}</>}.
        </p>
        {person.distinct_ids.length > 1 && (
          <Select
            label="Distinct id"
            value={distinctId}
            options={person.distinct_ids.slice(0, MAX_CHOICES).map((id) => [id, id] as const)}
            onChange={setDistinctId}
          />
        )}
      </div>
      <FlagValues projectId={projectId} distinctId={distinctId} groups={known} />
    </div>
  )
}

function Groups({ projectId, person }: { projectId: number; person: Person }) {
  const groups = useQuery(personGroupsQuery(projectId, person.uuid))
  const types = useQuery(groupTypesQuery(projectId))
  if (groups.isPending || types.isPending) return <Loading label="Loading the groups" />
  if (!groups.data) return <ProblemNotice error={groups.error} onRetry={() => void groups.refetch()} />
  if (groups.data.length === 0)
    return (
      <div className="card">
        <Empty icon={<Building size={26} aria-hidden />} title="No groups">
          Events name groups in the property $groups, such as the company of a person. Those of the last{' '}
          {GROUP_DAYS} days count.
        </Empty>
      </div>
    )
  return (
    <section className="card" aria-label="Groups">
      <div className="body">
        <dl className="properties">
          {groups.data.map(({ typeIndex, key, lastSeen }) => (
            <div key={`${typeIndex} ${key}`}>
              <dt>
                {types.data?.find(({ group_type_index: index }) => index === typeIndex)?.group_type ??
                  `Type ${typeIndex}`}
              </dt>
              <dd>
                <Link {...toGroup(projectId, typeIndex, key)}>{key}</Link>{' '}
                <span className="soft small">
                  last named <Time at={lastSeen} />
                </span>
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  )
}
