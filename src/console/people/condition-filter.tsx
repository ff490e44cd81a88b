// One condition on a property, in the filters of a list.
import { useQuery } from '@tanstack/react-query'
import { ListFilter, X } from 'lucide-react'
import { type FormEvent, useDeferredValue, useEffect, useRef, useState } from 'react'
import { eventValuesQuery, type PropertyCondition } from '../api/people'
import { propertiesQuery, propertyValuesQuery } from '../api/queries'
import { Button } from '../design/button'
import { Suggest } from '../design/combobox'
import { Select } from '../design/field'
import { isWithoutValue } from '../events/search'

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
  condition: PropertyCondition | undefined
  onChange(condition: PropertyCondition | null): void
}

/** The condition as a button that removes it; without one, a button that opens a form. */
export function ConditionFilter(props: ConditionFilterProps) {
  const { condition, onChange } = props
  const [isOpen, setIsOpen] = useState(false)
  if (condition) {
    const { property, operator, value } = condition
    const words = [property, operatorWords(operator), isWithoutValue(operator) ? '' : value].join(' ').trim()
    return (
      <Button
        className="condition-chip"
        onClick={() => onChange(null)}
        aria-label={`Remove the filter ${words}`}
      >
        <span className="truncate">{words}</span> <X size={14} aria-hidden />
      </Button>
    )
  }
  if (!isOpen)
    return (
      <Button onClick={() => setIsOpen(true)}>
        <ListFilter size={15} aria-hidden /> Property
      </Button>
    )
  return (
    <ConditionForm
      {...props}
      onChange={(chosen) => {
        setIsOpen(false)
        if (chosen) onChange(chosen)
      }}
    />
  )
}

function ConditionForm({ projectId, kind, groupType, onChange }: Omit<ConditionFilterProps, 'condition'>) {
  const [property, setProperty] = useState('')
  const [operator, setOperator] = useState<string>('exact')
  const [value, setValue] = useState('')
  const [isTried, setIsTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const definitions = useQuery(
    propertiesQuery(projectId, kind, groupType ?? null, useDeferredValue(property)),
  )
  const typed = useDeferredValue(value)
  const peopleValues = useQuery({
    ...propertyValuesQuery(projectId, groupType ?? null, property, typed),
    enabled: kind !== 'event' && property !== '',
  })
  const eventValues = useQuery({
    ...eventValuesQuery(projectId, property, typed),
    enabled: kind === 'event' && property !== '',
  })
  const needsValue = !isWithoutValue(operator)
  const isMissing =
    property === '' ? 'Name a property.' : needsValue && value === '' ? 'Enter a value.' : null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsTried(true)
    if (isMissing === null) onChange({ property, operator, value: needsValue ? value : '' })
  }
  return (
    <form
      ref={form}
      noValidate
      className="row wrap condition-form"
      aria-label="Filter by property"
      onSubmit={submit}
    >
      <Suggest
        label="Property"
        value={property}
        onChange={setProperty}
        placeholder="Property"
        isInvalid={isTried && property === ''}
        suggestions={(definitions.data?.results ?? []).map(({ name, property_type: type }) => ({
          value: name,
          ...(type ? { detail: type } : {}),
        }))}
      />
      <Select label="Operator" value={operator} options={OPERATORS} onChange={setOperator} />
      {needsValue && (
        <Suggest
          label="Value"
          value={value}
          onChange={setValue}
          placeholder="Value"
          isInvalid={isTried && value === ''}
          suggestions={(kind === 'event' ? eventValues.data : peopleValues.data) ?? []}
        />
      )}
      <Button type="submit">Apply</Button>
      <Button kind="plain" onClick={() => onChange(null)}>
        Cancel
      </Button>
      {isTried && isMissing && (
        <p className="error-text" role="alert">
          {isMissing}
        </p>
      )}
    </form>
  )
}
