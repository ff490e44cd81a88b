import { CountField } from '../../design/fields/count-field'
import { Field, Select, SelectField } from '../../design/fields/field'
import type { InsightForm } from './insight-edit'
import { EventField } from './insight-fields'
import { PERIODS, STARTS } from './insight-options'

const MAX_PERIODS = 100

interface RetentionFieldsProps {
  projectId: number
  retention: InsightForm['retention']
  onChange(retention: InsightForm['retention']): void
}

/** Fields for who starts, and who returns within which periods. */
export function RetentionFields({ projectId, retention, onChange }: RetentionFieldsProps) {
  const { target, returning, otherTarget, otherReturning, period, totalIntervals, type } = retention
  const set = (change: Partial<typeof retention>) => onChange({ ...retention, ...change })
  return (
    <div className="variables">
      <Field label="People who did">
        {({ id }) => (
          <EventField
            id={id}
            projectId={projectId}
            label="People who did"
            value={target}
            other={otherTarget}
            onChange={(event) => set({ target: event })}
          />
        )}
      </Field>
      <SelectField
        label="Start with"
        value={type}
        options={STARTS}
        onChange={(next) => set({ type: next })}
      />
      <Field label="Return when they do">
        {({ id }) => (
          <EventField
            id={id}
            projectId={projectId}
            label="Return when they do"
            value={returning}
            other={otherReturning}
            onChange={(event) => set({ returning: event })}
          />
        )}
      </Field>
      <CountField
        label="Periods"
        max={MAX_PERIODS}
        value={totalIntervals}
        onChange={(count) => set({ totalIntervals: count })}
      >
        <Select
          label="Length of a period"
          value={period}
          options={PERIODS}
          onChange={(next) => set({ period: next })}
        />
      </CountField>
    </div>
  )
}
