// The form of a trend or funnel, which writes its JSON.
import { useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { propertiesQuery } from '../api/queries'
import { eventNamesQuery } from '../api/saved-queries'
import { Button, IconButton } from '../design/button'
import { Suggest } from '../design/combobox'
import { Field, Input, Select } from '../design/field'
import { useSettled } from '../design/use-settled'
import {
  type InsightForm as Form,
  isOfProperty,
  readInsight,
  type Series,
  writeInsight,
} from './insight-edit'

const MATHS = [
  ['total', 'number of events'],
  ['dau', 'people'],
  ['sum', 'sum of'],
  ['avg', 'average of'],
  ['min', 'minimum of'],
  ['max', 'maximum of'],
] as const

const RANGES = [
  ['-24h', 'Last 24 hours'],
  ['-7d', 'Last 7 days'],
  ['-30d', 'Last 30 days'],
  ['-90d', 'Last 90 days'],
  ['-12m', 'Last 12 months'],
] as const

const INTERVALS = [
  ['hour', 'Hour'],
  ['day', 'Day'],
  ['week', 'Week'],
  ['month', 'Month'],
] as const

const UNITS = [
  ['minute', 'minutes'],
  ['hour', 'hours'],
  ['day', 'days'],
  ['week', 'weeks'],
] as const

type Options = readonly (readonly [string, string])[]

/** A value that the form does not offer is offered as it is. */
const including = (options: Options, value: string, words: string): Options =>
  options.some(([each]) => each === value) ? options : [[value, value === '' ? words : value], ...options]

interface InsightFormProps {
  projectId: number
  kind: 'TrendsQuery' | 'FunnelsQuery'
  text: string
  onText(text: string): void
}

export default function InsightForm({ projectId, kind, text, onText }: InsightFormProps) {
  const form = readInsight(text)
  if (!form) return <p className="soft small">The form is back once the JSON below is valid.</p>
  const { series } = form
  const isTrend = kind === 'TrendsQuery'
  const what = isTrend ? 'Series' : 'Step'
  const set = (change: Partial<Form>) => onText(writeInsight(text, change))
  const setSeries = (index: number, change: Partial<Series>) =>
    set({ series: series.map((each, at) => (at === index ? { ...each, ...change } : each)) })
  return (
    <div className="stack">
      <ol className="series" aria-label={isTrend ? 'Series' : 'Steps'}>
        {series.map((each, index) => (
          // Events change while somebody types.
          <li key={index} className="row wrap">
            <span className="soft small">{index + 1}.</span>
            <EventField
              projectId={projectId}
              label={`Event of ${what.toLowerCase()} ${index + 1}`}
              value={each.event}
              onChange={(event) => setSeries(index, { event })}
            />
            {isTrend && (
              <Select
                label={`Value of series ${index + 1}`}
                value={each.math}
                options={including(MATHS, each.math, each.math)}
                onChange={(math) => setSeries(index, { math })}
              />
            )}
            {isTrend && isOfProperty(each.math) && (
              <PropertyField
                projectId={projectId}
                label={`Property of series ${index + 1}`}
                value={each.property}
                onChange={(property) => setSeries(index, { property })}
              />
            )}
            <IconButton
              label={`Remove ${what.toLowerCase()} ${index + 1}`}
              isSmall
              disabled={series.length <= (isTrend ? 1 : 2)}
              onClick={() => set({ series: series.filter((_, at) => at !== index) })}
            >
              <Trash2 size={15} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ol>
      <div>
        <Button
          isSmall
          onClick={() =>
            set({ series: [...series, { at: null, event: '$pageview', math: 'total', property: '' }] })
          }
        >
          <Plus size={14} aria-hidden /> Add {what.toLowerCase()}
        </Button>
      </div>
      <div className="variables">
        <Field label="Time range">
          {({ id }) => (
            <Select
              id={id}
              value={form.dateFrom}
              options={including(RANGES, form.dateFrom, 'Last 7 days')}
              onChange={(dateFrom) => set({ dateFrom })}
            />
          )}
        </Field>
        {isTrend ? (
          <Field label="Interval">
            {({ id }) => (
              <Select
                id={id}
                value={form.interval}
                options={including(INTERVALS, form.interval, form.interval)}
                onChange={(interval) => set({ interval })}
              />
            )}
          </Field>
        ) : (
          <Field label="Time to convert">
            {({ id }) => (
              <div className="row">
                <Input
                  id={id}
                  type="number"
                  min={1}
                  value={form.windowLength}
                  onChange={({ target: { valueAsNumber: length } }) =>
                    length >= 1 && set({ windowLength: Math.floor(length) })
                  }
                />
                <Select
                  label="Unit"
                  value={form.windowUnit}
                  options={including(UNITS, form.windowUnit, form.windowUnit)}
                  onChange={(windowUnit) => set({ windowUnit })}
                />
              </div>
            )}
          </Field>
        )}
        {form.breakdown === null ? (
          <p className="soft small">The breakdown is set in the JSON.</p>
        ) : (
          <Field label="Broken down by">
            {({ id }) => (
              <PropertyField
                id={id}
                projectId={projectId}
                label="Broken down by"
                placeholder="Nothing"
                value={form.breakdown ?? ''}
                onChange={(breakdown) => set({ breakdown })}
              />
            )}
          </Field>
        )}
      </div>
    </div>
  )
}

interface NameFieldProps {
  id?: string
  projectId: number
  label: string
  placeholder?: string
  onChange(value: string): void
}

function EventField({
  projectId,
  value,
  onChange,
  ...rest
}: Omit<NameFieldProps, 'onChange'> & { value: string | null; onChange(value: string | null): void }) {
  const search = useSettled(value ?? '')
  const names = useQuery(eventNamesQuery(projectId, search))
  return (
    <Suggest
      {...rest}
      className="property-key mono"
      placeholder="All events"
      value={value ?? ''}
      onChange={(text) => onChange(text === '' ? null : text)}
      suggestions={(names.data?.results ?? []).map(({ name }) => ({ value: name }))}
    />
  )
}

function PropertyField({ projectId, value, onChange, ...rest }: NameFieldProps & { value: string }) {
  const [isTouched, setIsTouched] = useState(false)
  const search = useSettled(isTouched ? value : '')
  const properties = useQuery(propertiesQuery(projectId, 'event', null, search))
  return (
    <Suggest
      {...rest}
      className="property-key mono"
      value={value}
      onChange={(text) => {
        setIsTouched(true)
        onChange(text)
      }}
      suggestions={(properties.data?.results ?? []).map(({ name, property_type: type }) => ({
        value: name,
        ...(type ? { detail: type } : {}),
      }))}
    />
  )
}
