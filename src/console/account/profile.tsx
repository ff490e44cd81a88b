import { ME } from '../api/account'
import { patch, type User } from '../api/client'
import { meQuery, refresh } from '../api/queries'
import { Card } from '../design/card'
import { TextField } from '../design/fields/field'
import { FormBody } from '../design/form-body'
import { fieldsChanged } from '../edit/changed-fields'
import { useForm } from '../edit/use-form'
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
  const form = useForm(
    stored,
    (entered) => patch('/api/users/{uuid}/', ME, fieldsChanged(stored, entered)),
    async () => {
      await refresh(meQuery)
      say('Profile saved.')
    },
  )
  const isChanged = Object.keys(fieldsChanged(stored, form.values)).length > 0
  return (
    <Card id="profile" title="Profile">
      <FormBody action="Save" disabled={!isChanged} {...form.props}>
        {FIELDS.map(([name, label, autoComplete]) => (
          <TextField
            key={name}
            label={label}
            type={name === 'email' ? 'email' : 'text'}
            autoComplete={autoComplete}
            {...form.field(name)}
          />
        ))}
        <LeaveGuard isUnsaved={isChanged} {...form.props} />
      </FormBody>
    </Card>
  )
}
