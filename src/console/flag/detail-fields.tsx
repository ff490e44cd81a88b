// Shows fields for the names of a flag, and for where it is evaluated.
import { FIELDS } from '../../flag-fields'
import { Tokens } from '../design/fields/combobox'
import { AreaField, Field, SelectField, SwitchRow } from '../design/fields/field'
import { TagsField } from '../edit/tags-field'
import { useKnownNames } from '../flags/known-names'
import type { Draft, Refused } from './draft'

interface FieldsProps {
  projectId: number
  draft: Draft
  onChange(draft: Draft): void
  refused: Refused
}

export function DescriptionFields({ projectId, draft, onChange, refused }: FieldsProps) {
  const knownTags = useKnownNames(projectId, 'tags')
  return (
    <>
      <AreaField
        label="Description"
        error={refused('name')}
        rows={2}
        value={draft.name}
        placeholder="What it is for, and when it can go"
        onChange={(entered) => onChange({ ...draft, name: entered })}
      />
      <TagsField
        tags={draft.tags}
        onChange={(tags) => onChange({ ...draft, tags })}
        error={refused('tags')}
        suggestions={knownTags}
      />
    </>
  )
}

const RUNTIMES = Object.entries(FIELDS.evaluation_runtime.choices).toReversed() as [
  NonNullable<Draft['evaluation_runtime']>,
  string,
][]

export function EvaluationFields({ projectId, draft, onChange, refused }: FieldsProps) {
  const knownContexts = useKnownNames(projectId, 'evaluation_contexts')
  const isPersistent = draft.ensure_experience_continuity ?? false
  const isOfDevices = draft.bucketing_identifier === 'device_id'
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change })
  return (
    <>
      <div className="pair">
        <SelectField
          label="Runtime"
          hint="Where the flag is evaluated. Other SDKs do not get it."
          error={refused('evaluation_runtime')}
          value={draft.evaluation_runtime ?? 'all'}
          options={RUNTIMES}
          onChange={(runtime) => set({ evaluation_runtime: runtime })}
        />
        <Field
          label="Evaluation contexts"
          hint="SDKs that name contexts get the flag if one of theirs is here. Empty: all get it."
          error={refused('evaluation_contexts')}
        >
          {({ id }) => (
            <Tokens
              id={id}
              label="Evaluation contexts"
              values={draft.evaluation_contexts}
              onChange={(contexts) => set({ evaluation_contexts: contexts })}
              suggestions={knownContexts}
              placeholder="All contexts"
            />
          )}
        </Field>
      </div>
      <SwitchRow
        title="Persist across sign-in"
        hint="People keep the value that they had before they signed in. Takes another read for each evaluation. Not with buckets by device."
        isChecked={isPersistent}
        disabled={isOfDevices && !isPersistent}
        onChange={(isOn) => set({ ensure_experience_continuity: isOn })}
      />
      <SwitchRow
        title="Bucket by device"
        hint="Shares are of devices: all people on one device get the same value."
        isChecked={isOfDevices}
        disabled={isPersistent && !isOfDevices}
        onChange={(isOn) => set({ bucketing_identifier: isOn ? 'device_id' : 'distinct_id' })}
      />
    </>
  )
}
