// The list of a project's saved queries.
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Database, Plus, SearchX } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import type { Endpoint } from '../api/client'
import { endpointsQuery } from '../api/saved-queries'
import { buttonClass, ClearButton } from '../design/button'
import { DataTable, ListTitle } from '../design/data-table'
import { Empty } from '../design/feedback'
import { Select } from '../design/fields/field'
import { SearchField } from '../design/fields/search-field'
import { Key } from '../design/small'
import { DeleteQuery } from './delete-query'
import './queries.css'
import { queryColumns } from './query-columns'
import { filterOf, parseQuerySearch, type QuerySearch } from './search'
import CreatorSelect from '../team/creator-select'
import { useCanWrite } from '../team/writers'

const STATUS = [
  ['', 'Active or not'],
  ['true', 'Active'],
  ['false', 'Inactive'],
] as const

const route = getRouteApi('/project/$projectId/endpoints')

export function QueriesPage() {
  const { projectId } = route.useParams()
  const search = route.useSearch()
  const navigate = useNavigate()
  const canWrite = useCanWrite()
  const [doomed, setDoomed] = useState<string | null>(null)
  const query = useInfiniteQuery(endpointsQuery(projectId, filterOf(search)))
  const rows = useMemo(() => query.data?.pages.flatMap(({ results }) => results) ?? [], [query.data])
  const columns = useMemo(() => queryColumns(projectId, canWrite ? setDoomed : null), [projectId, canWrite])
  const count = query.data?.pages[0]?.count ?? 0
  const isFiltered = Object.keys(search).length > 0
  const set = (change: { [Name in keyof QuerySearch]?: string | undefined }) =>
    void navigate({
      to: '/project/$projectId/endpoints',
      params: { projectId },
      search: parseQuerySearch({ ...search, ...change }),
      replace: true,
    })
  return (
    <>
      <div className="page-header">
        <ListTitle
          title="Saved queries"
          noun="query"
          plural="queries"
          query={query}
          isFiltered={isFiltered}
        />
        <NewQuery projectId={projectId}>
          <Plus size={16} aria-hidden /> New query
        </NewQuery>
      </div>
      {query.isSuccess && count === 0 && !isFiltered ? (
        <NoQueries projectId={projectId} />
      ) : (
        <>
          <div className="row wrap" role="search">
            <SearchField
              value={search.search ?? ''}
              onChange={(text) => set({ search: text })}
              label="Search saved queries"
              placeholder="Search by name"
            />
            <Select
              label="Status"
              value={search.is_active ?? ''}
              options={STATUS}
              onChange={(isActive) => set({ is_active: isActive })}
            />
            <CreatorSelect value={search.created_by ?? ''} onChange={(id) => set({ created_by: id })} />
            {isFiltered && (
              <ClearButton
                onClick={() => set({ search: undefined, is_active: undefined, created_by: undefined })}
              />
            )}
          </div>
          <DataTable
            query={query}
            rows={rows}
            count={count}
            columns={columns}
            nameOf={nameOfQuery}
            empty={
              <Empty icon={<SearchX size={26} aria-hidden />} title="No query matches">
                Change the filters above, or create a query with this name.
              </Empty>
            }
          />
        </>
      )}
      {doomed !== null && <DeleteQuery projectId={projectId} name={doomed} onClose={() => setDoomed(null)} />}
    </>
  )
}

const nameOfQuery = ({ name }: Endpoint): string => name

const NewQuery = ({ projectId, children }: { projectId: number; children: ReactNode }) => (
  <Link
    className={buttonClass({ kind: 'primary' })}
    to="/project/$projectId/endpoints/new"
    params={{ projectId }}
    search={{}}
  >
    {children}
  </Link>
)

const NoQueries = ({ projectId }: { projectId: number }) => (
  <div className="card">
    <Empty
      icon={<Database size={28} aria-hidden />}
      title="Turn a question into an endpoint"
      action={
        <NewQuery projectId={projectId}>
          Write the first query <Key>C</Key>
        </NewQuery>
      }
    >
      A saved query is SQL or an insight about your events, with a name. Programs run it over HTTP, with
      variables, cached results and versions.
    </Empty>
  </div>
)
