// Renders the first and the last day in the filters of a list.
import { Input } from './field'

interface DayRangeProps {
  from: string | undefined
  to: string | undefined
  /** The label before "from", which names what the days refer to. */
  label?: string
  onChange(change: { from?: string; to?: string }): void
}

export const DayRange = ({ from, to, label = 'From', onChange }: DayRangeProps) => (
  <span className="row wrap days">
    <label className="row small day">
      {label}
      <Input
        type="date"
        value={from ?? ''}
        max={to}
        onChange={(event) => onChange({ from: event.target.value })}
      />
    </label>
    <label className="row small day">
      to
      <Input
        type="date"
        value={to ?? ''}
        min={from}
        onChange={(event) => onChange({ to: event.target.value })}
      />
    </label>
  </span>
)
