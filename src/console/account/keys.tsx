// Shows keys for programs that act in the user's name.
import { useQuery } from '@tanstack/react-query'
import { ConfirmChange } from '../edit/confirm-change'
import { SERVED_SCOPES } from '../../account/keys/served-scopes'
import { keysQuery, type PersonalApiKey } from '../api/account'
import { refresh } from '../api/queries'
import { client, post } from '../api/client'
import { Button } from '../design/button'
import { Card } from '../design/card'
import { Loading, ProblemNotice } from '../design/feedback'
import { CheckList, toggled } from '../design/fields/choices'
import { TextField } from '../design/fields/field'
import { useForm } from '../edit/use-form'
import { Dialog, DoneButton, FormDialog } from '../design/popups/dialog'
import { CodeBlock, Time } from '../design/small'
import { openDialog } from '../design/popups/opened'
import { say } from '../design/popups/toast'

export function Keys() {
  const keys = useQuery(keysQuery)
  return (
    <Card
      id="keys"
      title="Personal API keys"
      hint="For programs that act in your name. Give each one its own key, with no more than it needs."
      action={<Button onClick={() => openDialog(<NewKey />)}>New key</Button>}
    >
      {keys.isPending && <Loading />}
      {keys.isError && <ProblemNotice error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.data?.length === 0 && <p className="soft">You have no keys.</p>}
      <ul className="account-list">
        {keys.data?.map((key) => (
          <KeyRow key={key.id} record={key} />
        ))}
      </ul>
    </Card>
  )
}

function KeyRow({ record }: { record: PersonalApiKey }) {
  return (
    <li>
      <div className="grow">
        <div className="row wrap">
          <strong>{record.label}</strong>
          <code className="small">{record.mask_value}</code>
        </div>
        <div className="soft small">
          {record.scopes.includes('*') ? 'Everything' : record.scopes.join(', ')} ·{' '}
          {record.last_used_at === null ? (
            'never used'
          ) : (
            <>
              used <Time at={record.last_used_at} />
            </>
          )}
        </div>
      </div>
      <Button
        isSmall
        className="danger"
        aria-label={`Delete ${record.label}`}
        onClick={() => openDialog(<DeleteKey record={record} />)}
      >
        Delete…
      </Button>
    </li>
  )
}

const DeleteKey = ({ record }: { record: PersonalApiKey }) => (
  <ConfirmChange
    title={`Delete ${record.label}?`}
    action="Delete"
    change={async () => {
      await client.DELETE('/api/personal_api_keys/{id}/', { params: { path: { id: record.id } } })
      await refresh(keysQuery)
      say('The key is deleted and no longer valid.')
    }}
  >
    Programs that use it lose access at once.
  </ConfirmChange>
)

const ALL = [['*', 'Everything that you may'] as const, ...SERVED_SCOPES]

function NewKey() {
  const form = useForm(
    { label: '', scopes: [] as string[] },
    ({ label, scopes }) =>
      post(
        '/api/personal_api_keys/',
        {},
        { label: label.trim(), scopes, scoped_teams: [], scoped_organizations: [] },
      ),
    () => refresh(keysQuery),
  )
  const { label, scopes } = form.values
  if (form.saved)
    return (
      <Dialog title="Your new key" footer={<DoneButton />}>
        <p>Copy it now: it is not shown again.</p>
        <CodeBlock label="New key" code={form.saved.value!} />
      </Dialog>
    )
  return (
    <FormDialog
      title="New key"
      isWide
      action="Create key"
      disabled={label.trim() === '' || scopes.length === 0}
      {...form.props}
    >
      <TextField label="What is it for?" autoFocus maxLength={40} {...form.field('label')} />
      <CheckList
        legend="What may it do? Choose at least one."
        options={ALL.map(([scope, opens]) => [scope, opens, <code className="small">{scope}</code>] as const)}
        isChosen={(scope) => scopes.includes(scope)}
        onChoose={(scope, isChosen) => form.set({ scopes: toggled(scopes, scope, isChosen) })}
      />
    </FormDialog>
  )
}
