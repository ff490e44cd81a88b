// Shows the dialogs of a dashboard: what adds a tile, and what renames it.
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { fieldErrors } from '../api/field-errors'
import type { Dashboard } from '../api/dashboards'
import { endpointsQuery } from '../api/saved-queries'
import { SuggestField } from '../design/fields/combobox'
import { FormDialog } from '../design/popups/dialog'
import { AreaField, TextField } from '../design/fields/field'
import { sayDone } from '../edit/doing'
import { expectUnchanged } from '../edit/overtaken'
import { fieldsChanged, pick } from '../edit/changed-fields'
import { say } from '../design/popups/toast'
import { pinQuery, readDashboard, refreshList, updateDashboard } from './change-dashboards'
import { titleOf, titleOfQuery } from './title'

interface DialogProps {
  projectId: number
  dashboard: Dashboard
  onClose(): void
}

export function AddQuery({ projectId, dashboard, onClose }: DialogProps) {
  const [name, setName] = useState('')
  // Tiles have titles, in which spaces stand for the separators of a name: the service finds any word of both.
  const words = name.split(/[\s_-]+/).toSorted((a, b) => b.length - a.length)
  const search = useDeferredValue(words[0] ?? '')
  const queries = useInfiniteQuery({
    ...endpointsQuery(projectId, search ? { search } : {}),
    select: ({ pages }) => pages[0]?.results ?? [],
  })
  const typed = name.trim()
  const [titled, ...others] = (queries.data ?? []).filter(
    (each) => titleOfQuery(each.name).toLowerCase() === typed.toLowerCase(),
  )
  const endpoint = titled && others.length === 0 ? titled.name : typed
  const add = useMutation({
    mutationFn: () => pinQuery(projectId, dashboard.id, endpoint),
    onSuccess() {
      say(`${titleOfQuery(endpoint)} added.`)
      onClose()
    },
  })
  const { errorOf, otherError } = fieldErrors(add.error, ['tiles'])
  return (
    <FormDialog
      title="Add a query"
      onClose={onClose}
      disabled={typed === ''}
      isBusy={add.isPending}
      action="Add"
      error={otherError}
      onSubmit={() => add.mutate()}
    >
      <SuggestField
        label="Saved query"
        hint={
          queries.data?.length === 0 &&
          search === '' &&
          'There is no saved query yet: write one under “Saved queries”.'
        }
        error={errorOf('tiles')}
        value={name}
        onChange={setName}
        placeholder="Search by name"
        suggestions={(queries.data ?? []).map((each) => ({
          value: each.name,
          detail: titleOfQuery(each.name),
        }))}
      />
    </FormDialog>
  )
}

export function EditDashboard({ projectId, dashboard, onClose }: DialogProps) {
  const [name, setName] = useState(dashboard.name)
  const [description, setDescription] = useState(dashboard.description)
  const [isTried, setIsTried] = useState(false)
  const isNameless = dashboard.name !== '' && name.trim() === ''
  // As the dialog opened: a save shows the new ones, while its undo writes these.
  const [stored] = useState({ name: dashboard.name, description: dashboard.description })
  const save = useMutation({
    mutationFn: (sent: Partial<typeof stored>) => updateDashboard(projectId, dashboard.id, sent),
    onSuccess(saved, sent) {
      void refreshList(projectId)
      const fields = Object.keys(sent) as (keyof typeof stored)[]
      sayDone('Dashboard saved.', {
        item: titleOf(saved),
        check: () =>
          expectUnchanged(
            pick(saved, fields),
            () => readDashboard(projectId, dashboard.id),
            (current) => pick(current, fields),
          ),
        change: () =>
          updateDashboard(projectId, dashboard.id, pick(stored, fields)).then(
            () => void refreshList(projectId),
          ),
        said: 'The dashboard is as it was before.',
      })
      onClose()
    },
  })
  const { errorOf, otherError } = fieldErrors(save.error, ['name', 'description'])
  return (
    <FormDialog
      title="Rename the dashboard"
      onClose={onClose}
      isBusy={save.isPending}
      action="Save"
      error={otherError}
      onSubmit={() => {
        setIsTried(true)
        if (!isNameless) save.mutate(fieldsChanged(stored, { name, description }))
      }}
    >
      <TextField
        label="Name"
        error={isTried && isNameless ? 'A name is needed.' : errorOf('name')}
        value={name}
        onChange={setName}
      />
      <AreaField
        label="Description"
        error={errorOf('description')}
        rows={3}
        value={description}
        onChange={setDescription}
      />
    </FormDialog>
  )
}
