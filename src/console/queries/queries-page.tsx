// Shows the list of a project's saved queries.
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Database } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Endpoint } from '../api/client'
import { endpointsQuery } from '../api/saved-queries'
import { Select } from '../design/fields/field'
import { ListPage } from '../list/list-page'
import { DeleteQuery } from './delete-query'
import { queryColumns } from './query-columns'
import { filterOf } from './search'
import CreatorSelect from '../team/creator-select'
import { pagesOf } from '../shell/pages'
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
  const canWrite = useCanWrite()
  const [doomed, setDoomed] = useState<string | null>(null)
  return (
    <>
      <ListPage
        title="Saved queries"
        noun={['query', 'queries']}
        query={useInfiniteQuery(endpointsQuery(projectId, filterOf(search)))}
        columns={useMemo(() => queryColumns(projectId, canWrite ? setDoomed : null), [projectId, canWrite])}
        nameOf={nameOfQuery}
        search={search}
        searchesIn="name"
        filters={(set) => (
          <>
            <Select
              label="Status"
              value={search.is_active ?? ''}
              options={STATUS}
              onChange={(isActive) => set({ is_active: isActive })}
            />
            <CreatorSelect value={search.created_by ?? ''} onChange={(id) => set({ created_by: id })} />
          </>
        )}
        create={{
          link: pagesOf(projectId).newQuery,
          label: 'New query',
          firstLabel: 'Write the first query',
          // Viewers may run a new query without saving it.
          isForViewers: true,
        }}
        none={{
          icon: Database,
          title: 'Turn a question into an endpoint',
          text: 'A saved query is SQL or an insight about your events, with a name. Programs run it over HTTP, with variables, cached results and versions.',
        }}
        noMatch="Change the filters above, or create a query with this name."
      />
      {doomed !== null && <DeleteQuery projectId={projectId} name={doomed} onClose={() => setDoomed(null)} />}
    </>
  )
}

const nameOfQuery = ({ name }: Endpoint): string => name
