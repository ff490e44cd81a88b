// Shows the list of a project's dashboards.
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { getRouteApi, Link, linkOptions, useNavigate } from '@tanstack/react-router'
import { LayoutDashboard } from 'lucide-react'
import { useMemo, useState } from 'react'
import { fieldErrors } from '../api/field-errors'
import { dashboardListQuery, type DashboardSummary } from '../api/dashboards'
import { buttonClass } from '../design/button'
import { type Column, RowTitle } from '../design/data-table'
import { FormDialog } from '../design/popups/dialog'
import { Select, TextField } from '../design/fields/field'
import { Badge } from '../design/small'
import { createdColumn, CreatedMeta, deleteColumn } from '../list/columns'
import { ListPage } from '../list/list-page'
import { createDashboard, deleteDashboard, refreshList } from './change-dashboards'
import { dashboardFilterOf } from './search'
import { titleOf } from './title'
import { useCanWrite } from '../team/writers'
import { toDashboard } from '../shell/item-pages'

const route = getRouteApi('/project/$projectId/dashboard')

const ORIGINS = [
  ['', 'Made here'],
  ['flags', 'Usage of flags'],
  ['all', 'All'],
] as const

export function DashboardsPage() {
  const { projectId } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const canWrite = useCanWrite()
  return (
    <>
      <ListPage
        title="Dashboards"
        noun={['dashboard', 'dashboards']}
        query={useInfiniteQuery(dashboardListQuery(projectId, dashboardFilterOf(search)))}
        columns={useMemo(() => dashboardColumns(projectId, canWrite), [projectId, canWrite])}
        nameOf={titleOf}
        search={search}
        searchesIn="name"
        filters={(set) => (
          <Select
            label="Which dashboards"
            value={search.of ?? ''}
            options={ORIGINS}
            onChange={(of) => set({ of })}
          />
        )}
        create={{
          link: linkOptions({ to: '.', search: { ...search, form: 'new' } }),
          label: 'New dashboard',
          firstLabel: 'Create the first dashboard',
        }}
        none={{
          icon: LayoutDashboard,
          title: 'See what matters in one place',
          text: 'A dashboard shows the results of saved queries side by side, for one time range, and refreshes itself.',
          action: (
            <Link className={buttonClass({})} to="." search={{ of: 'flags' }}>
              Dashboards of flags
            </Link>
          ),
        }}
        noMatch={
          search.of === 'flags'
            ? 'A flag has a dashboard of its usage once you open its tab “Usage”.'
            : 'Change the filters above, or create a dashboard.'
        }
      />
      {search.form === 'new' && canWrite && (
        <NewDashboard
          projectId={projectId}
          onClose={() => void navigate({ search: ({ form: _form, ...rest }) => rest, replace: true })}
        />
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
      await navigate(toDashboard(projectId, id))
    },
  })
  const submit = () => {
    setIsTried(true)
    if (name.trim() !== '') create.mutate()
  }
  const { errorOf, otherError } = fieldErrors(create.error, ['name'])
  return (
    <FormDialog
      title="New dashboard"
      onClose={onClose}
      isBusy={create.isPending}
      action="Create"
      error={otherError}
      onSubmit={submit}
    >
      <TextField
        label="Name"
        error={isTried && name.trim() === '' ? 'A name is needed.' : errorOf('name')}
        autoFocus
        value={name}
        maxLength={400}
        onChange={setName}
      />
    </FormDialog>
  )
}

const dashboardColumns = (projectId: number, canWrite: boolean): readonly Column<DashboardSummary>[] => [
  {
    heading: 'Dashboard',
    place: 'main',
    cell: (dashboard) => (
      <>
        <RowTitle detail={dashboard.description}>
          <Link className="row-link truncate" {...toDashboard(projectId, dashboard.id)}>
            {titleOf(dashboard)}
          </Link>
          {dashboard.creation_mode === 'template' && <Badge>Usage of a flag</Badge>}
        </RowTitle>
        <CreatedMeta {...dashboard} />
      </>
    ),
  },
  createdColumn,
  ...(canWrite
    ? [deleteColumn(titleOf, (dashboard: DashboardSummary) => void deleteDashboard(projectId, dashboard))]
    : []),
]
