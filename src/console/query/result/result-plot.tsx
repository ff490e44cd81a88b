// Shows a result as a plot, and the choice of what is drawn.
import { useMemo } from 'react'
import { Select } from '../../design/fields/field'
import { BarList, Numbers } from './bars'
import {
  asKind,
  barsOf,
  KIND_NAMES,
  kindsFor,
  linesOf,
  namesOf,
  type PlotChoice,
  type Result,
  textOf,
} from './plot-choice'
import { lazyComponent } from '../../design/lazy-component'

const Plot = lazyComponent(() => import('../../design/plot'))

const ALL = ''

interface ResultPlotProps {
  result: Result
  choice: PlotChoice
  /** Called with another choice. Without it, the choice is not shown. */
  onChange?: (choice: PlotChoice) => void
  label: string
}

export default function ResultPlot({ onChange, ...drawn }: ResultPlotProps) {
  if (!onChange) return <Drawing {...drawn} />
  return (
    <div className="stack">
      <Choice {...drawn} onChange={onChange} />
      <Drawing {...drawn} />
    </div>
  )
}

interface ChoiceProps extends Pick<ResultPlotProps, 'result' | 'choice'> {
  onChange(choice: PlotChoice): void
}

function Choice({ result, choice, onChange }: ChoiceProps) {
  const numbers = namesOf(result, 'number')
  const axes = choice.kind === 'line' ? namesOf(result, 'time') : namesOf(result, 'text', 'time')
  const texts = namesOf(result, 'text')
  return (
    <div className="row wrap">
      <Select
        label="Kind of plot"
        isSmall
        value={choice.kind}
        options={kindsFor(result).map((kind) => [kind, KIND_NAMES[kind]] as const)}
        onChange={(kind) => onChange(asKind(choice, kind, result))}
      />
      {choice.x !== null && (
        <Select
          label="Axis"
          isSmall
          value={choice.x}
          options={axes.map((name) => [name, `by ${name}`] as const)}
          onChange={(x) => onChange({ ...choice, x })}
        />
      )}
      <Select
        label="Value"
        isSmall
        value={choice.y.length > 1 ? ALL : choice.y[0]!}
        options={[
          ...(numbers.length > 1 && choice.kind !== 'bar' ? [[ALL, 'All numbers'] as const] : []),
          ...numbers.map((name) => [name, name] as const),
        ]}
        onChange={(name) => onChange({ ...choice, y: name === ALL ? numbers : [name] })}
      />
      {choice.kind === 'line' && texts.length > 0 && (
        <Select
          label="Series"
          isSmall
          value={choice.by ?? ''}
          options={[['', 'One series'], ...texts.map((name) => [name, `a series per ${name}`] as const)]}
          onChange={(by) => onChange({ ...choice, by: by || null })}
        />
      )}
    </div>
  )
}

function Drawing({ result, choice, label }: Omit<ResultPlotProps, 'onChange'>) {
  const lines = useMemo(() => (choice.kind === 'line' ? linesOf(result, choice) : null), [result, choice])
  if (lines)
    return (
      <>
        <Plot label={label} days={lines.times} series={lines.series} unit="time" />
        <Omitted count={lines.omitted} what="series" />
        <Omitted count={lines.hiddenRows} what="rows with the same time" />
      </>
    )
  if (choice.kind === 'number') {
    const first = result.rows[0] ?? []
    return (
      <>
        <Numbers
          numbers={choice.y.map((name) => {
            const value = first[result.columns.indexOf(name)]
            return {
              label: name,
              value: typeof value === 'number' ? value.toLocaleString('en') : textOf(value),
            }
          })}
        />
        <Omitted count={result.rows.length - 1} what="rows" />
      </>
    )
  }
  const { bars, omitted } = barsOf(result, choice)
  return (
    <>
      <BarList label={label} bars={bars} />
      <Omitted count={omitted} what="bars" />
    </>
  )
}

const Omitted = ({ count, what }: { count: number; what: string }) =>
  count > 0 ? (
    <p className="soft small">
      {count.toLocaleString('en')} more {what} are in the table.
    </p>
  ) : null
