// Changes the key of a flag, and says what that breaks.
import { useState } from 'react'
import type { Flag } from '../api/client'
import { Notice } from '../design/feedback'
import { Field } from '../design/fields/field'
import { FormDialog } from '../design/popups/dialog'
import { Time } from '../design/small'
import { type Draft, issuesOf } from './draft'
import { KeyInput } from './flag-form'

interface RenameProps {
  flag: Flag
  draft: Draft
  /** The reason why the service rejected the key, or null. */
  refused: string | null
  onClose(): void
  onRename(key: string): void
}

export function RenameDialog({ flag, draft, refused, onClose, onRename }: RenameProps) {
  const [key, setKey] = useState(draft.key)
  const issue = issuesOf({ ...draft, key }).get('key')
  return (
    <FormDialog
      title="Rename the flag"
      action="Review and save"
      disabled={issue !== undefined || key === flag.key}
      onClose={onClose}
      onSubmit={() => onRename(key)}
    >
      <Field label="Key" error={issue ?? (key === draft.key ? refused : undefined)}>
        {(control) => <KeyInput {...control} value={key} onChange={setKey} />}
      </Field>
      <Notice tone="warn">
        Code that asks for {flag.key} gets no value once this is saved.{' '}
        {flag.last_called_at ? (
          <>
            The flag was last called <Time at={flag.last_called_at} />.
          </>
        ) : (
          'No SDK has reported a call yet.'
        )}{' '}
        Flags that depend on it keep working.
      </Notice>
    </FormDialog>
  )
}
