import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrors } from '../api/field-errors'
import { ME } from '../api/account'
import { client, type User } from '../api/client'
import { meQuery, queryClient } from '../api/queries'
import { Button } from '../design/button'
import { Card } from '../design/card'
import { ProblemNotice } from '../design/feedback'
import { TextField, Form } from '../design/fields/field'
import { fieldsChanged } from '../edit/changed-fields'
import { LeaveGuard } from '../edit/leave-dialog'
import { say } from '../design/popups/toast'

const FIELDS = [
  ['first_name', 'First name', 'given-name'],
  ['last_name', 'Last name', 'family-name'],
  ['email', 'Email', 'email'],
] as const

export function Profile({ me }: { me: User }) {
  const { first_name, last_name, email } = me
  const stored = { first_name, last_name, email }
  const [entered, setEntered] = useState<Partial<typeof stored>>({})
  const profile = { ...stored, ...entered }
  const changed = fieldsChanged(stored, profile)
  const isChanged = Object.keys(changed).length > 0
  const save = useMutation({
    mutationFn: () => client.PATCH('/api/users/{uuid}/', { params: ME, body: changed }),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
      // The service trims names.
      setEntered({})
      say('Profile saved.')
    },
  })
  const { errorOf, otherError } = fieldErrors(
    save.error,
    FIELDS.map(([name]) => name),
  )
  return (
    <Card id="profile" title="Profile">
      <Form onSubmit={() => save.mutate()}>
        {FIELDS.map(([name, label, autoComplete]) => (
          <TextField
            key={name}
            label={label}
            error={errorOf(name)}
            type={name === 'email' ? 'email' : 'text'}
            autoComplete={autoComplete}
            value={profile[name]}
            onChange={(text) => setEntered({ ...entered, [name]: text })}
          />
        ))}
        {otherError && <ProblemNotice error={otherError} />}
        <div>
          <Button type="submit" kind="primary" isBusy={save.isPending} disabled={!isChanged}>
            Save
          </Button>
        </div>
        <LeaveGuard isUnsaved={isChanged} />
      </Form>
    </Card>
  )
}
