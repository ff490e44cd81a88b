// Pins a saved query to a dashboard.
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { dashboardListQuery } from '../api/dashboards'
import { FormDialog } from '../design/popups/dialog'
import { Loading, ProblemNotice } from '../design/feedback'
import { SelectField, TextField } from '../design/fields/field'
import { sayDone } from '../edit/doing'
import { createDashboard, pinQuery, refreshList, updateDashboard } from '../dashboards/change-dashboards'
import { titleOf } from '../dashboards/title'

/** The value in place of the id of a dashboard. */
const NEW = 'new'

interface PinDialogProps {
  projectId: number
  /** The name of the query. */
  name: string
  onClose(): void
}

export default function PinDialog({ projectId, name, onClose }: PinDialogProps) {
  const list = useInfiniteQuery({
    ...dashboardListQuery(projectId, { creation_mode: 'default' }),
    select: ({ pages }) => pages.flatMap(({ results }) => results),
  })
  const dashboards = list.data ?? []
  const [chosen, setChosen] = useState<string | null>(null)
  const [title, setTitle] = useState('')
  const id = chosen ?? String(dashboards[0]?.id ?? NEW)
  const pin = useMutation({
    mutationFn: () =>
      id === NEW
        ? createDashboard(projectId, title.trim(), [{ endpoint: name }])
        : pinQuery(projectId, Number(id), name),
    onSuccess(dashboard) {
      void refreshList(projectId)
      const tile = dashboard.tiles.find(({ endpoint }) => endpoint === name)
      sayDone(
        `${name} is pinned to ${titleOf(dashboard)}.`,
        tile && {
          check: null,
          change: () => updateDashboard(projectId, dashboard.id, { tiles: [{ id: tile.id, deleted: true }] }),
          said: `${name} is no longer pinned.`,
        },
      )
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Pin ${name} to a dashboard`}
      onClose={onClose}
      isBusy={pin.isPending}
      disabled={list.isPending || (id === NEW && title.trim() === '')}
      action="Pin"
      error={pin.error}
      onSubmit={() => pin.mutate()}
    >
      {list.isPending && <Loading />}
      {list.isError && <ProblemNotice error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && (
        <SelectField
          label="Dashboard"
          value={id}
          options={[
            ...dashboards.map((each) => [String(each.id), titleOf(each)] as const),
            [NEW, 'A new dashboard'],
          ]}
          onChange={setChosen}
        />
      )}
      {list.data && id === NEW && (
        <TextField label="Name of the dashboard" value={title} onChange={setTitle} />
      )}
    </FormDialog>
  )
}
