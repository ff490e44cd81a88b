// Shows the form of a new flag: its key, who gets it, and with which value.
import { Card } from '../design/card'
import { Field, Input } from '../design/fields/field'
import { ConditionSets, releaseHint } from './condition-sets'
import { DescriptionFields, EvaluationFields } from './detail-fields'
import type { Draft, Issues, Refused } from './draft'
import './flag.css'
import { ValueFields } from './value-fields'

interface FormProps {
  projectId: number
  draft: Draft
  onChange(draft: Draft): void
  issues: Issues
  /** Whether to show issues of untouched fields, after a first attempt to save. */
  areIssuesShown: boolean
  refused: Refused
}

export function FlagForm(props: FormProps) {
  const { draft, onChange, issues, areIssuesShown, refused } = props
  return (
    <div className="stack">
      <Card title="Basics">
        <Field
          label="Key"
          hint="Code asks for the flag by its key."
          error={(areIssuesShown ? issues.get('key') : undefined) ?? refused('key')}
        >
          {(control) => (
            <KeyInput {...control} value={draft.key} onChange={(key) => onChange({ ...draft, key })} />
          )}
        </Field>
        <DescriptionFields {...props} />
      </Card>
      <Card title="What they get">
        <ValueFields {...props} />
      </Card>
      <Card title="Who gets it" hint={releaseHint(draft)}>
        <ConditionSets {...props} refused={refused('filters')} />
      </Card>
      <Card title="Evaluation">
        <EvaluationFields {...props} />
      </Card>
    </div>
  )
}

interface KeyProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean
  value: string
  onChange(key: string): void
}

/** The field for the key of a flag, when it is the first to type. */
export const KeyInput = ({ onChange, ...control }: KeyProps) => (
  <Input
    {...control}
    className="mono"
    autoFocus
    spellCheck={false}
    onChange={(event) => onChange(event.target.value.replaceAll(' ', '-'))}
  />
)
