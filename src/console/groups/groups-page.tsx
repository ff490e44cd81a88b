// The groups of a project, such as companies, by type.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Building, SearchX } from 'lucide-react'
import { useMemo } from 'react'
import { groupListQuery, type GroupRow } from '../api/people'
import { groupTypesQuery } from '../api/queries'
import { type Column, DataTable } from '../design/data-table'
import { Empty, PageLoading, PageProblem } from '../design/feedback'
import { CodeBlock, Time } from '../design/small'
import '../people/people.css'
import { filterOf, parsePeopleSearch, type PeopleSearchChange } from '../people/search'
import { PeopleFilters } from '../people/people-filters'

const route = getRouteApi('/project/$projectId/groups/$typeIndex')

export function GroupsPage() {
  const { projectId, typeIndex } = route.useParams()
  const types = useQuery(groupTypesQuery(projectId))
  if (types.isPending) return <PageLoading label="Loading the group types" />
  if (!types.data) return <PageProblem error={types.error} onRetry={() => void types.refetch()} />
  return (
    <>
      <div className="page-header">
        <div className="titles">
          <h1>Groups</h1>
          <p className="soft">What people belong to, such as companies. Flags can be rolled out by group.</p>
        </div>
      </div>
      {types.data.length === 0 ? (
        <NoGroups />
      ) : (
        <>
          <nav className="tabs" aria-label="Group types">
            {types.data.map(({ group_type: type, group_type_index: index }) => (
              <Link
                key={index}
                className="tab"
                to="/project/$projectId/groups/$typeIndex"
                params={{ projectId, typeIndex: index }}
                search={{}}
              >
                {type}
              </Link>
            ))}
          </nav>
          <GroupList key={typeIndex} projectId={projectId} typeIndex={typeIndex} />
        </>
      )}
    </>
  )
}

const NoGroups = () => (
  <div className="card">
    <Empty icon={<Building size={28} aria-hidden />} title="Group people by company, team or project">
      An event that describes a group makes it, and its type. A project has up to five types.
    </Empty>
    <div className="body">
      <CodeBlock label="JavaScript" code="posthog.group('company', 'acme', { name: 'Acme', seats: 30 })" />
    </div>
  </div>
)

const groupColumns = (projectId: number, typeIndex: number): readonly Column<GroupRow>[] => [
  {
    heading: 'Group',
    place: 'main',
    cell: ({ id, name }) => (
      <>
        <Link
          className="row-link truncate"
          to="/project/$projectId/groups/$typeIndex/$groupKey"
          params={{ projectId, typeIndex, groupKey: id }}
          search={{}}
        >
          {name ?? id}
        </Link>
        {name !== undefined && name !== id && <div className="soft small mono truncate">{id}</div>}
      </>
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

function GroupList({ projectId, typeIndex }: { projectId: number; typeIndex: number }) {
  const search = route.useSearch()
  const navigate = useNavigate()
  const filter = filterOf(search)
  const query = useInfiniteQuery(groupListQuery(projectId, typeIndex, filter))
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.rows) ?? [], [query.data])
  const columns = useMemo(() => groupColumns(projectId, typeIndex), [projectId, typeIndex])
  const isFiltered = Object.keys(filter).length > 0
  const set = (change: PeopleSearchChange) =>
    void navigate({
      to: '/project/$projectId/groups/$typeIndex',
      params: { projectId, typeIndex },
      search: parsePeopleSearch({ ...search, ...change }),
      replace: true,
    })
  return (
    <>
      <PeopleFilters
        projectId={projectId}
        groupType={typeIndex}
        filter={filter}
        onChange={set}
        label="Search groups"
        placeholder="Search by key or name"
      />
      <DataTable
        query={query}
        rows={rows}
        columns={columns}
        nameOf={keyOf}
        empty={
          <Empty
            icon={<SearchX size={26} aria-hidden />}
            title={isFiltered ? 'No group matches' : 'No groups'}
          >
            {isFiltered ? 'Change the filters above.' : 'Events name groups of this type, and describe none.'}
          </Empty>
        }
      />
    </>
  )
}

const keyOf = ({ id }: GroupRow): string => id
