// Values by day: uPlot for the eye, a table for everybody else.
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

const COLOURS = ['#3f6fe0', '#d9822b', '#2f9e6e', '#a855c7', '#c94a62', '#5f8a9c']

interface PlotProps {
  label: string
  /** ISO dates. */
  days: readonly string[]
  series: readonly { label: string; data: readonly number[] }[]
}

export default function Plot({ label, days, series }: PlotProps) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = host.current!
    const style = getComputedStyle(document.documentElement)
    const axis = {
      stroke: style.getPropertyValue('--soft'),
      grid: { stroke: style.getPropertyValue('--line'), width: 1 },
      ticks: { show: false },
    }
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: 240,
        legend: { live: true },
        cursor: { y: false },
        axes: [axis, { ...axis, size: 60 }],
        scales: { y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.1)] } },
        series: [
          { value: '{YYYY}-{MM}-{DD}' },
          ...series.map(({ label: name }, index) => ({
            label: name,
            stroke: COLOURS[index % COLOURS.length],
            width: 2,
            points: { show: days.length < 15 },
          })),
        ],
      },
      [days.map((day) => Date.parse(day) / 1000), ...series.map(({ data }) => [...data])],
      element,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: 240 }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [days, series])
  return (
    <figure>
      <div ref={host} className="plot" aria-hidden />
      <table className="visually-hidden">
        <caption>{label}</caption>
        <thead>
          <tr>
            <th>Day</th>
            {series.map(({ label: name }) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, index) => (
            <tr key={day}>
              <th>{day}</th>
              {series.map(({ label: name, data }) => (
                <td key={name}>{data[index]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
