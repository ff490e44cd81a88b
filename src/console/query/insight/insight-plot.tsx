// Shows the result of an insight, by kind: lines, funnel steps, a retention table, lifecycle bars.
import { Empty } from '../../design/feedback'
import { ValuesTable } from '../../design/values-table'
import { BarList, Numbers } from '../result/bars'
import {
  type Bin,
  type Edge,
  isSeries,
  nameOf,
  type Series,
  type Start,
  startsIn,
  type Step,
  words,
} from './insight-rows'
import { projectTimeZone } from '../../api/queries'
import { isLastRunning } from '../../design/running-interval'
import { MAX_SERIES } from '../result/plot-choice'
import { lazyComponent } from '../../design/lazy-component'

const Plot = lazyComponent(() => import('../../design/plot'))

interface InsightPlotProps {
  kind: string
  results: unknown
  /** The display of a trend. */
  display: string | null
}

export default function InsightPlot({ kind, results, display }: InsightPlotProps) {
  switch (kind) {
    case 'FunnelsQuery':
      if (!Array.isArray(results)) return <TimeToConvert bins={(results as { bins: Bin[] }).bins} />
      return isSeries(results) ? (
        <Trend series={results} display={display} />
      ) : (
        <Funnel results={results as (Step | Step[])[]} />
      )
    case 'StickinessQuery':
      return <Stickiness series={results as readonly Series[]} />
    case 'PathsQuery':
      return <Paths edges={results as Edge[]} />
    case 'WebOverviewQuery':
      return (
        <Numbers
          numbers={(results as { key: string; value: number | null; kind: string }[]).map(
            ({ key, value, kind: unit }) => ({ label: key, value: overviewText(value, unit) }),
          )}
        />
      )
    case 'RetentionQuery':
      return <Retention starts={results as readonly Start[]} />
    case 'LifecycleQuery':
      return <Lifecycle series={results as readonly Series[]} />
    default:
      return <Trend series={results as readonly Series[]} display={display} />
  }
}

function TimeToConvert({ bins }: { bins: readonly Bin[] }) {
  if (bins.length === 0) return <Nothing />
  return (
    <BarList
      label="Time to convert"
      bars={bins.map(([seconds, people]) => ({ label: `from ${durationOf(seconds)}`, value: people }))}
    />
  )
}

function Stickiness({ series }: { series: readonly Series[] }) {
  if (series.length === 0) return <Nothing />
  return (
    <div className="stack">
      {series.slice(0, MAX_SERIES).map((each, index) => (
        <section key={index} className="stack">
          {series.length > 1 && <h3>{nameOf(each)}</h3>}
          <BarList
            label={nameOf(each)}
            bars={each.data.map((value, at) => ({ label: each.labels?.[at] ?? '', value, series: index }))}
          />
        </section>
      ))}
    </div>
  )
}

/** Returns the name of a step such as `2_/pricing` without its number. */
const stepName = (step: string): string => step.replace(/^\d+_/, '')

function Paths({ edges }: { edges: readonly Edge[] }) {
  if (edges.length === 0) return <Nothing />
  return (
    <BarList
      label="Paths"
      bars={edges.map(({ source, target, value }) => ({
        label: `${parseInt(source, 10)}. ${stepName(source)} → ${stepName(target)}`,
        value,
      }))}
    />
  )
}

function overviewText(value: number | null, unit: string): string {
  if (value === null) return '—'
  if (unit === 'duration_s') return durationOf(value)
  const text = value.toLocaleString('en', { maximumFractionDigits: 1 })
  return unit === 'percentage' ? `${text}%` : text
}

function Trend({ series, display }: { series: readonly Series[]; display: string | null }) {
  if (series.length === 0) return <Nothing />
  const isTotal = series.every(({ aggregated_value: total }) => total !== undefined)
  const values = series.map((each) => ({ label: nameOf(each), value: each.aggregated_value ?? each.count }))
  if (display === 'BoldNumber')
    return (
      <Numbers numbers={values.map(({ label, value }) => ({ label, value: value.toLocaleString('en') }))} />
    )
  if (isTotal) return <BarList label="Totals" bars={values} />
  return (
    <>
      <Plot
        label="Trend"
        days={series[0]!.days}
        series={series.slice(0, MAX_SERIES).map((each) => ({ label: nameOf(each), data: each.data }))}
        unit={isByDay(series[0]!.days) ? 'day' : 'time'}
      />
      {series.length > MAX_SERIES && (
        <p className="soft small">{series.length - MAX_SERIES} more series are in the table.</p>
      )}
    </>
  )
}

const isByDay = ([first, second]: readonly string[]): boolean =>
  first !== undefined && second !== undefined && Date.parse(second) - Date.parse(first) === 86_400_000

/** The most funnels of a breakdown that are drawn. */
const MAX_FUNNELS = 6

