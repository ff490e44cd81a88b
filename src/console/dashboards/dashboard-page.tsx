// A dashboard: charts and saved queries as tiles that people arrange, for one time range.
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ChevronLeft, Ellipsis, LayoutDashboard, Pencil, Plus, RotateCw, Trash2 } from 'lucide-react'
import { type FormEvent, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { type Dashboard, type DateRange, runKey, type Tile } from '../api/dashboards'
import { Problem } from '../api/problem'
import { dashboardQuery, queryClient } from '../api/queries'
import { endpointsQuery } from '../api/saved-queries'
import { Button, buttonClass, IconButton } from '../design/button'
import { Suggest } from '../design/combobox'
import { Dialog } from '../design/dialog'
import { Empty, PageLoading, PageProblem, ProblemNotice } from '../design/feedback'
import { Field, Input, Select, TextArea } from '../design/field'
import { Menu } from '../design/menu'
import { usePageName } from '../design/page-title'
import { Badge, Time } from '../design/small'
import { say, sayProblem } from '../design/toast'
import '../flag/flag.css'
import { arrange, deleteDashboard, refreshList, removeTile, updateDashboard } from './change-dashboards'
import './dashboards.css'
import { changedTiles, moved, placesOf, resized, type Size, sizesOf } from './layout'
import { type DashboardSearch, INTERVALS, intervalMs, parseDashboardSearch, RANGES } from './search'
import { ChartTile, EndpointTile, type TileTiming } from './tile-content'
import { TileFrame } from './tile-frame'
import { titleOf } from './title'

const route = getRouteApi('/project/$projectId/dashboard/$dashboardId')

export function DashboardPage() {
  const { projectId, dashboardId } = route.useParams()
  const { refresh } = route.useSearch()
  const query = useQuery({
    ...dashboardQuery(projectId, dashboardId),
    refetchInterval: intervalMs(refresh),
  })
  if (query.isPending) return <PageLoading label="Loading the dashboard" />
  if (!query.data) return <PageProblem error={query.error} onRetry={() => void query.refetch()} />
  return (
    <>
      <Loaded
        projectId={projectId}
        dashboard={query.data}
        readAt={query.dataUpdatedAt}
        isReading={query.isFetching}
      />
      {query.isError && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
    </>
  )
}

interface LoadedProps {
  projectId: number
  dashboard: Dashboard
  /** Epoch milliseconds. */
  readAt: number
  isReading: boolean
}

function Loaded({ projectId, dashboard, readAt, isReading }: LoadedProps) {
  const search = route.useSearch()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'add' | 'edit' | null>(null)
  const { id, filters } = dashboard
  const title = titleOf(dashboard)
  usePageName(title)
  const chosen = search.range ?? filters.date_from ?? 'own'
  const range: DateRange | null = chosen === 'own' ? null : { date_from: chosen, date_to: null }
  const timing: TileTiming = useMemo(
    () => ({ range, refetchInterval: intervalMs(search.refresh) }),
    [chosen, search.refresh],
  )
  const set = (change: { [Name in keyof DashboardSearch]?: string | undefined }) =>
    void navigate({
      to: '/project/$projectId/dashboard/$dashboardId',
      params: { projectId, dashboardId: id },
      search: parseDashboardSearch({ ...search, ...change }),
      replace: true,
    })
  const refreshAll = () => {
    void queryClient.invalidateQueries({ queryKey: dashboardQuery(projectId, id).queryKey })
    void queryClient.invalidateQueries({ queryKey: runKey(projectId) })
    void queryClient.invalidateQueries({ queryKey: ['project', projectId, 'chart'] })
  }
  const keepRange = async () => {
    try {
      await updateDashboard(projectId, id, {
        filters: { date_from: chosen === 'own' ? null : chosen, date_to: null },
      })
      set({ range: undefined })
      say('Everyone sees this time range now.')
    } catch (error) {
      sayProblem(error)
    }
  }
  const remove = async () => {
    if (!(await deleteDashboard(projectId, dashboard))) return
    await navigate({ to: '/project/$projectId/dashboard', params: { projectId }, search: {} })
  }
  return (
    <>
      <Link className="crumb row small" to="/project/$projectId/dashboard" params={{ projectId }} search={{}}>
        <ChevronLeft size={14} aria-hidden /> Dashboards
      </Link>
      <div className="page-header">
        <div className="titles">
          <div className="row wrap">
            <h1>{title}</h1>
            {dashboard.creation_mode === 'template' && <Badge>Usage of a flag</Badge>}
          </div>
          {dashboard.description && <p className="soft">{dashboard.description}</p>}
          <p className="soft small">
            Read <Time at={new Date(readAt).toISOString()} />
          </p>
        </div>
        <div className="row">
          <Button onClick={() => setOpen('add')}>
            <Plus size={15} aria-hidden /> Add a query
          </Button>
          <Menu
            trigger={
              <IconButton label="More actions" kind="default">
                <Ellipsis size={17} aria-hidden />
              </IconButton>
            }
            groups={[
              {
                items: [
                  {
                    label: 'Rename…',
                    icon: <Pencil size={15} aria-hidden />,
                    onSelect: () => setOpen('edit'),
                  },
                ],
              },
              {
                items: [
                  {
                    label: 'Delete',
                    icon: <Trash2 size={15} aria-hidden />,
                    isDanger: true,
                    onSelect: () => void remove(),
                  },
                ],
              },
            ]}
          />
        </div>
      </div>
      <div className="row wrap">
        <Select
          label="Time range"
          value={chosen}
          options={[
            ['own', 'Range of each tile'],
            ...RANGES,
            ...(chosen === 'own' || RANGES.some(([value]) => value === chosen)
              ? []
              : [[chosen, `From ${chosen}`] as const]),
          ]}
          onChange={(value) => set({ range: value === (filters.date_from ?? 'own') ? undefined : value })}
        />
        {search.range && (
          <Button isSmall onClick={() => void keepRange()}>
            Keep for everyone
          </Button>
        )}
        <Select
          label="Automatic refresh"
          value={search.refresh ?? ''}
          options={INTERVALS}
          onChange={(refresh) => set({ refresh })}
        />
        <Button isBusy={isReading} onClick={refreshAll}>
          {!isReading && <RotateCw size={14} aria-hidden />} Refresh
        </Button>
      </div>
      {dashboard.tiles.length === 0 ? (
        <div className="card">
          <Empty
            icon={<LayoutDashboard size={28} aria-hidden />}
            title="Nothing is pinned yet"
            action={
              <div className="row wrap">
                <Button kind="primary" onClick={() => setOpen('add')}>
                  Add a saved query
                </Button>
                <Link
                  className={buttonClass({})}
                  to="/project/$projectId/endpoints/new"
                  params={{ projectId }}
                  search={{}}
                >
                  Write a query
                </Link>
              </div>
            }
          >
            Each tile shows the result of a saved query, as a plot where its columns allow that. Tiles are
            moved by their handle, and resized at their corner.
          </Empty>
        </div>
      ) : (
        <Tiles projectId={projectId} dashboard={dashboard} timing={timing} />
      )}
      {open === 'add' && (
        <AddQuery projectId={projectId} dashboard={dashboard} onClose={() => setOpen(null)} />
      )}
      {open === 'edit' && <Edit projectId={projectId} dashboard={dashboard} onClose={() => setOpen(null)} />}
    </>
  )
}

interface TilesProps {
  projectId: number
  dashboard: Dashboard
  timing: TileTiming
}

function Tiles({ projectId, dashboard, timing }: TilesProps) {
  const { tiles } = dashboard
  const stored = useMemo(() => sizesOf(tiles), [tiles])
  // While a pointer holds a tile.
  const [preview, setPreview] = useState<{ id: number; sizes: Size[] } | null>(null)
  const [said, setSaid] = useState('')
  useEffect(() => setPreview(null), [stored])
  const sizes = preview?.sizes ?? stored
  const places = placesOf(sizes)
  const nameOf = (tile: Tile): string => tile.endpoint ?? tile.insight?.name ?? `Tile ${tile.id}`
  // An element that moves loses the focus.
  const [focused, setFocused] = useState<number | null>(null)
  useEffect(() => {
    if (focused === null) return
    document.querySelector<HTMLElement>(`[data-tile="${focused}"] .tile-handle`)?.focus()
    setFocused(null)
  }, [focused, stored])
  /** Keys may come faster than pages are drawn. */
  const current = () =>
    queryClient.getQueryData(dashboardQuery(projectId, dashboard.id).queryKey) ?? dashboard
  const save = (next: Size[], words: string) => {
    const now = current()
    setSaid(words)
    setPreview(null)
    void arrange(projectId, now, changedTiles(now.tiles, next))
  }
  return (
    <>
      <p id="tile-keys" className="visually-hidden">
        Arrow keys move the tile, with Shift they resize it.
      </p>
      <p className="visually-hidden" aria-live="polite">
        {said}
      </p>
      <div className="tiles">
        {/* Elements keep their order while a pointer holds one: moving its element would release it. */}
        {stored.map(({ id }) => {
          const position = sizes.findIndex((each) => each.id === id)
          const tile = tiles.find((each) => each.id === id)
          const place = places.get(id)
          if (!tile || !place) return null
          const name = nameOf(tile)
          const moveTo = (to: number) => {
            if (to < 0 || to >= sizes.length) return
            setFocused(id)
            save(moved(sizesOf(current().tiles), id, to), `${name} is tile ${to + 1} of ${sizes.length}.`)
          }
          const resizeBy = (columns: number, rows: number) => {
            const now = sizesOf(current().tiles)
            const { w, h } = now.find((each) => each.id === id) ?? place
            const next = resized(now, id, w + columns, h + rows)
            const size = next.find((each) => each.id === id)!
            save(next, `${name} is ${size.w} columns wide and ${size.h} rows high.`)
          }
          return (
            <TileFrame
              key={id}
              id={id}
              name={name}
              title={
                tile.endpoint === null ? (
                  name
                ) : (
                  <Link
                    to="/project/$projectId/endpoints/$name"
                    params={{ projectId, name: tile.endpoint }}
                    search={{}}
                  >
                    {name}
                  </Link>
                )
              }
              place={place}
              position={position}
              count={sizes.length}
              isMoving={preview?.id === id}
              actions={
                tile.endpoint === null
                  ? []
                  : [
                      {
                        label: 'Remove',
                        icon: <Trash2 size={15} aria-hidden />,
                        isDanger: true,
                        onSelect: () => void removeTile(projectId, dashboard, tile),
                      },
                    ]
              }
              onMove={moveTo}
              onMoveOver={(over) =>
                setPreview({
                  id,
                  sizes: moved(
                    sizes,
                    id,
                    sizes.findIndex((each) => each.id === over),
                  ),
                })
              }
              onResizeBy={resizeBy}
              onPreview={(w, h) => setPreview({ id, sizes: resized(sizes, id, w, h) })}
              onEnd={(isKept) =>
                isKept && preview ? save(preview.sizes, `${name} is arranged.`) : setPreview(null)
              }
            >
              {tile.insight ? (
                <ChartTile projectId={projectId} insight={tile.insight} timing={timing} />
              ) : (
                <EndpointTile projectId={projectId} name={tile.endpoint ?? ''} timing={timing} />
              )}
            </TileFrame>
          )
        })}
      </div>
    </>
  )
}

interface DialogProps {
  projectId: number
  dashboard: Dashboard
  onClose(): void
}

function AddQuery({ projectId, dashboard, onClose }: DialogProps) {
  const [name, setName] = useState('')
  const search = useDeferredValue(name.trim())
  const queries = useInfiniteQuery({
    ...endpointsQuery(projectId, search ? { search } : {}),
    select: ({ pages }) => pages[0]?.results.slice(0, 20) ?? [],
  })
  const add = useMutation({
    mutationFn: () => updateDashboard(projectId, dashboard.id, { tiles: [{ endpoint: name.trim() }] }),
    onSuccess() {
      say(`${name.trim()} added.`)
      onClose()
    },
  })
  const refusal = add.error instanceof Problem && add.error.attr?.startsWith('tiles') ? add.error : null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') add.mutate()
  }
  return (
    <Dialog
      title="Add a query"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            form="add-query"
            disabled={name.trim() === ''}
            isBusy={add.isPending}
          >
            Add
          </Button>
        </>
      }
    >
      <form id="add-query" noValidate className="stack" onSubmit={submit}>
        <div className="field">
          <span className="label">Saved query</span>
          <Suggest
            label="Saved query"
            value={name}
            onChange={setName}
            placeholder="Search by name"
            isInvalid={refusal !== null}
            suggestions={(queries.data ?? []).map((each) => ({
              value: each.name,
              detail: each.description,
            }))}
          />
          {refusal && (
            <p className="error" role="alert">
              {refusal.message}
            </p>
          )}
          {queries.data?.length === 0 && search === '' && (
            <p className="hint">There is no saved query yet: write one under “Saved queries”.</p>
          )}
        </div>
        {add.isError && !refusal && <ProblemNotice error={add.error} />}
      </form>
    </Dialog>
  )
}

