// Shows conditions on properties, in the filters of a list; all of them hold.
import { ListFilter, X } from 'lucide-react'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { PropertyCondition } from '../api/property-conditions'
import { Button } from '../design/button'
import { Suggest } from '../design/fields/combobox'
import { Form, Select } from '../design/fields/field'
import { usePropertyNames, usePropertyValues } from './use-properties'
import { isWithoutValue, MAX_CONDITIONS } from './conditions'

const OPERATORS = [
  ['exact', 'is'],
  ['is_not', 'is not'],
  ['icontains', 'contains'],
  ['gt', '>'],
  ['lt', '<'],
  ['is_set', 'is set'],
  ['is_not_set', 'is not set'],
] as const

const operatorWords = (operator: string): string =>
  OPERATORS.find(([each]) => each === operator)?.[1] ?? operator

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

const wordsOf = ({ property, operator, value }: PropertyCondition): string =>
  [property, operatorWords(operator), isWithoutValue(operator) ? '' : value].join(' ').trim()

interface ConditionFormProps extends Omit<ConditionFilterProps, 'conditions' | 'onChange'> {
  onApply(condition: PropertyCondition): void
  onCancel(): void
}

function ConditionForm({ projectId, kind, groupType, onApply, onCancel }: ConditionFormProps) {
  const [property, setProperty] = useState('')
  const [operator, setOperator] = useState<string>('exact')
  const [value, setValue] = useState('')
  const [isTried, setIsTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const properties = { projectId, kind, groupType: groupType ?? null }
  const names = usePropertyNames(properties, useDeferredValue(property))
  const values = usePropertyValues(properties, property, useDeferredValue(value))
  const needsValue = !isWithoutValue(operator)
  const isMissing =
    property === '' ? 'Name a property.' : needsValue && value === '' ? 'Enter a value.' : null
  const submit = () => {
    setIsTried(true)
    if (isMissing === null) onApply({ property, operator, value: needsValue ? value : '' })
  }
  return (
    <Form ref={form} className="row wrap condition-form" aria-label="Filter by property" onSubmit={submit}>
      <Suggest
        label="Property"
        value={property}
        onChange={setProperty}
        placeholder="Property"
        isInvalid={isTried && property === ''}
        suggestions={names}
      />
      <Select label="Operator" value={operator} options={OPERATORS} onChange={setOperator} />
      {needsValue && (
        <Suggest
          label="Value"
          value={value}
          onChange={setValue}
          placeholder="Value"
          isInvalid={isTried && value === ''}
          suggestions={values}
        />
      )}
      <Button type="submit">Apply</Button>
      <Button kind="plain" onClick={onCancel}>
        Cancel
      </Button>
      {isTried && isMissing && (
        <p className="error-text" role="alert">
          {isMissing}
        </p>
      )}
    </Form>
  )
}
