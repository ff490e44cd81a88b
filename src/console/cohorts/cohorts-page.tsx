// The list of a project's cohorts.
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Plus, SearchX, UsersRound } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { type Cohort, cohortListQuery } from '../api/cohorts'
import { buttonClass, ClearButton } from '../design/button'
import { DataTable, ListTitle } from '../design/data-table'
import { Empty } from '../design/feedback'
import { Select } from '../design/fields/field'
import { SearchField } from '../design/fields/search-field'
import { Key } from '../design/small'
import '../queries/queries.css'
import { labelOf } from './change-cohorts'
import { cohortColumns } from './cohort-columns'
import { cohortFilterOf, type CohortSearch, parseCohortSearch } from './search'
import CreatorSelect from '../team/creator-select'
import { useCanWrite, Writers } from '../team/writers'

const KINDS = [
  ['', 'Any kind'],
  ['dynamic', 'By conditions'],
  ['static', 'Static'],
] as const

const route = getRouteApi('/project/$projectId/cohorts')

export function CohortsPage() {
  const { projectId } = route.useParams()
  const search = route.useSearch()
  const navigate = useNavigate()
  const canWrite = useCanWrite()
  const query = useInfiniteQuery(cohortListQuery(projectId, cohortFilterOf(search)))
  const rows = useMemo(() => query.data?.pages.flatMap(({ results }) => results) ?? [], [query.data])
  const columns = useMemo(() => cohortColumns(projectId, canWrite), [projectId, canWrite])
  const count = query.data?.pages[0]?.count ?? 0
  const isFiltered = Object.keys(search).length > 0
  const set = (change: { [Name in keyof CohortSearch]?: string | undefined }) =>
    void navigate({
      to: '/project/$projectId/cohorts',
      params: { projectId },
      search: parseCohortSearch({ ...search, ...change }),
      replace: true,
    })
  return (
    <>
      <div className="page-header">
        <ListTitle title="Cohorts" noun="cohort" query={query} isFiltered={isFiltered} />
        <NewCohort projectId={projectId}>
          <Plus size={16} aria-hidden /> New cohort
        </NewCohort>
      </div>
      {query.isSuccess && count === 0 && !isFiltered ? (
        <NoCohorts projectId={projectId} />
      ) : (
        <>
          <div className="row wrap" role="search">
            <SearchField
              value={search.search ?? ''}
              onChange={(text) => set({ search: text })}
              label="Search cohorts"
              placeholder="Search by name"
            />
            <Select
              label="Kind"
              value={search.type ?? ''}
              options={KINDS}
              onChange={(type) => set({ type })}
            />
            <CreatorSelect value={search.created_by ?? ''} onChange={(id) => set({ created_by: id })} />
            {isFiltered && (
              <ClearButton
                onClick={() => set({ search: undefined, type: undefined, created_by: undefined })}
              />
            )}
          </div>
          <DataTable
            query={query}
            rows={rows}
            count={count}
            columns={columns}
            nameOf={nameOfCohort}
            empty={
              <Empty icon={<SearchX size={26} aria-hidden />} title="No cohort matches">
                Change the filters above, or create a cohort with this name.
              </Empty>
            }
          />
        </>
      )}
    </>
  )
}

const nameOfCohort = (cohort: Cohort): string => labelOf(cohort)

const NewCohort = ({ projectId, children }: { projectId: number; children: ReactNode }) => (
  <Writers>
    <Link
      className={buttonClass({ kind: 'primary' })}
      to="/project/$projectId/cohorts/new"
      params={{ projectId }}
      search={{}}
    >
      {children}
    </Link>
  </Writers>
)

const NoCohorts = ({ projectId }: { projectId: number }) => (
  <div className="card">
    <Empty
      icon={<UsersRound size={28} aria-hidden />}
      title="Give a name to a set of people"
      action={
        <NewCohort projectId={projectId}>
          Create the first cohort <Key>C</Key>
        </NewCohort>
      }
    >
      A cohort is a set of people: those who meet conditions, or those on a list. Flags and saved queries use
      it, so that “beta testers” means the same everywhere.
    </Empty>
  </div>
)
