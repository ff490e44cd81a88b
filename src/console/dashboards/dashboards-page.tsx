// The list of a project's dashboards.
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { LayoutDashboard, Plus, SearchX, Trash2 } from 'lucide-react'
import { type FormEvent, useMemo, useState } from 'react'
import { dashboardListQuery, type DashboardSummary } from '../api/dashboards'
import { Problem } from '../api/problem'
import { Button, IconButton } from '../design/button'
import { type Column, DataTable, Meta, ListTitle } from '../design/data-table'
import { Dialog, DialogButtons } from '../design/popups/dialog'
import { Empty, ProblemNotice } from '../design/feedback'
import { Field, Input, Select } from '../design/fields/field'
import { SearchField } from '../design/fields/search-field'
import { Badge, Created, Key } from '../design/small'
import '../queries/queries.css'
import { createDashboard, deleteDashboard, refreshList } from './change-dashboards'
import { dashboardFilterOf, type DashboardsSearch, parseDashboardsSearch } from './search'
import { titleOf } from './title'
import { useCanWrite, Writers } from '../team/writers'

const route = getRouteApi('/project/$projectId/dashboard')

const ORIGINS = [
  ['', 'Made here'],
  ['flags', 'Usage of flags'],
  ['all', 'All'],
] as const

export function DashboardsPage() {
  const { projectId } = route.useParams()
  const search = route.useSearch()
  const navigate = useNavigate()
  const canWrite = useCanWrite()
  const query = useInfiniteQuery(dashboardListQuery(projectId, dashboardFilterOf(search)))
  const rows = useMemo(() => query.data?.pages.flatMap(({ results }) => results) ?? [], [query.data])
  const columns = useMemo(() => dashboardColumns(projectId, canWrite), [projectId, canWrite])
  const count = query.data?.pages[0]?.count ?? 0
  const isFiltered = Boolean(search.search ?? search.of)
  const set = (change: { [Name in keyof DashboardsSearch]?: string | undefined }) =>
    void navigate({
      to: '/project/$projectId/dashboard',
      params: { projectId },
      search: parseDashboardsSearch({ ...search, ...change }),
      replace: true,
    })
  return (
    <>
      <div className="page-header">
        <ListTitle title="Dashboards" noun="dashboard" query={query} isFiltered={Boolean(search.search)} />
        <Writers>
          <Button kind="primary" onClick={() => set({ form: 'new' })}>
            <Plus size={16} aria-hidden /> New dashboard
          </Button>
        </Writers>
      </div>
      <div className="row wrap" role="search">
        <SearchField
          value={search.search ?? ''}
          onChange={(text) => set({ search: text })}
          label="Search dashboards"
          placeholder="Search by name"
        />
        <Select
          label="Which dashboards"
          value={search.of ?? ''}
          options={ORIGINS}
          onChange={(of) => set({ of })}
        />
      </div>
      <DataTable
        query={query}
        rows={rows}
        count={count}
        columns={columns}
        nameOf={titleOf}
        empty={
          isFiltered ? (
            <Empty icon={<SearchX size={26} aria-hidden />} title="No dashboard matches">
              {search.of === 'flags'
                ? 'A flag has a dashboard of its usage once you open its tab “Usage”.'
                : 'Change the filters above, or create a dashboard.'}
            </Empty>
          ) : (
            <Empty
              icon={<LayoutDashboard size={28} aria-hidden />}
              title="See what matters in one place"
              action={
                <Writers>
                  <Button kind="primary" onClick={() => set({ form: 'new' })}>
                    Create the first dashboard <Key>C</Key>
                  </Button>
                </Writers>
              }
            >
              A dashboard shows the results of saved queries side by side, for one time range, and refreshes
              itself. Flags have dashboards of their usage: choose them above.
            </Empty>
          )
        }
      />
      {search.form === 'new' && canWrite && (
        <NewDashboard projectId={projectId} onClose={() => set({ form: undefined })} />
      )}
    </>
  )
}

function NewDashboard({ projectId, onClose }: { projectId: number; onClose(): void }) {
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [isTried, setIsTried] = useState(false)
  const create = useMutation({
    mutationFn: () => createDashboard(projectId, name.trim()),
    async onSuccess({ id }) {
      void refreshList(projectId)
      await navigate({
        to: '/project/$projectId/dashboard/$dashboardId',
        params: { projectId, dashboardId: id },
        search: {},
      })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsTried(true)
    if (name.trim() !== '') create.mutate()
  }
  const refusal = create.error instanceof Problem && create.error.attr === 'name' ? create.error : null
  return (
    <Dialog
      title="New dashboard"
      onClose={onClose}
      footer={
        <DialogButtons onCancel={onClose} form="new-dashboard" isBusy={create.isPending} action="Create" />
      }
    >
      <form id="new-dashboard" noValidate className="stack" onSubmit={submit}>
        <Field label="Name" error={isTried && name.trim() === '' ? 'A name is needed.' : refusal?.message}>
          {(control) => (
            <Input
              {...control}
              autoFocus
              value={name}
              maxLength={400}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        {create.isError && !refusal && <ProblemNotice error={create.error} />}
      </form>
    </Dialog>
  )
}

const dashboardColumns = (projectId: number, canWrite: boolean): readonly Column<DashboardSummary>[] => [
  {
    heading: 'Dashboard',
    place: 'main',
    cell: (dashboard) => (
      <>
        <div className="row">
          <Link
            className="query-name truncate"
            to="/project/$projectId/dashboard/$dashboardId"
            params={{ projectId, dashboardId: dashboard.id }}
            search={{}}
          >
            {titleOf(dashboard)}
          </Link>
          {dashboard.creation_mode === 'template' && <Badge>Usage of a flag</Badge>}
        </div>
        {dashboard.description && <div className="soft small truncate">{dashboard.description}</div>}
        <Meta>
          <span>
            Created <Created {...dashboard} />
          </span>
        </Meta>
      </>
    ),
  },
  {
    heading: 'Created',
    place: 'wide',
    width: '12rem',
    cell: (dashboard) => (
      <span className="soft small truncate">
        <Created {...dashboard} />
      </span>
    ),
  },
  ...(canWrite
    ? [
        {
          heading: 'Delete',
          place: 'side',
          width: '5rem',
          cell: (dashboard: DashboardSummary) => (
            <IconButton
              label={`Delete ${titleOf(dashboard)}`}
              isSmall
              onClick={() => void deleteDashboard(projectId, dashboard)}
            >
              <Trash2 size={15} aria-hidden />
            </IconButton>
          ),
        } as const,
      ]
    : []),
]
