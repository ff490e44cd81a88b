// Shows conditions on properties, in the filters of a list; all of them hold.
import { ListFilter, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { PropertyCondition } from '../api/property-conditions'
import { Button } from '../design/button'
import { Form } from '../design/fields/field'
import { issueOf } from '../flag/draft'
import { ComparisonFields, EMPTY } from '../flag/property-row'
import '../flag/flag.css'
import { conditionWords } from '../grammar/conditions'
import { MAX_CONDITIONS } from './conditions'

interface ConditionFilterProps {
  projectId: number
  /** Whose property. */
  kind: 'event' | 'person' | 'group'
  groupType?: number
  conditions: readonly PropertyCondition[]
  onChange(conditions: readonly PropertyCondition[]): void
}

/** Each condition as a button that removes it, and a button that opens a form for another one. */
export function ConditionFilter({ conditions, onChange, ...property }: ConditionFilterProps) {
  const [isOpen, setIsOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    flushSync(() => setIsOpen(false))
    opener.current?.focus()
  }
  return (
    <>
      {conditions.map((condition) => {
        const words = wordsOf(condition)
        return (
          <Button
            key={words}
            className="condition-chip"
            onClick={() => {
              onChange(conditions.filter((each) => each !== condition))
              opener.current?.focus()
            }}
            aria-label={`Remove the filter ${words}`}
          >
            <span className="truncate">{words}</span> <X size={14} aria-hidden />
          </Button>
        )
      })}
      {isOpen ? (
        <ConditionForm
          {...property}
          onApply={(chosen) => {
            close()
            const others = conditions.filter((each) => wordsOf(each) !== wordsOf(chosen))
            onChange([...others, chosen])
          }}
          onCancel={close}
        />
      ) : (
        conditions.length < MAX_CONDITIONS && (
          <Button ref={opener} onClick={() => setIsOpen(true)}>
            <ListFilter size={15} aria-hidden /> Property
          </Button>
        )
      )}
    </>
  )
}

const wordsOf = (condition: PropertyCondition): string =>
  conditionWords({ ...condition, type: 'property' }, { maxValues: Infinity })

interface ConditionFormProps extends Omit<ConditionFilterProps, 'conditions' | 'onChange'> {
  onApply(condition: PropertyCondition): void
  onCancel(): void
}

function ConditionForm({ projectId, kind, groupType, onApply, onCancel }: ConditionFormProps) {
  const [property, setProperty] = useState(EMPTY[kind])
  const [isTried, setIsTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const issue = issueOf(property)
  const submit = () => {
    setIsTried(true)
    if (issue === null) onApply(property as PropertyCondition)
  }
  return (
    <Form ref={form} className="row wrap condition-form" aria-label="Filter by property" onSubmit={submit}>
      <ComparisonFields
        projectId={projectId}
        property={property}
        groupType={groupType ?? null}
        label="the filter"
        issue={(isTried && issue) || undefined}
        onChange={setProperty}
      />
      <Button type="submit">Apply</Button>
      <Button kind="plain" onClick={onCancel}>
        Cancel
      </Button>
      {isTried && issue && (
        <p className="error-text" role="alert">
          {issue}
        </p>
      )}
    </Form>
  )
}
