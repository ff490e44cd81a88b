import { ConfirmChange } from '../edit/confirm-change'
import { say } from '../design/popups/toast'
import { deleteQuery, refreshQueries } from './change-queries'

interface DeleteQueryProps {
  projectId: number
  name: string
  onClose(): void
  onDeleted?(): void
}

/** Asks before a query is deleted: the API cannot undo it. */
export const DeleteQuery = ({ projectId, name, onClose, onDeleted }: DeleteQueryProps) => (
  <ConfirmChange
    title={`Delete ${name}?`}
    action="Delete query"
    onClose={onClose}
    change={async () => {
      await deleteQuery(projectId, name)
      say(`${name} deleted.`)
      onDeleted?.()
      void refreshQueries(projectId)
    }}
  >
    <p>
      Programs that run it get an error. Its materialized rows, run log and stored results are deleted. This
      cannot be undone; to pause it, disable it instead.
    </p>
  </ConfirmChange>
)
