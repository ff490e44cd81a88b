import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ME } from '../api/account'
import { client, type User } from '../api/client'
import { Problem } from '../api/problem'
import { meQuery, queryClient } from '../api/queries'
import { Button } from '../design/button'
import { Card } from '../design/card'
import { ProblemNotice } from '../design/feedback'
import { TextField } from '../design/fields/field'
import { say } from '../design/popups/toast'

const FIELDS = [
  ['first_name', 'First name', 'given-name'],
  ['last_name', 'Last name', 'family-name'],
  ['email', 'Email', 'email'],
] as const

export function Profile({ me }: { me: User }) {
  const [profile, setProfile] = useState({
    first_name: me.first_name,
    last_name: me.last_name,
    email: me.email,
  })
  const changed = Object.fromEntries(
    FIELDS.flatMap(([name]) => (profile[name] === me[name] ? [] : [[name, profile[name]]])),
  )
  const save = useMutation({
    mutationFn: () => client.PATCH('/api/users/{uuid}/', { params: ME, body: changed }),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
      say('Profile saved.')
    },
  })
  const problem = save.error instanceof Problem ? save.error : null
  const isShownByField = FIELDS.some(([name]) => name === problem?.attr)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Card id="profile" title="Profile">
      <form noValidate className="stack" onSubmit={submit}>
        {FIELDS.map(([name, label, autoComplete]) => (
          <TextField
            key={name}
            label={label}
            error={problem?.attr === name ? problem.message : null}
            type={name === 'email' ? 'email' : 'text'}
            autoComplete={autoComplete}
            value={profile[name]}
            onChange={(entered) => setProfile({ ...profile, [name]: entered })}
          />
        ))}
        {save.isError && !isShownByField && <ProblemNotice error={save.error} />}
        <div>
          <Button
            type="submit"
            kind="primary"
            isBusy={save.isPending}
            disabled={Object.keys(changed).length === 0}
          >
            Save
          </Button>
        </div>
      </form>
    </Card>
  )
}
