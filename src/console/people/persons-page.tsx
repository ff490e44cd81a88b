// Shows the list of a project's persons.
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { UsersRound } from 'lucide-react'
import { useMemo } from 'react'
import { peopleQuery, type PersonRow } from '../api/people'
import { buttonClass } from '../design/button'
import { type Column, RowTitle } from '../design/data-table'
import { timeColumn } from '../list/columns'
import { ListPage } from '../list/list-page'
import { ConditionFilter } from './condition-filter'
import { conditionsOf, whereOf } from './conditions'
import './people.css'
import { filterOf } from './search'
import { pagesOf } from '../shell/pages'
import { toPerson } from '../shell/item-pages'

const route = getRouteApi('/project/$projectId/persons')

const personColumns = (projectId: number): readonly Column<PersonRow>[] => [
  {
    heading: 'Person',
    place: 'main',
    cell: ({ id, name, distinctId }) => (
      <RowTitle detail={distinctId === name ? null : distinctId}>
        <Link className="row-link truncate" {...toPerson(projectId, id)}>
          {name}
        </Link>
      </RowTitle>
    ),
  },
  {
    heading: 'Properties',
    place: 'wide',
    cell: ({ summary }) => (
      <span className="soft small truncate" title={summary}>
        {summary}
      </span>
    ),
  },
  timeColumn('First seen', ({ createdAt }) => createdAt, { place: 'side' }),
]

export function PersonsPage() {
  const { projectId } = route.useParams()
  const search = route.useSearch()
  return (
    <ListPage
      title="People"
      note="Whom events and flags are about, newest first."
      noun={['person', 'people']}
      query={useInfiniteQuery(peopleQuery(projectId, filterOf(search)))}
      columns={useMemo(() => personColumns(projectId), [projectId])}
      nameOf={nameOfPerson}
      search={search}
      searchesIn="name, email or distinct id"
      filters={(set) => (
        <ConditionFilter
          projectId={projectId}
          kind="person"
          conditions={conditionsOf(search)}
          onChange={(conditions) => set({ where: whereOf(conditions) })}
        />
      )}
      none={{
        icon: UsersRound,
        title: 'Events make people',
        text: 'Each distinct id that an event names belongs to a person. Properties that you set with the event, such as an email address, can be used in the conditions of flags.',
        action: (
          <Link className={buttonClass({ kind: 'primary' })} {...pagesOf(projectId).start}>
            Send an event
          </Link>
        ),
      }}
      noMatch="Change the filters above. People who were seen in the last seconds may be missing."
    />
  )
}

const nameOfPerson = ({ name }: PersonRow): string => name
