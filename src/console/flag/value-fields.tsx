// Shows what people get, as fields: the kind of flag, and its values.
import { useState } from 'react'
import { Choices } from '../design/fields/choices'
import { asKind, type Draft, type Issues, type Kind, kindOf } from './draft'
import { ConfigValue, Payload, Variants } from './values'

export const KINDS: readonly (readonly [Kind, string, string])[] = [
  ['boolean', 'On or off', 'Those who get it read true.'],
  ['variants', 'Variants', 'Each person who gets the flag gets one variant, and keeps it.'],
  [
    'config',
    'Remote configuration',
    'Those who get it receive one JSON value, which you change without a deployment.',
  ],
]

interface ValueProps {
  draft: Draft
  onChange(draft: Draft): void
  issues: Issues
  areIssuesShown: boolean
}

export function ValueFields({ draft, onChange, issues, areIssuesShown }: ValueProps) {
  // Each kind that the user left, as it was: a look at another one loses nothing.
  const [left, setLeft] = useState<readonly Draft[]>([])
  const kind = kindOf(draft)
  const issue = issues.get('payloads.true')
  return (
    <>
      <Choices
        legend="What people get"
        isLegendHidden
        value={kind}
        options={KINDS}
        onChange={(next) => {
          setLeft([...left.filter((each) => kindOf(each) !== kind), draft])
          onChange(asKind(draft, next, left))
        }}
      />
      {kind === 'variants' && <Variants draft={draft} onChange={onChange} issues={issues} />}
      {kind === 'boolean' && (
        <Payload draft={draft} onChange={(filters) => onChange({ ...draft, filters })} issue={issue} />
      )}
      {kind === 'config' && (
        <ConfigValue
          draft={draft}
          onChange={onChange}
          issue={areIssuesShown || draft.filters.payloads?.true ? issue : undefined}
        />
      )}
    </>
  )
}
