// The list of a project's persons.
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { SearchX, UsersRound } from 'lucide-react'
import { useMemo } from 'react'
import { peopleQuery, type PersonRow } from '../api/people'
import { buttonClass } from '../design/button'
import { type Column, DataTable, RowTitle } from '../design/data-table'
import { Empty } from '../design/feedback'
import { Time } from '../design/small'
import './people.css'
import { filterOf, parsePeopleSearch, type PeopleSearchChange } from './search'
import { PeopleFilters } from './people-filters'

const route = getRouteApi('/project/$projectId/persons')

const personColumns = (projectId: number): readonly Column<PersonRow>[] => [
  {
    heading: 'Person',
    place: 'main',
    cell: ({ id, name, distinctId }) => (
      <RowTitle detail={distinctId === name ? null : distinctId}>
        <Link
          className="row-link truncate"
          to="/project/$projectId/persons/$personId"
          params={{ projectId, personId: id }}
          search={{}}
        >
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
  {
    heading: 'First seen',
    place: 'side',
    width: '9rem',
    cell: ({ createdAt }) => (
      <span className="soft small">
        <Time at={createdAt} />
      </span>
    ),
  },
]

export function PersonsPage() {
  const { projectId } = route.useParams()
  const search = route.useSearch()
  const navigate = useNavigate()
  const filter = filterOf(search)
  const query = useInfiniteQuery(peopleQuery(projectId, filter))
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.rows) ?? [], [query.data])
  const columns = useMemo(() => personColumns(projectId), [projectId])
  const isFiltered = Object.keys(filter).length > 0
  const set = (change: PeopleSearchChange) =>
    void navigate({
      to: '/project/$projectId/persons',
      params: { projectId },
      search: parsePeopleSearch({ ...search, ...change }),
      replace: true,
    })
  return (
    <>
      <div className="page-header">
        <div className="titles">
          <h1>People</h1>
          <p className="soft">Whom events and flags are about, newest first.</p>
        </div>
      </div>
      {query.isSuccess && rows.length === 0 && !isFiltered ? (
        <div className="card">
          <Empty
            icon={<UsersRound size={28} aria-hidden />}
            title="Events make people"
            action={
              <Link
                className={buttonClass({ kind: 'primary' })}
                to="/project/$projectId/start"
                params={{ projectId }}
              >
                Send an event
              </Link>
            }
          >
            Each distinct id that an event names belongs to a person. Properties that you set with the event,
            such as an email address, can be used in the conditions of flags.
          </Empty>
        </div>
      ) : (
        <>
          <PeopleFilters
            projectId={projectId}
            filter={filter}
            onChange={set}
            label="Search people"
            placeholder="Search by name, email or distinct id"
          />
          <DataTable
            query={query}
            rows={rows}
            columns={columns}
            nameOf={nameOfPerson}
            empty={
              <Empty icon={<SearchX size={26} aria-hidden />} title="No matches">
                Change the filters above. People who were seen in the last seconds may be missing.
              </Empty>
            }
          />
        </>
      )}
    </>
  )
}

const nameOfPerson = ({ name }: PersonRow): string => name
