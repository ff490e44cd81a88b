// Shows fields that the forms of insights share.
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { PropertyFilter } from '../../api/client'
import { usePropertyNames } from '../../people/use-properties'
import { eventNamesQuery, eventQuery } from '../../api/saved-queries'
import { Button } from '../../design/button'
import { addPart } from '../../design/part-focus'
import { Suggest } from '../../design/fields/combobox'
import { Field, Input, Select } from '../../design/fields/field'
import { useSettled } from '../../design/use-settled'
import { PropertyRow } from '../../flag/property-row'
import type { Breakdown, Filter } from './insight-edit'

interface NameFieldProps {
  id?: string
  projectId: number
  label: string
  placeholder?: string
}

interface EventFieldProps extends NameFieldProps {
  value: string | null
  /** The name of what is not one event, such as an action, which only the JSON changes. */
  other: string | null
  onChange(value: string | null): void
}

export function EventField({ projectId, value, other, onChange, ...rest }: EventFieldProps) {
  const search = useSettled(value ?? '')
  const names = useQuery({ ...eventNamesQuery(projectId, search), enabled: other === null })
  const listed = names.data?.results
  const known = useQuery({
    ...eventQuery(projectId, search),
    enabled: search !== '' && listed !== undefined && !listed.some(({ name }) => name === search),
  })
  if (other !== null)
    return <Input id={rest.id} className="property-key mono" aria-label={rest.label} value={other} readOnly />
  return (
    <>
      <Suggest
        {...rest}
        className="property-key mono"
        placeholder="All events"
        value={value ?? ''}
        onChange={(text) => onChange(text === '' ? null : text)}
        suggestions={(listed ?? []).map(({ name }) => ({ value: name }))}
      />
      {known.data?.count === 0 && search === value && (
        <span className="soft small">No such event so far.</span>
      )}
    </>
  )
}

interface PropertyFieldProps extends NameFieldProps {
  type?: 'event' | 'person'
  value: string
  onChange(value: string): void
}

export function PropertyField({ projectId, type = 'event', value, onChange, ...rest }: PropertyFieldProps) {
  const [isTouched, setIsTouched] = useState(false)
  const search = useSettled(isTouched ? value : '')
  const names = usePropertyNames({ projectId, kind: type, groupType: null }, search)
  return (
    <Suggest
      {...rest}
      className="property-key mono"
      value={value}
      onChange={(text) => {
        setIsTouched(true)
        onChange(text)
      }}
      suggestions={names}
    />
  )
}

interface BreakdownFieldProps {
  projectId: number
  breakdown: Breakdown | null
  onChange(breakdown: Breakdown): void
}

export function BreakdownField({ projectId, breakdown, onChange }: BreakdownFieldProps) {
  // The text has no place for the type of a breakdown without a property.
  const [type, setType] = useState(breakdown?.type ?? 'event')
  if (breakdown === null) return <p className="soft small">The breakdown is set in the JSON.</p>
  const { property } = breakdown
  const of = property ? breakdown.type : type
  return (
    <Field label="Broken down by">
      {({ id }) => (
        <div className="row">
          <Select
            label="Whose property"
            value={of}
            options={[
              ['event', 'Event'],
              ['person', 'Person'],
            ]}
            onChange={(next) => {
              setType(next)
              if (property) onChange({ property, type: next })
            }}
          />
          <PropertyField
            id={id}
            projectId={projectId}
            type={of}
            label="Broken down by"
            placeholder="Nothing"
            value={property}
            onChange={(text) => onChange({ property: text, type: of })}
          />
        </div>
      )}
    </Field>
  )
}

interface FiltersProps {
  projectId: number
  filters: Filter[] | null
  onChange(filters: Filter[]): void
}

/** Conditions that every event has to match. */
export function Filters({ projectId, filters, onChange }: FiltersProps) {
  if (filters === null) return <p className="soft small">The filters are set in the JSON.</p>
  return (
    <div className="stack">
      {filters.length > 0 && (
        <ul className="conditions" aria-label="Filters">
          {filters.map((filter, at) => (
            <li key={at}>
              <PropertyRow
                projectId={projectId}
                property={filter as unknown as PropertyFilter}
                groupType={null}
                kinds={KINDS}
                label={`filter ${at + 1}`}
                issue={undefined}
                onChange={(next) =>
                  onChange(
                    next
                      ? filters.with(at, next as unknown as Filter)
                      : filters.filter((_, each) => each !== at),
                  )
                }
              />
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button
          isSmall
          onClick={() => addPart('.conditions > li', () => onChange([...filters, emptyFilter()]))}
        >
          <Plus size={14} aria-hidden /> Add filter
        </Button>
      </div>
    </div>
  )
}

const KINDS = ['event', 'person', 'cohort'] as const

const emptyFilter = (): Filter => ({ key: '', type: 'event', operator: 'exact', value: [] })
