// Shows the list of a project's cohorts.
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { UsersRound } from 'lucide-react'
import { useMemo } from 'react'
import { cohortListQuery } from '../api/cohorts'
import { Select } from '../design/fields/field'
import { ListPage } from '../list/list-page'
import { labelOf } from './change-cohorts'
import { cohortColumns } from './cohort-columns'
import { cohortFilterOf } from './search'
import CreatorSelect from '../team/creator-select'
import { pagesOf } from '../shell/pages'
import { useCanWrite } from '../team/writers'

const KINDS = [
  ['', 'Any kind'],
  ['dynamic', 'By conditions'],
  ['static', 'Static'],
] as const

const route = getRouteApi('/project/$projectId/cohorts')

export function CohortsPage() {
  const { projectId } = route.useParams()
  const search = route.useSearch()
  const canWrite = useCanWrite()
  return (
    <ListPage
      title="Cohorts"
      noun={['cohort', 'cohorts']}
      query={useInfiniteQuery(cohortListQuery(projectId, cohortFilterOf(search)))}
      columns={useMemo(() => cohortColumns(projectId, canWrite), [projectId, canWrite])}
      nameOf={labelOf}
      search={search}
      searchesIn="name"
      filters={(set) => (
        <>
          <Select label="Kind" value={search.type ?? ''} options={KINDS} onChange={(type) => set({ type })} />
          <CreatorSelect value={search.created_by ?? ''} onChange={(id) => set({ created_by: id })} />
        </>
      )}
      create={{
        link: pagesOf(projectId).newCohort,
        label: 'New cohort',
        firstLabel: 'Create the first cohort',
      }}
      none={{
        icon: UsersRound,
        title: 'Give a name to a set of people',
        text: 'A cohort is a set of people: those who meet conditions, or those on a list. Flags and saved queries use it, so that “beta testers” means the same everywhere.',
      }}
      noMatch="Change the filters above, or create a cohort with this name."
    />
  )
}
