// Renders a time range: one of a choice, or from a day to a day.
import { useEffect, useState } from 'react'
import { Input, Select } from './field'
import { type TimeRange, timeRangeWords } from './time-range'
import { useSettled } from '../use-settled'

const DATE = /^(19|20)\d\d-\d\d-\d\d$/

/** The value of the choice that shows the days. */
const DAYS = 'days'

const today = (offset = 0): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)

interface RangeFieldProps {
  id?: string
  label: string
  value: TimeRange
  /** The ranges of the choice by their start. Each ends now. */
  options: readonly (readonly [from: string, label: string])[]
  onChange(range: TimeRange): void
}

export function RangeField({ id, label, value, options, onChange }: RangeFieldProps) {
  const { from, to } = value
  const isOfDays = DATE.test(from) && (to === null || DATE.test(to))
  const isOffered = to === null && options.some(([each]) => each === from)
  const own = JSON.stringify(value)
  return (
    <div className="row wrap">
      <Select
        label={label}
        value={isOfDays ? DAYS : isOffered ? from : own}
        options={[
          ...options,
          [DAYS, 'From day to day'],
          ...(isOfDays || isOffered ? [] : [[own, timeRangeWords(value) ?? own] as const]),
        ]}
        onChange={(chosen) => {
          if (chosen === DAYS) onChange({ from: today(-30), to: today() })
          else if (chosen !== own) onChange({ from: chosen, to: null })
        }}
        {...(id === undefined ? {} : { id })}
      />
      {isOfDays && <Days value={value} onChange={onChange} />}
    </div>
  )
}

/** Fields for days. A date has other years while it is typed, so that days are reported after a pause. */
function Days({ value, onChange }: Pick<RangeFieldProps, 'value' | 'onChange'>) {
  const [days, setDays] = useState({ from: value.from, to: value.to ?? '' })
  const settled = useSettled(days)
  const isReversed = days.to !== '' && days.from > days.to
  useEffect(() => {
    const { from, to } = settled
    const isValid = DATE.test(from) && (to === '' || DATE.test(to)) && (to === '' || from <= to)
    if (isValid && (from !== value.from || to !== (value.to ?? ''))) onChange({ from, to: to || null })
  }, [settled])
  return (
    <>
      <Input
        type="date"
        aria-label="From day"
        value={days.from}
        onChange={({ target: { value: from } }) => setDays({ ...days, from })}
      />
      <Input
        type="date"
        aria-label="To day"
        value={days.to}
        aria-invalid={isReversed}
        onChange={({ target: { value: to } }) => setDays({ ...days, to })}
      />
      {isReversed && (
        <span className="error-text" role="alert">
          The last day is before the first.
        </span>
      )}
    </>
  )
}
