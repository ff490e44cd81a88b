// Lets staff use the console as another user.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { csrfToken, sendSignedIn } from '../api/client'
import { problemOf } from '../api/problem'
import { fieldErrors } from '../api/field-errors'
import { Button } from '../design/button'
import { Card } from '../design/card'
import { ProblemNotice } from '../design/feedback'
import { SwitchRow, TextField, Form } from '../design/fields/field'

export function Impersonate() {
  const [user, setUser] = useState('')
  const [reason, setReason] = useState('')
  const [isReadOnly, setIsReadOnly] = useState(true)
  const start = useMutation({
    async mutationFn() {
      const fields = new URLSearchParams({
        csrf: csrfToken() ?? '',
        user: user.trim(),
        reason: reason.trim(),
        ...(isReadOnly ? { read_only: 'true' } : {}),
      })
      const response = await sendSignedIn(
        new Request(`${location.origin}/admin/login/user/`, {
          method: 'POST',
          headers: { Accept: 'application/json' },
          body: fields,
          // It leads to the console, which opens below with everything read anew as that user.
          redirect: 'manual',
        }),
      )
      if (response.type !== 'opaqueredirect') throw await problemOf(response)
      location.assign('/')
    },
  })
  const { errorOf, otherError } = fieldErrors(start.error, ['user', 'reason'])
  return (
    <Card
      id="impersonate"
      title="Impersonate a user"
      hint="For two hours, or until half an hour has passed without a request. It does not show among the user’s sessions."
    >
      <Form onSubmit={() => start.mutate()}>
        <TextField
          label="Email of the user"
          error={errorOf('user')}
          type="email"
          value={user}
          onChange={setUser}
        />
        <TextField
          label="Reason"
          error={errorOf('reason')}
          maxLength={500}
          value={reason}
          onChange={setReason}
        />
        <SwitchRow
          title="Read only"
          hint="Changes nothing in the user’s place."
          isChecked={isReadOnly}
          onChange={setIsReadOnly}
        />
        {otherError && <ProblemNotice error={otherError} />}
        <div>
          <Button
            type="submit"
            isBusy={start.isPending}
            disabled={user.trim() === '' || reason.trim() === ''}
          >
            Start
          </Button>
        </div>
      </Form>
    </Card>
  )
}
