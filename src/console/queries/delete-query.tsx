import { useMutation } from '@tanstack/react-query'
import { Confirm } from '../design/popups/dialog'
import { say } from '../design/popups/toast'
import { deleteQuery, refreshQueries } from './change-queries'

interface DeleteQueryProps {
  projectId: number
  name: string
  onClose(): void
  onDeleted?(): void
}

/** Asks before a query is deleted: the API cannot undo it. */
export function DeleteQuery({ projectId, name, onClose, onDeleted }: DeleteQueryProps) {
  const remove = useMutation({
    mutationFn: () => deleteQuery(projectId, name),
    onSuccess() {
      say(`${name} deleted.`)
      onClose()
      onDeleted?.()
      void refreshQueries(projectId)
    },
  })
  return (
    <Confirm
      title={`Delete ${name}?`}
      action="Delete query"
      isBusy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
    >
      <p>
        Programs that run it get an error. Its materialized rows, run log and stored results are deleted. This
        cannot be undone; to pause it, disable it instead.
      </p>
    </Confirm>
  )
}
