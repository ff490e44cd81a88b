// Shows a dashboard: charts and saved queries as tiles for one time range. It is read; what arranges it is there while it is edited.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { LayoutDashboard, Pencil, Plus, RotateCw } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type Dashboard, type DateRange, runKey } from '../api/dashboards'
import { dashboardQuery, queryClient } from '../api/queries'
import { Button, buttonClass } from '../design/button'
import { Empty, ProblemNotice } from '../design/feedback'
import { Select } from '../design/fields/field'
import { RangeField } from '../design/fields/range-field'
import type { TimeRange } from '../design/fields/time-range'
import { Badge, Time } from '../design/small'
import { doing } from '../edit/doing'
import '../flag/flag.css'
import type { RunTiming } from '../query/use-saved-run'
import { deleteDashboard, updateDashboard } from './change-dashboards'
import { AddQuery, EditDashboard } from './dashboard-dialogs'
import { DashboardVariables, useEntered } from './dashboard-variables'
import './dashboards.css'
import { type DashboardSearch, intervalMs, INTERVALS, parseDashboardSearch, RANGES } from './search'
import { TileGrid } from './tile-grid'
import { titleOf } from './title'
import { EntityPage, Loaded } from '../entity/entity-page'
import { Writers } from '../team/writers'
import { pagesOf } from '../shell/pages'
import { toDashboard } from '../shell/item-pages'

const route = getRouteApi('/project/$projectId/dashboard/$dashboardId')

export function DashboardPage() {
  const { projectId, dashboardId } = route.useParams()
  const { refresh } = route.useSearch()
  const query = useQuery({
    ...dashboardQuery(projectId, dashboardId),
    refetchInterval: intervalMs(refresh),
  })
  return (
    <Loaded query={query} noun="dashboard">
      {(dashboard) => (
        <>
          <Page
            key={dashboard.id}
            projectId={projectId}
            dashboard={dashboard}
            readAt={query.dataUpdatedAt}
            isReading={query.isFetching}
          />
          {query.isError && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
        </>
      )}
    </Loaded>
  )
}

interface PageProps {
  projectId: number
  dashboard: Dashboard
  /** Epoch milliseconds. */
  readAt: number
  isReading: boolean
}

function Page({ projectId, dashboard, readAt, isReading }: PageProps) {
  const search = route.useSearch()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'add' | 'rename' | null>(null)
  const [isEditing, setIsEditing] = useState(false)
  const { id, filters } = dashboard
  const title = titleOf(dashboard)
  const stored: TimeRange = { from: filters.date_from ?? 'own', to: filters.date_to }
  const { from, to } = search.range ? { from: search.range, to: search.to ?? null } : stored
  const range: DateRange = { date_from: from === 'own' ? null : from, date_to: to }
  const timing: RunTiming = useMemo(
    () => ({
      range: from === 'own' && to === null ? null : range,
      refetchInterval: intervalMs(search.refresh),
    }),
    [from, to, search.refresh],
  )
  const [entered, setEntered] = useEntered(search.variables, (variables) => set({ variables }))
  const set = (change: { [Name in keyof DashboardSearch]?: DashboardSearch[Name] | undefined }) =>
    void navigate({
      ...toDashboard(projectId, id),
      search: parseDashboardSearch({ ...search, ...change }),
      replace: true,
    })
  const refreshAll = () => {
    void queryClient.invalidateQueries({ queryKey: dashboardQuery(projectId, id).queryKey })
    void queryClient.invalidateQueries({ queryKey: runKey(projectId) })
    void queryClient.invalidateQueries({ queryKey: ['project', projectId, 'chart'] })
  }
  const keepRange = () =>
    doing({
      item: titleOf(dashboard),
      async change() {
        await updateDashboard(projectId, id, { filters: range })
        set({ range: undefined, to: undefined })
      },
      said: 'Everyone sees this time range now.',
    })
  const list = pagesOf(projectId).dashboards
  const remove = async () => {
    if (await deleteDashboard(projectId, dashboard)) await navigate(list)
  }
  return (
    <EntityPage
      noun="dashboard"
      list={{ ...list, label: 'Dashboards' }}
      title={title}
      marks={dashboard.creation_mode === 'template' && <Badge>Usage of a flag</Badge>}
      note={dashboard.description}
      actions={
        <>
          {isEditing && (
            <Button onClick={() => setOpen('add')}>
              <Plus size={15} aria-hidden /> Add a query
            </Button>
          )}
          {dashboard.tiles.length > 0 && (
            <Writers>
              <Button kind={isEditing ? 'primary' : undefined} onClick={() => setIsEditing(!isEditing)}>
                {isEditing ? 'Done' : 'Edit'}
              </Button>
            </Writers>
          )}
        </>
      }
      menu={[{ label: 'Rename…', icon: Pencil, onSelect: () => setOpen('rename') }]}
      remove={{ label: 'Delete', run: () => void remove() }}
    >
      <div className="row wrap">
        <RangeField
          label="Time range"
          value={{ from, to }}
          options={[['own', 'Range of each tile'], ...RANGES]}
          onChange={(next) =>
            set(
              next.from === stored.from && next.to === stored.to
                ? { range: undefined, to: undefined }
                : { range: next.from, to: next.to ?? undefined },
            )
          }
        />
        {search.range && (
          <Writers>
            <Button isSmall onClick={() => void keepRange()}>
              Keep for everyone
            </Button>
          </Writers>
        )}
        <Button isBusy={isReading} onClick={refreshAll}>
          {!isReading && <RotateCw size={14} aria-hidden />} Refresh
        </Button>
        <Select
          label="Automatic refresh"
          value={search.refresh ?? ''}
          options={INTERVALS}
          onChange={(refresh) => set({ refresh })}
        />
        <span className="soft small">
          Refreshed <Time at={new Date(readAt).toISOString()} />
        </span>
      </div>
      <DashboardVariables
        projectId={projectId}
        tiles={dashboard.tiles}
        entered={entered.now}
        onChange={setEntered}
      />
      {dashboard.tiles.length === 0 ? (
        <div className="card">
          <Empty
            icon={<LayoutDashboard size={28} aria-hidden />}
            title="Nothing is pinned yet"
            action={
              <div className="row wrap">
                <Writers>
                  <Button kind="primary" onClick={() => setOpen('add')}>
                    Add a saved query
                  </Button>
                </Writers>
                <Link className={buttonClass({})} {...pagesOf(projectId).newQuery}>
                  Write a query
                </Link>
              </div>
            }
          >
            Each tile shows the result of a saved query, as a plot where its columns allow that.
          </Empty>
        </div>
      ) : (
        <TileGrid
          projectId={projectId}
          dashboard={dashboard}
          timing={timing}
          isEditing={isEditing}
          values={entered.settled}
        />
      )}
      {open === 'add' && (
        <AddQuery projectId={projectId} dashboard={dashboard} onClose={() => setOpen(null)} />
      )}
      {open === 'rename' && (
        <EditDashboard projectId={projectId} dashboard={dashboard} onClose={() => setOpen(null)} />
      )}
    </EntityPage>
  )
}
