import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrors } from '../api/field-errors'
import { ME, refresh, sessionsQuery } from '../api/account'
import { client, type User } from '../api/client'
import { meQuery } from '../api/queries'
import { Button } from '../design/button'
import { Card } from '../design/card'
import { ProblemNotice } from '../design/feedback'
import { TextField, Form } from '../design/fields/field'
import { LeaveGuard } from '../edit/leave-dialog'
import { say } from '../design/popups/toast'

const NOTHING = { current_password: '', password: '' }

export function Password({ me }: { me: User }) {
  const [entered, setEntered] = useState(NOTHING)
  const save = useMutation({
    mutationFn: () =>
      client.PATCH('/api/users/{uuid}/', {
        params: ME,
        body: me.has_password ? entered : { password: entered.password },
      }),
    async onSuccess() {
      setEntered(NOTHING)
      await Promise.all([refresh(meQuery), refresh(sessionsQuery)])
      say('Password changed. All other browsers are signed out.')
    },
  })
  const { errorOf, otherError } = fieldErrors(save.error, ['current_password', 'password'])
  const field = (name: keyof typeof NOTHING, label: string, hint?: string) => (
    <TextField
      label={label}
      hint={hint}
      error={errorOf(name)}
      type="password"
      autoComplete={name === 'password' ? 'new-password' : 'current-password'}
      value={entered[name]}
      onChange={(text) => setEntered({ ...entered, [name]: text })}
    />
  )
  return (
    <Card id="password" title="Password" hint="A new password signs all other browsers out.">
      <Form onSubmit={() => save.mutate()}>
        {/* Password managers look for the account that a password belongs to. */}
        <input type="text" name="username" defaultValue={me.email} autoComplete="username" hidden />
        {me.has_password && field('current_password', 'Current password')}
        {field('password', 'New password', 'At least 8 characters, and hard to guess.')}
        {otherError && <ProblemNotice error={otherError} />}
        <div>
          <Button type="submit" kind="primary" isBusy={save.isPending} disabled={entered.password === ''}>
            Change password
          </Button>
        </div>
        <LeaveGuard isUnsaved={Object.values(entered).some(Boolean)} />
      </Form>
    </Card>
  )
}
