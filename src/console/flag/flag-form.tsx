// The form of a flag: what it is, who gets it, and with which value.
import { useId } from 'react'
import type { FlagFilters } from '../api/client'
import { Tokens } from '../design/fields/combobox'
import { Field, Input, Select, SwitchRow, TextArea } from '../design/fields/field'
import { TagsField } from '../edit/tags-field'
import { useKnownNames } from '../flags/known-names'
import { ConditionSets } from './condition-sets'
import { asKind, type Draft, type Issues, type Kind, kindOf } from './draft'
import './flag.css'
import { ConfigValue, Payload, Variants } from './values'

export interface FormProps {
  projectId: number
  draft: Draft
  onChange(draft: Draft): void
  issues: Issues
  /** Whether to show issues of fields that were not touched: after a first attempt to save. */
  areIssuesShown: boolean
  /** The rejected field and the reason. */
  refusal: { attr: string | null; message: string } | null
  /** Whether the flag is being created. */
  isNew: boolean
}

const KINDS: readonly (readonly [Kind, string, string])[] = [
  ['boolean', 'On or off', 'People who match get true.'],
  ['variants', 'Variants', 'People who match get one of several values, always the same.'],
  ['config', 'Remote configuration', 'Everyone gets the same JSON, which you change without a deployment.'],
]

export function FlagForm(props: FormProps) {
  const { projectId, draft, onChange, issues, areIssuesShown, refusal, isNew } = props
  const knownTags = useKnownNames(projectId, 'tags')
  const knownContexts = useKnownNames(projectId, 'evaluation_contexts')
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change })
  const setFilters = (filters: FlagFilters) => set({ filters })
  const shown = (place: string) => (areIssuesShown ? issues.get(place) : undefined)
  const refused = (attr: string) => (refusal?.attr === attr ? refusal.message : undefined)
  const kind = kindOf(draft)
  const isPersistent = draft.ensure_experience_continuity ?? false
  const isOfDevices = draft.bucketing_identifier === 'device_id'

  return (
    <div className="stack">
      <section className="card" aria-labelledby="basics">
        <header>
          <h2 id="basics">Basics</h2>
        </header>
        <div className="body stack">
          <div className="pair">
            <Field
              label="Key"
              hint={
                isNew
                  ? 'Code asks for the flag by its key.'
                  : 'Code that asks for the old key gets no value after a change.'
              }
              error={shown('key') ?? refused('key')}
            >
              {(control) => (
                <Input
                  {...control}
                  className="mono"
                  value={draft.key}
                  // A new flag starts with its key.
                  autoFocus={isNew}
                  spellCheck={false}
                  onChange={(event) => set({ key: event.target.value.replaceAll(' ', '-') })}
                />
              )}
            </Field>
            <TagsField
              tags={draft.tags}
              onChange={(tags) => set({ tags })}
              error={refused('tags')}
              suggestions={knownTags}
            />
          </div>
          <Field label="Description" error={refused('name')}>
            {(control) => (
              <TextArea
                {...control}
                rows={2}
                value={draft.name}
                placeholder="What it is for, and when it can go"
                onChange={(event) => set({ name: event.target.value })}
              />
            )}
          </Field>
        </div>
      </section>

      <section className="card" aria-labelledby="value">
        <header>
          <h2 id="value">Value</h2>
        </header>
        <div className="body stack">
          <KindChoice kind={kind} onChange={(next) => onChange(asKind(draft, next))} />
          {kind === 'variants' && <Variants draft={draft} onChange={onChange} issues={issues} />}
          {kind === 'boolean' && (
            <Payload draft={draft} onChange={setFilters} issue={issues.get('payloads.true')} />
          )}
          {kind === 'config' && (
            <ConfigValue
              draft={draft}
              onChange={onChange}
              issue={
                shown('payloads.true') ??
                (draft.filters.payloads?.true ? issues.get('payloads.true') : undefined)
              }
            />
          )}
        </div>
      </section>

      <ConditionSets {...props} refused={refused('filters')} />

      <section className="card" aria-labelledby="advanced">
        <header>
          <h2 id="advanced">Evaluation</h2>
        </header>
        <div className="body stack">
          <div className="pair">
            <Field
              label="Runtime"
              hint="Where the flag is evaluated. Other SDKs do not get it."
              error={refused('evaluation_runtime')}
            >
              {(control) => (
                <Select
                  id={control.id}
                  value={draft.evaluation_runtime ?? 'all'}
                  options={[
                    ['all', 'Clients and servers'],
                    ['client', 'Clients only'],
                    ['server', 'Servers only'],
                  ]}
                  onChange={(runtime) => set({ evaluation_runtime: runtime })}
                />
              )}
            </Field>
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
            hint="Users keep the value they had before signing in. Takes another read for each evaluation. Not with buckets by device."
            isChecked={isPersistent}
            disabled={isOfDevices && !isPersistent}
            onChange={(isOn) => set({ ensure_experience_continuity: isOn })}
          />
          <SwitchRow
            title="Bucket by device"
            hint="Every user of a device gets the same value."
            isChecked={isOfDevices}
            disabled={isPersistent && !isOfDevices}
            onChange={(isOn) => set({ bucketing_identifier: isOn ? 'device_id' : 'distinct_id' })}
          />
        </div>
      </section>
    </div>
  )
}

function KindChoice({ kind, onChange }: { kind: Kind; onChange(kind: Kind): void }) {
  const name = useId()
  return (
    <fieldset className="kinds">
      <legend className="visually-hidden">What people get</legend>
      {KINDS.map(([value, title, hint]) => (
        <label key={value} className="kind">
          <input type="radio" name={name} checked={kind === value} onChange={() => onChange(value)} />
          <span>
            <strong>{title}</strong>
            <span className="soft small">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
