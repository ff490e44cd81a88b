// Shows the groups of a project, such as companies, by type.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Building } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { groupListQuery, type GroupRow } from '../api/people'
import { groupTypesQuery } from '../api/queries'
import { type Column, RowTitle } from '../design/data-table'
import { Empty, PageLoading, PageProblem } from '../design/feedback'
import { PageHeader } from '../design/page-header'
import { CodeBlock } from '../design/small'
import { timeColumn } from '../list/columns'
import { ListPage } from '../list/list-page'
import { ConditionFilter } from '../people/condition-filter'
import { conditionsOf, whereOf } from '../people/conditions'
import '../people/people.css'
import { filterOf } from '../people/search'
import { toGroup } from '../shell/item-pages'

const route = getRouteApi('/project/$projectId/groups/$typeIndex')

const HEADER = {
  title: 'Groups',
  note: 'What people belong to, such as companies. Flags can be rolled out by group.',
}

export function GroupsPage() {
  const { projectId, typeIndex } = route.useParams()
  const types = useQuery(groupTypesQuery(projectId))
  if (types.isPending) return <PageLoading label="Loading the group types" />
  if (!types.data) return <PageProblem error={types.error} onRetry={() => void types.refetch()} />
  if (types.data.length === 0)
    return (
      <>
        <PageHeader {...HEADER} />
        <NoTypes />
      </>
    )
  return (
    <GroupList
      key={typeIndex}
      projectId={projectId}
      typeIndex={typeIndex}
      tabs={
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
      }
    />
  )
}

const NoTypes = () => (
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
    cell: ({ id, name = id }) => (
      <RowTitle detail={name === id ? null : id}>
        <Link className="row-link truncate" {...toGroup(projectId, typeIndex, id)}>
          {name}
        </Link>
      </RowTitle>
    ),
  },
  timeColumn('First seen', ({ createdAt }) => createdAt, { place: 'side' }),
]

interface GroupListProps {
  projectId: number
  typeIndex: number
  tabs: ReactNode
}

function GroupList({ projectId, typeIndex, tabs }: GroupListProps) {
  const search = route.useSearch()
  return (
    <ListPage
      {...HEADER}
      noun={['group', 'groups']}
      tabs={tabs}
      query={useInfiniteQuery(groupListQuery(projectId, typeIndex, filterOf(search)))}
      columns={useMemo(() => groupColumns(projectId, typeIndex), [projectId, typeIndex])}
      nameOf={keyOf}
      search={search}
      searchesIn="key or name"
      filters={(set) => (
        <ConditionFilter
          projectId={projectId}
          kind="group"
          groupType={typeIndex}
          conditions={conditionsOf(search)}
          onChange={(conditions) => set({ where: whereOf(conditions) })}
        />
      )}
      none={{
        icon: Building,
        title: 'No groups',
        text: 'Events name groups of this type, and describe none.',
      }}
      noMatch="Change the filters above."
    />
  )
}

const keyOf = ({ id }: GroupRow): string => id
