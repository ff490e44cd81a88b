// Shows the form of an insight, which writes its JSON.
import { Plus, Trash2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button, IconButton } from '../../design/button'
import { CountField } from '../../design/fields/count-field'
import { Checkbox, Field, Select, SelectField } from '../../design/fields/field'
import { addPart, removePart } from '../../design/part-focus'
import { RangeField } from '../../design/fields/range-field'
import {
  type FormKind,
  type InsightForm as Form,
  isOfProperty,
  readInsight,
  type Series,
  writeInsight,
} from './insight-edit'
import { BreakdownField, EventField, Filters, PropertyField } from './insight-fields'
import { timeRangeWords } from '../../design/fields/time-range'
import { defaultRangeWords } from './insight-words'
import { DISPLAYS, INTERVALS, MATHS, RANGES, UNITS } from './insight-options'
import { RetentionFields } from './retention-fields'

interface InsightFormProps {
  /** Whether its first field takes the focus when it is first shown. */
  autoFocus: boolean
  projectId: number
  kind: FormKind
  text: string
  onText(text: string): void
}

export default function InsightForm({ projectId, kind, text, onText, autoFocus }: InsightFormProps) {
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (autoFocus) fields.current?.querySelector<HTMLElement>('input, select')?.focus()
  }, [])
  const form = readInsight(text)
  if (!form) return <p className="soft small">The form is back once the JSON below is valid.</p>
  const set = (change: Partial<Form>) => onText(writeInsight(text, change))
  const { filters, range, interval, breakdown, retention, display } = form
  const hasInterval = kind === 'TrendsQuery' || kind === 'LifecycleQuery'
  return (
    <div className="stack" ref={fields}>
      {kind === 'RetentionQuery' ? (
        <RetentionFields
          projectId={projectId}
          retention={retention}
          onChange={(next) => set({ retention: next })}
        />
      ) : (
        <SeriesList
          projectId={projectId}
          kind={kind}
          series={form.series}
          onChange={(series) => set({ series })}
        />
      )}
      <Filters projectId={projectId} filters={filters} onChange={(next) => set({ filters: next })} />
      <div className="variables">
        <Field label="Time range">
          {({ id }) => (
            <RangeField
              id={id}
              label="Time range"
              value={range}
              options={
                timeRangeWords(range) === null ? [['', defaultRangeWords(form, kind)], ...RANGES] : RANGES
              }
              onChange={(next) => set({ range: next })}
            />
          )}
        </Field>
        {hasInterval && (
          <SelectField
            label="Interval"
            value={interval}
            options={INTERVALS}
            onChange={(next) => set({ interval: next })}
          />
        )}
        {kind === 'FunnelsQuery' && <Window form={form} onChange={set} />}
        {kind === 'TrendsQuery' && (
          <SelectField
            label="Displayed as"
            value={display}
            options={DISPLAYS}
            onChange={(next) => set({ display: next })}
          />
        )}
        {kind !== 'LifecycleQuery' && (
          <BreakdownField
            projectId={projectId}
            breakdown={breakdown}
            onChange={(next) => set({ breakdown: next })}
          />
        )}
      </div>
      {kind === 'TrendsQuery' && (
        <label className="row small">
          <Checkbox
            label="Compare with the period before"
            isChecked={form.isCompared}
            onChange={(isCompared) => set({ isCompared })}
          />
          Compare with the period before
        </label>
      )}
    </div>
  )
}

function Window({ form, onChange }: { form: Form; onChange(change: Partial<Form>): void }) {
  const { windowLength, windowUnit } = form
  return (
    <CountField
      label="Time to convert"
      value={windowLength}
      onChange={(length) => onChange({ windowLength: length })}
    >
      <Select
        label="Unit"
        value={windowUnit}
        options={UNITS}
        onChange={(unit) => onChange({ windowUnit: unit })}
      />
    </CountField>
  )
}

interface SeriesListProps {
  projectId: number
  kind: Exclude<FormKind, 'RetentionQuery'>
  series: readonly Series[]
  onChange(series: Series[]): void
}

const NEW: Series = { at: null, event: '$pageview', other: null, math: 'total', property: '' }

function SeriesList({ projectId, kind, series, onChange }: SeriesListProps) {
  const isTrend = kind === 'TrendsQuery'
  const what = kind === 'FunnelsQuery' ? 'Step' : 'Series'
  const min = kind === 'FunnelsQuery' ? 2 : 1
  const setSeries = (index: number, change: Partial<Series>) =>
    onChange(series.map((each, at) => (at === index ? { ...each, ...change } : each)))
  return (
    <>
      <ol className="series" aria-label={kind === 'FunnelsQuery' ? 'Steps' : 'Series'}>
        {series.map((each, index) => (
          // Events change while the user types, so that they cannot identify a series.
          <li key={index} className="row wrap">
            <span className="soft small">{index + 1}.</span>
            <EventField
              projectId={projectId}
              label={`Event of ${what.toLowerCase()} ${index + 1}`}
              value={each.event}
              other={each.other}
              onChange={(event) => setSeries(index, { event })}
            />
            {isTrend && (
              <Select
                label={`Value of series ${index + 1}`}
                value={each.math}
                options={MATHS}
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
            {kind !== 'LifecycleQuery' && (
              <IconButton
                label={`Remove ${what.toLowerCase()} ${index + 1}`}
                isSmall
                disabled={series.length <= min}
                onClick={(event) => removePart(event, () => onChange(series.filter((_, at) => at !== index)))}
              >
                <Trash2 size={15} aria-hidden />
              </IconButton>
            )}
          </li>
        ))}
      </ol>
      {/* A lifecycle has one event. */}
      {kind !== 'LifecycleQuery' && (
        <div>
          <Button isSmall onClick={() => addPart('.series > li', () => onChange([...series, NEW]))}>
            <Plus size={14} aria-hidden /> Add {what.toLowerCase()}
          </Button>
        </div>
      )}
    </>
  )
}
