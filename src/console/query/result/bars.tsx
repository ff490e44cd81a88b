// Shows horizontal bars with their values.

interface BarsProps {
  label: string
  bars: readonly { label: string; value: number; note?: string; series?: number }[]
  format?(value: number): string
}

export function BarList({ label, bars, format = (value) => value.toLocaleString('en') }: BarsProps) {
  const max = Math.max(...bars.map(({ value }) => Math.abs(value)), 0)
  return (
    <ol className="bars" aria-label={label}>
      {bars.map(({ label: name, value, note, series = 0 }, index) => (
        <li key={index}>
          <span className="truncate" title={name}>
            {name}
          </span>
          <span className="bar-track" aria-hidden>
            {value !== 0 && (
              <span
                className={`swatch-${series % 6}`}
                style={{ width: `${(Math.abs(value) / max) * 100}%` }}
              />
            )}
          </span>
          <span className="bar-value">
            {format(value)}
            {note && <span className="soft small"> {note}</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** Large numbers with their names. */
export const Numbers = ({ numbers }: { numbers: readonly { label: string; value: string }[] }) => (
  <dl className="numbers">
    {numbers.map(({ label, value }) => (
      <div key={label}>
        <dt className="soft">{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
