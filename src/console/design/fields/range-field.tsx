// Renders a time range: one of a choice, or from a day to a day.
import { DayRange } from './day-range'
import { isDay } from './days'
import { Select } from './field'
import { type TimeRange, timeRangeWords } from './time-range'

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
  const isOfDays = isDay(from) && (to === null || isDay(to))
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
      {isOfDays && (
        <DayRange
          from={from}
          to={to ?? ''}
          onChange={(days) => days.from !== '' && onChange({ from: days.from, to: days.to || null })}
        />
      )}
    </div>
  )
}
