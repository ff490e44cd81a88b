import { ME, sessionsQuery } from '../api/account'
import { patch, type User } from '../api/client'
import { meQuery, refresh } from '../api/queries'
import { Card } from '../design/card'
import { TextField } from '../design/fields/field'
import { FormBody } from '../design/form-body'
import { LeaveGuard } from '../edit/leave-dialog'
import { useForm } from '../edit/use-form'
import { say } from '../design/popups/toast'

export function Password({ me }: { me: User }) {
  const form = useForm(
    { current_password: '', password: '' },
    ({ current_password: current, password }) =>
      patch('/api/users/{uuid}/', ME, {
        password,
        ...(me.has_password ? { current_password: current } : {}),
      }),
    async () => {
      await Promise.all([refresh(meQuery), refresh(sessionsQuery)])
      say('Password changed. All other browsers are signed out.')
    },
  )
  return (
    <Card id="password" title="Password" hint="A new password signs all other browsers out.">
      <FormBody action="Change password" disabled={form.values.password === ''} {...form.props}>
        {/* Password managers look for the account that a password belongs to. */}
        <input type="text" name="username" defaultValue={me.email} autoComplete="username" hidden />
        {me.has_password && (
          <TextField
            label="Current password"
            type="password"
            autoComplete="current-password"
            {...form.field('current_password')}
          />
        )}
        <TextField
          label="New password"
          hint="At least 8 characters, and hard to guess."
          type="password"
          autoComplete="new-password"
          {...form.field('password')}
        />
        <LeaveGuard isUnsaved={Object.values(form.values).some(Boolean)} {...form.props} />
      </FormBody>
    </Card>
  )
}
