// Adds a webhook, or changes one.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrors } from '../api/field-errors'
import { createWebhook, refreshWebhooks, updateWebhook, type Webhook } from '../api/webhooks'
import { FormDialog } from '../design/popups/dialog'
import { CheckList } from '../design/fields/choices'
import { SwitchRow, TextField } from '../design/fields/field'
import { fieldsChanged } from '../edit/changed-fields'
import { CHOICES, isAll, isChosen, othersIn, withChoice } from './events'

interface Props {
  projectId: number
  /** The webhook that is changed, or null for a new one. */
  webhook: Webhook | null
  onClose(): void
  onSaved(webhook: Webhook): void
}

export function WebhookForm({ projectId, webhook, onClose, onSaved }: Props) {
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const [events, setEvents] = useState<readonly string[]>(webhook?.events ?? ['*'])
  const save = useMutation({
    mutationFn: () => {
      const body = { url, description, events: [...events] }
      if (!webhook) return createWebhook(projectId, body)
      const { url: storedUrl, description: storedText, events: storedEvents } = webhook
      const stored = { url: storedUrl, description: storedText, events: storedEvents }
      return updateWebhook(projectId, webhook.id, fieldsChanged(stored, body))
    },
    async onSuccess(saved) {
      onSaved(saved)
      await refreshWebhooks(projectId)
    },
  })
  const { errorOf, otherError } = fieldErrors(save.error, ['url', 'description'])
  const others = othersIn(events)
  return (
    <FormDialog
      title={webhook ? 'Change the webhook' : 'Add a webhook'}
      description="Each change is posted to the URL, signed with a secret."
      onClose={onClose}
      isBusy={save.isPending}
      action={webhook ? 'Save' : 'Add'}
      error={otherError}
      onSubmit={() => save.mutate()}
    >
      <TextField
        label="URL"
        error={errorOf('url')}
        type="url"
        placeholder="https://"
        value={url}
        onChange={setUrl}
      />
      <TextField
        label="Description"
        error={errorOf('description')}
        value={description}
        onChange={setDescription}
      />
      <SwitchRow
        title="All changes"
        hint="Also those of kinds that are added later."
        isChecked={isAll(events)}
        onChange={(isWanted) => setEvents(isWanted ? ['*'] : CHOICES.flatMap(([, each]) => each))}
      />
      {!isAll(events) && (
        <CheckList
          legend="Changes to send"
          options={CHOICES.map(([label, wanted]) => [wanted, label] as const)}
          isChosen={(wanted) => isChosen(events, wanted)}
          onChoose={(wanted, isWanted) => setEvents(withChoice(events, wanted, isWanted))}
        >
          {others.length > 0 && <p className="soft small">Also {others.join(', ')}.</p>}
        </CheckList>
      )}
    </FormDialog>
  )
}
