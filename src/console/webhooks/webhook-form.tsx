// Adds a webhook, or changes one.
import { patch, post } from '../api/client'
import { inProject, itemIn, refresh } from '../api/queries'
import { type Webhook, WEBHOOKS, webhooksQuery } from '../api/webhooks'
import { CheckList } from '../design/fields/choices'
import { SwitchRow, TextField } from '../design/fields/field'
import { Notice } from '../design/feedback'
import { Dialog, DoneButton, FormDialog } from '../design/popups/dialog'
import { openDialog, useClose } from '../design/popups/opened'
import { say } from '../design/popups/toast'
import { CodeBlock } from '../design/small'
import { fieldsChanged } from '../edit/changed-fields'
import { useForm } from '../edit/use-form'
import { CHOICES, isAll, isChosen, othersIn, withChoice, wordsOf } from './events'

interface Props {
  projectId: number
  /** The webhook that is changed, or null for a new one. */
  webhook: Webhook | null
}

/** Shows a secret, which the service returns once. */
export const revealSecret = ({ secret }: Webhook): void =>
  openDialog(
    <Dialog title="The secret of the webhook" footer={<DoneButton />}>
      <Notice tone="warn">Copy it now: it is shown once.</Notice>
      <CodeBlock label="Secret" code={secret ?? ''} />
      <p className="soft small">
        The receiver verifies messages with it. They follow Standard Webhooks, for which there are libraries.
      </p>
    </Dialog>,
  )

export function WebhookForm({ projectId, webhook }: Props) {
  const { url, description, events: chosen } = webhook ?? { url: '', description: '', events: ['*'] }
  const stored = { url, description, events: chosen }
  const close = useClose()
  const form = useForm(
    stored,
    (body) =>
      webhook
        ? patch(`${WEBHOOKS}{id}/`, itemIn(projectId, webhook.id), fieldsChanged(stored, body))
        : post(WEBHOOKS, { path: inProject(projectId) }, body),
    async (saved) => {
      close()
      if (webhook) say('The webhook is saved.')
      else revealSecret(saved)
      await refresh(webhooksQuery(projectId))
    },
  )
  const { events } = form.values
  const others = othersIn(events)
  return (
    <FormDialog
      title={webhook ? 'Change the webhook' : 'Add a webhook'}
      description="Each change is posted to the URL, signed with a secret."
      action={webhook ? 'Save' : 'Add'}
      {...form.props}
    >
      <TextField label="URL" type="url" placeholder="https://" {...form.field('url')} />
      <TextField label="Description" {...form.field('description')} />
      <SwitchRow
        title="All changes"
        hint="Also those of kinds that are added later."
        isChecked={isAll(events)}
        onChange={(isWanted) => form.set({ events: isWanted ? ['*'] : CHOICES.flatMap(([, each]) => each) })}
      />
      {!isAll(events) && (
        <CheckList
          legend="Changes to send"
          options={CHOICES.map(([label, wanted]) => [wanted, label] as const)}
          isChosen={(wanted) => isChosen(events, wanted)}
          onChoose={(wanted, isWanted) => form.set({ events: withChoice(events, wanted, isWanted) })}
        >
          {others.length > 0 && <p className="soft small">Also: {others.map(wordsOf).join(', ')}.</p>}
        </CheckList>
      )}
    </FormDialog>
  )
}
