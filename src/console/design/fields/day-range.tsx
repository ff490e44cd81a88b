// Renders fields for a first and a last day. A date has other years while it is typed, so that days are reported after a pause.
import { useSettledInput } from '../use-settled'
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

const isReversed = ({ from, to }: Days): boolean => from !== '' && to !== '' && from > to

const isValid = (days: Days): boolean =>
  [days.from, days.to].every((day) => day === '' || isDay(day)) && !isReversed(days)

export function DayRange({ from = '', to = '', label = 'From', onChange }: DayRangeProps) {
  const [days, setDays] = useSettledInput({ from, to }, onChange, isValid)
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
          To
          <Input
            type="date"
            value={days.to}
            aria-invalid={isReversed(days)}
            onChange={(event) => setDays({ ...days, to: event.target.value })}
          />
        </label>
      </span>
      {isReversed(days) && (
        <span className="error-text" role="alert">
          The last day is before the first.
        </span>
      )}
    </>
  )
}