function Edit({ projectId, dashboard, onClose }: DialogProps) {
  const [name, setName] = useState(dashboard.name)
  const [description, setDescription] = useState(dashboard.description)
  const save = useMutation({
    mutationFn: () => updateDashboard(projectId, dashboard.id, { name, description }),
    onSuccess() {
      void refreshList(projectId)
      say('Dashboard saved.', () => {
        const before = { name: dashboard.name, description: dashboard.description }
        void updateDashboard(projectId, dashboard.id, before).then(
          () => void refreshList(projectId),
          (error: unknown) => sayProblem(error),
        )
      })
      onClose()
    },
  })
  const problem = save.error instanceof Problem ? save.error : null
  const errorOf = (field: string) => (problem?.attr === field ? problem.message : null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Dialog
      title="Rename the dashboard"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="edit-dashboard" isBusy={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id="edit-dashboard" noValidate className="stack" onSubmit={submit}>
        <Field label="Name" error={errorOf('name')}>
          {(control) => <Input {...control} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Field label="Description" error={errorOf('description')}>
          {(control) => (
            <TextArea
              {...control}
              rows={3}
              value={description}
              onChange={(event) => setDescription(event.target.value)}
            />
          )}
        </Field>
        {save.isError && errorOf('name') === null && errorOf('description') === null && (
          <ProblemNotice error={save.error} />
        )}
      </form>
    </Dialog>
  )
}
