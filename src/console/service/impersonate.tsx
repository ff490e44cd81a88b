// Lets staff use the console as another user.
import { csrfToken, sendSignedIn } from '../api/client'
import { problemOf } from '../api/problem'
import { Card } from '../design/card'
import { SwitchRow, TextField } from '../design/fields/field'
import { FormBody } from '../design/form-body'
import { useForm } from '../edit/use-form'

export function Impersonate() {
  const form = useForm(
    { user: '', reason: '', read_only: true },
    async ({ user, reason, read_only: isReadOnly }) => {
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
    },
    () => location.assign('/'),
  )
  const { user, reason, read_only: isReadOnly } = form.values
  return (
    <Card
      id="impersonate"
      title="Impersonate a user"
      hint="For two hours, or until half an hour has passed without a request. It does not show among the user’s sessions."
    >
      <FormBody action="Start" disabled={user.trim() === '' || reason.trim() === ''} {...form.props}>
        <TextField label="Email of the user" type="email" {...form.field('user')} />
        <TextField label="Reason" maxLength={500} {...form.field('reason')} />
        <SwitchRow
          title="Read only"
          hint="Changes nothing in the user’s place."
          isChecked={isReadOnly}
          onChange={(isOn) => form.set({ read_only: isOn })}
        />
      </FormBody>
    </Card>
  )
}
