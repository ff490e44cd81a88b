import { useState } from 'react'
import { ConfirmChange } from '../edit/confirm-change'
import { eventsKey } from '../api/events'
import { deletePerson, type Person, personsKey } from '../api/people'
import { queryClient } from '../api/queries'
import { Checkbox } from '../design/fields/field'
import { say } from '../design/popups/toast'

interface DeletePersonProps {
  projectId: number
  person: Person
  onClose(): void
  onDeleted(): void
}

/** Asks before a person is deleted: it cannot be undone. */
export function DeletePerson({ projectId, person, onClose, onDeleted }: DeletePersonProps) {
  const [withEvents, setWithEvents] = useState(false)
  const remove = async () => {
    await deletePerson(projectId, person.uuid, withEvents)
    say(`${person.name} deleted.${withEvents ? ' The events follow within minutes.' : ''}`)
    onDeleted()
    // This page would get a 404.
    const isList = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[3] !== 'one'
    void queryClient.invalidateQueries({ queryKey: personsKey(projectId), predicate: isList })
    void queryClient.invalidateQueries({ queryKey: eventsKey(projectId) })
  }
  return (
    <ConfirmChange
      title={`Delete ${person.name}?`}
      action={withEvents ? 'Delete person and events' : 'Delete person'}
      onClose={onClose}
      change={remove}
    >
      <p>
        The properties and their history,{' '}
        {person.distinct_ids.length === 1 ? 'the distinct id' : 'all distinct ids'}, memberships of cohorts
        and the values that flags keep for this person are deleted. This cannot be undone. An event that
        arrives later under the same distinct id makes a new person.
      </p>
      <label className="row">
        <Checkbox isChecked={withEvents} onChange={setWithEvents} label="Delete the events, too" />
        <span aria-hidden>Delete the events, too</span>
      </label>
      <p className="soft small">
        {withEvents
          ? 'All events so far are deleted within minutes, and queries no longer count them. Results that are stored already stay until they are computed again.'
          : 'The events stay, without a person.'}
      </p>
    </ConfirmChange>
  )
}
