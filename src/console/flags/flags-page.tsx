// The list of a project's flags.
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Flag as FlagIcon, Plus, SearchX } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { Flag } from '../api/client'
import { flagsQuery } from '../api/queries'
import { Button, buttonClass } from '../design/button'
import { DataTable, ListTitle } from '../design/data-table'
import { Empty } from '../design/feedback'
import { Key } from '../design/small'
import { FilterBar } from './filter-bar'
import { flagColumns } from './flag-columns'
import './flags.css'
import { filterCount, type FlagSearch } from './search'
import { useCanWrite, Writers } from '../team/writers'

/** Loaded when a flag is selected. */
const BulkBar = lazy(() => import('./bulk-bar'))

const route = getRouteApi('/project/$projectId/feature_flags')

export function FlagsPage() {
  const { projectId } = route.useParams()
  const search = route.useSearch()
  const navigate = useNavigate()
  const canWrite = useCanWrite()
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const query = useInfiniteQuery(flagsQuery(projectId, search))
  const flags = useMemo(() => query.data?.pages.flatMap(({ results }) => results) ?? [], [query.data])
  const columns = useMemo(() => flagColumns(projectId), [projectId])
  const count = query.data?.pages[0]?.count ?? 0

  const setSearch = (next: FlagSearch) => {
    if (selected.size > 0) setSelected(new Set())
    void navigate({
      to: '/project/$projectId/feature_flags',
      params: { projectId },
      search: next,
      replace: true,
    })
  }
  const isUnused = query.isSuccess && count === 0 && filterCount(search) === 0

  return (
    <>
      <div className="page-header">
        <ListTitle title="Feature flags" noun="flag" query={query} isFiltered={filterCount(search) > 0} />
        <Writers>
          <Link
            className={buttonClass({ kind: 'primary' })}
            to="/project/$projectId/feature_flags/new"
            params={{ projectId }}
            search={{}}
          >
            <Plus size={16} aria-hidden /> New flag
          </Link>
        </Writers>
      </div>
      {isUnused ? (
        <NoFlags projectId={projectId} />
      ) : (
        <>
          <FilterBar search={search} onChange={setSearch} />
          <DataTable
            query={query}
            rows={flags}
            count={count}
            columns={columns}
            nameOf={keyOf}
            order={search.order}
            onOrder={(order) => setSearch({ ...search, order })}
            selected={selected}
            {...(canWrite && { onSelect: setSelected })}
            empty={
              <Empty
                icon={<SearchX size={26} aria-hidden />}
                title="No flag matches"
                action={<Button onClick={() => setSearch({})}>Remove all filters</Button>}
              >
                {search.archived === 'true'
                  ? 'Nothing is archived with these filters.'
                  : 'Archived flags are not shown unless you ask for them.'}
              </Empty>
            }
          />
        </>
      )}
      {selected.size > 0 && (
        <Suspense>
          <BulkBar
            projectId={projectId}
            search={search}
            count={count}
            flags={flags.filter((flag: Flag) => selected.has(flag.id))}
            selected={selected}
            onSelect={setSelected}
          />
        </Suspense>
      )}
    </>
  )
}

const keyOf = ({ key }: Flag): string => key

const NoFlags = ({ projectId }: { projectId: number }) => (
  <div className="card">
    <Empty
      icon={<FlagIcon size={28} aria-hidden />}
      title="Release to a few, then to everyone"
      action={
        <div className="row wrap">
          <Writers>
            <Link
              className={buttonClass({ kind: 'primary' })}
              to="/project/$projectId/feature_flags/new"
              params={{ projectId }}
              search={{}}
            >
              Create the first flag <Key>C</Key>
            </Link>
          </Writers>
          <Link className={buttonClass({})} to="/project/$projectId/start" params={{ projectId }}>
            Connect an application
          </Link>
        </div>
      }
    >
      A feature flag turns a part of your product on or off for the people you choose, without a deployment.
    </Empty>
  </div>
)
