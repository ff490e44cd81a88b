// The dialogs of a dashboard: what adds a tile, and what renames it.
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { Dashboard } from '../api/dashboards'
import { Problem } from '../api/problem'
import { endpointsQuery } from '../api/saved-queries'
import { Suggest } from '../design/fields/combobox'
import { FormDialog } from '../design/popups/dialog'
import { ProblemNotice } from '../design/feedback'
import { AreaField, TextField } from '../design/fields/field'
import { say, sayProblem } from '../design/popups/toast'
import { refreshList, updateDashboard } from './change-dashboards'

interface DialogProps {
  projectId: number
  dashboard: Dashboard
  onClose(): void
}

export function AddQuery({ projectId, dashboard, onClose }: DialogProps) {
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
  const submit = () => {
    if (name.trim() !== '') add.mutate()
  }
  return (
    <FormDialog
      title="Add a query"
      onClose={onClose}
      disabled={name.trim() === ''}
      isBusy={add.isPending}
      action="Add"
      onSubmit={submit}
    >
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
    </FormDialog>
  )
}

export function EditDashboard({ projectId, dashboard, onClose }: DialogProps) {
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
  const submit = () => {
    save.mutate()
  }
  return (
    <FormDialog
      title="Rename the dashboard"
      onClose={onClose}
      isBusy={save.isPending}
      action="Save"
      onSubmit={submit}
    >
      <TextField label="Name" error={errorOf('name')} value={name} onChange={setName} />
      <AreaField
        label="Description"
        error={errorOf('description')}
        rows={3}
        value={description}
        onChange={setDescription}
      />
      {save.isError && errorOf('name') === null && errorOf('description') === null && (
        <ProblemNotice error={save.error} />
      )}
    </FormDialog>
  )
}
