// Renders values by day or other times: uPlot as the picture, a table for screen readers.
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { projectTimeZone } from '../api/queries'
import './plot.css'
import { isLastRunning } from './running-interval'
import { partsFor, stepsOf } from './time-axis'
import { ValuesTable } from './values-table'

/** Days of which each has a point. */
const MAX_POINTS = 15

/** Values are counts. */
const WHOLE_STEPS = [0, 1, 2, 3, 4, 5, 6].flatMap((power) => [1, 2, 5].map((each) => each * 10 ** power))

interface Series {
  label: string
  data: readonly (number | null)[]
  /** Index of its colour. Default: its index. */
  colour?: number
}

interface PlotProps {
  label: string
  /** ISO dates, or times in ascending order. */
  days: readonly string[]
  series: readonly Series[]
  /** The meaning of a point of the axis. */
  unit?: 'day' | 'time'
  /** Whether most times have a value in one of the series only. */
  isSparse?: boolean
}

/** The colours are those of the swatches of variants. */
export default function Plot({ label, days, series, unit = 'day', isSparse = false }: PlotProps) {
  const host = useRef<HTMLDivElement>(null)
  const timeZone = projectTimeZone()
  const isRunning = !isSparse && isLastRunning(days, Date.now(), timeZone)
  const [at, setAt] = useState<number | null>(null)
  const [theme, setTheme] = useState(0)
  // Lines keep the colours that they were drawn with.
  useEffect(() => {
    const redraw = () => setTheme((count) => count + 1)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const observer = new MutationObserver(redraw)
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    scheme.addEventListener('change', redraw)
    return () => {
      observer.disconnect()
      scheme.removeEventListener('change', redraw)
    }
  }, [])
  useEffect(() => {
    const element = host.current!
    const style = getComputedStyle(document.documentElement)
    const axis: uPlot.Axis = {
      stroke: style.getPropertyValue('--soft'),
      font: `12px ${style.getPropertyValue('--sans')}`,
      grid: { stroke: style.getPropertyValue('--line'), width: 1 },
      ticks: { show: false },
    }
    const size = () => ({ width: element.clientWidth, height: element.clientHeight })
    const last = days.length - 1
    // The value of an interval that has not ended would look like a decline.
    const lines = series.flatMap((each, place) =>
      isRunning
        ? [
            {
              ...each,
              index: place,
              dash: false,
              data: each.data.map((value, index) => (index === last ? null : value)),
            },
            {
              ...each,
              index: place,
              dash: true,
              data: each.data.map((value, index) => (index >= last - 1 ? value : null)),
            },
          ]
        : [{ ...each, index: place, dash: false }],
    )
    const plot = new uPlot(
      {
        ...size(),
        legend: { show: false },
        padding: [8, 24, 0, 0],
        cursor: { y: false, drag: { x: false, y: false } },
        axes: [
          {
            ...axis,
            space: 70,
            size: 28,
            incrs: stepsOf(days),
            values: (_plot, times) =>
              times.map((time) =>
                new Date(time * 1_000).toLocaleString('en', { timeZone: 'UTC', ...partsFor(days) }),
              ),
          },
          {
            ...axis,
            size: 55,
            ...(series.every(({ data }) => data.every(Number.isInteger)) ? { incrs: WHOLE_STEPS } : {}),
          },
        ],
        scales: {
          // A single point has a day before and after it, in place of years.
          ...(days.length === 1 ? { x: { range: aroundOne } } : {}),
          y: { range: (_plot, min, max) => [Math.min(0, min * 1.1), max > 0 ? max * 1.1 : 1] },
        },
        tzDate: (time) => uPlot.tzDate(new Date(time * 1_000), 'UTC'),
        series: [
          {},
          ...lines.map(({ label: name, colour, index, dash }) => ({
            label: name,
            ...(dash ? { dash: [4, 4] } : {}),
            stroke: style.getPropertyValue(`--series-${(colour ?? index) % 6}`),
            width: 2,
            points: { show: isSparse || days.length < MAX_POINTS },
            spanGaps: isSparse,
          })),
        ],
        hooks: { setCursor: [({ cursor }) => setAt(cursor.idx ?? null)] },
      },
      [days.map((day) => Date.parse(day) / 1000), ...lines.map(({ data }) => [...data])],
      element,
    )
    const observer = new ResizeObserver(() => plot.setSize(size()))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [days, series, theme, unit, isSparse, isRunning])
  const day = at === null ? undefined : days[at]
  return (
    <figure className="plot-figure">
      <div ref={host} className="plot" aria-hidden />
      <div className="legend row wrap small" aria-hidden>
        <span className="soft legend-day">
          {day ?? `${days.length} ${unit === 'day' ? 'day' : 'point'}${days.length === 1 ? '' : 's'}`}
          {isRunning && (at === null ? ', the last so far' : at === days.length - 1 && ', so far')}
        </span>
        {series.map(({ label: name, data, colour }, index) => (
          <span key={name} className="row">
            <span className={`swatch swatch-${(colour ?? index) % 6}`} /> {name}{' '}
            <strong>{(at === null ? undefined : data[at])?.toLocaleString('en')}</strong>
          </span>
        ))}
      </div>
      <ValuesTable caption={label} heading={unit === 'day' ? 'Day' : 'Time'} days={days} series={series} />
    </figure>
  )
}

const DAY_SECONDS = 86_400

const aroundOne = (_plot: uPlot, at: number): [number, number] => [at - DAY_SECONDS, at + DAY_SECONDS]