function Funnel({ results }: { results: readonly (Step | Step[])[] }) {
  const funnels = Array.isArray(results[0]) ? (results as Step[][]) : [results as Step[]]
  if ((funnels[0]?.length ?? 0) === 0) return <Nothing />
  return (
    <div className="stack">
      {funnels.slice(0, MAX_FUNNELS).map((steps, index) => {
        const name = steps[0]?.breakdown_value === undefined ? 'Funnel' : words(steps[0].breakdown_value)
        const first = steps[0]?.count ?? 0
        return (
          <section key={index} className="stack">
            {funnels.length > 1 && <h3>{name}</h3>}
            <BarList
              label={name}
              bars={steps.map(
                ({ name: event, custom_name: custom, count, average_conversion_time: time }, step) => ({
                  label: `${step + 1}. ${custom ?? event}`,
                  value: count,
                  series: index,
                  note: [
                    percentOf(count, first),
                    ...(step > 0 && time !== null ? [`after ${durationOf(time)}`] : []),
                  ].join(', '),
                }),
              )}
            />
          </section>
        )
      })}
      {funnels.length > MAX_FUNNELS && (
        <p className="soft small">{funnels.length - MAX_FUNNELS} more funnels are in the result.</p>
      )}
    </div>
  )
}

const percentOf = (count: number, of: number): string =>
  `${(of === 0 ? 0 : (count / of) * 100).toLocaleString('en', { maximumFractionDigits: 1 })}%`

const DURATIONS = [
  [86_400, 'days'],
  [3_600, 'hours'],
  [60, 'minutes'],
] as const

function durationOf(seconds: number): string {
  const [size, unit] = DURATIONS.find(([each]) => seconds >= each) ?? [1, 'seconds']
  return `${(seconds / size).toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`
}

function Retention({ starts }: { starts: readonly Start[] }) {
  if (starts.length === 0) return <Nothing />
  const width = Math.max(...starts.map(({ values }) => values.length))
  const headings = starts.find(({ values }) => values.length === width)!.values
  const hasBreakdown = starts.some(({ breakdown_value: value }) => value !== undefined)
  const times = startsIn(starts, projectTimeZone())
  const periods = [...new Set(times)].toSorted()
  const running = isLastRunning(periods, Date.now(), projectTimeZone()) ? periods.length - 1 : null
  return (
    <>
      <div className="result-table" tabIndex={0} role="region" aria-label="Retention">
        <table className="retention">
          <thead>
            <tr>
              {hasBreakdown && <th>Value</th>}
              <th>Start</th>
              <th className="number">People</th>
              {headings.map(({ label }) => (
                <th key={label} className="number">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {starts.map(({ values, breakdown_value: value }, index) => {
              const first = values[0]?.count ?? 0
              const place = periods.indexOf(times[index]!)
              return (
                <tr key={index}>
                  {hasBreakdown && <td>{words(value)}</td>}
                  <th scope="row">{times[index]}</th>
                  <td className="number">{first.toLocaleString('en')}</td>
                  {Array.from({ length: width }, (_, at) => {
                    const count = values[at]?.count
                    if (count === undefined) return <td key={at} />
                    // A period that has not ended would look like a decline.
                    const isRunning = place + at === running
                    const share = first === 0 || isRunning ? 0 : count / first
                    return (
                      <td
                        key={at}
                        className={isRunning ? 'number soft' : 'number'}
                        style={{
                          background: `color-mix(in srgb, var(--accent) ${Math.round(share * 28)}%, transparent)`,
                        }}
                        title={`${count.toLocaleString('en')} people${isRunning ? ' so far' : ''}`}
                      >
                        {first === 0 ? <span className="soft">—</span> : percentOf(count, first)}
                      </td>
                    )
                  })}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {running !== null && (
        <p className="soft small">The last period is not over: its values, in gray, still grow.</p>
      )}
    </>
  )
}

const STATUS_COLOURS: Readonly<Record<string, number>> = { new: 0, returning: 1, resurrecting: 2, dormant: 3 }

/** Stacked bars: new and returning people are above the line, and those who left below it. */
function Lifecycle({ series: all }: { series: readonly Series[] }) {
  const series = all.map(({ status = '', ...each }) => ({
    ...each,
    label: status,
    colour: STATUS_COLOURS[status] ?? 4,
  }))
  const days = series[0]?.days ?? []
  if (days.length === 0) return <Nothing />
  const total = (day: number, sign: number) =>
    series.reduce((sum, { data }) => sum + Math.max(0, sign * (data[day] ?? 0)), 0)
  const halves = [['up', 1] as const, ['down', -1] as const].map(([side, sign]) => ({
    side,
    sign,
    most: Math.max(1, ...days.map((_, day) => total(day, sign))),
  }))
  return (
    <figure className="plot-figure">
      <div className="lifecycle" aria-hidden>
        {days.map((day, at) => (
          <div key={day} className="lifecycle-day" title={day}>
            {halves.map(({ side, sign, most }) => (
              <div key={side} className={side} style={{ flexGrow: most }}>
                {series
                  .filter(({ data }) => sign * (data[at] ?? 0) > 0)
                  .map(({ label, colour, data }) => (
                    <span
                      key={label}
                      className={`swatch-${colour}`}
                      style={{ height: `${((sign * data[at]!) / most) * 100}%` }}
                    />
                  ))}
              </div>
            ))}
          </div>
        ))}
      </div>
      <div className="row spread small soft" aria-hidden>
        <span>{days[0]}</span>
        <span>{days.at(-1)}</span>
      </div>
      <div className="legend row wrap small" aria-hidden>
        {series.map(({ label, colour, count }) => (
          <span key={label} className="row">
            <span className={`swatch swatch-${colour}`} /> {label}{' '}
            <strong>{Math.abs(count).toLocaleString('en')}</strong>
          </span>
        ))}
      </div>
      <ValuesTable caption="Lifecycle" heading="Day" days={days} series={series} />
    </figure>
  )
}

const Nothing = () => <Empty title="No data">No event of the time range matches.</Empty>
