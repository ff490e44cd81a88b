// Renders fields for a first and a last day. A date has other years while it is typed, so that days are reported after a pause.
import { useEffect, useRef, useState } from 'react'
import { useSettled } from '../use-settled'
import { isDay } from './days'
import { Input } from './field'

interface Days {
  /** `YYYY-MM-DD`, or empty for none. */
  from: string
  to: string
}

interface DayRangeProps extends Partial<Days> {
  /** The label before "from", which names what the days refer to. */
  label?: string
  onChange(days: Days): void
}

export function DayRange({ from = '', to = '', label = 'From', onChange }: DayRangeProps) {
  const [days, setDays] = useState({ from, to })
  const settled = useSettled(days)
  const reported = useRef({ from, to })
  const isReversed = days.from !== '' && days.to !== '' && days.from > days.to
  useEffect(() => {
    if (from !== reported.current.from || to !== reported.current.to) setDays({ from, to })
    reported.current = { from, to }
  }, [from, to])
  useEffect(() => {
    const isValid = [settled.from, settled.to].every((day) => day === '' || isDay(day)) && !isReversed
    if (!isValid || (settled.from === from && settled.to === to)) return
    reported.current = settled
    onChange(settled)
  }, [settled])
  return (
    <>
      <span className="row wrap days">
        <label className="row small day">
          {label}
          <Input
            type="date"
            value={days.from}
            onChange={(event) => setDays({ ...days, from: event.target.value })}
          />
        </label>
        <label className="row small day">
          to
          <Input
            type="date"
            value={days.to}
            aria-invalid={isReversed}
            onChange={(event) => setDays({ ...days, to: event.target.value })}
          />
        </label>
      </span>
      {isReversed && (
        <span className="error-text" role="alert">
          The last day is before the first.
        </span>
      )}
    </>
  )
}
