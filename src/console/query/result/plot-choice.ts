// Chooses the plot of a result, and computes its values. The functions are pure.
import type { QueryKind } from '../draft'

export type PlotKind = 'line' | 'bar' | 'number'

export const KIND_NAMES: Readonly<Record<PlotKind, string>> = {
  line: 'Lines',
  bar: 'Bars',
  number: 'Numbers',
}

export interface PlotChoice {
  kind: PlotKind
  /** The column of the axis, or null for numbers. */
  x: string | null
  /** The columns of numbers. */
  y: string[]
  /** The column whose values become separate series. */
  by: string | null
}

/** Kinds whose results are rows of columns. */
export const TABLE_KINDS: ReadonlySet<string> = new Set([
  'HogQLQuery',
  'EventsQuery',
  'ActorsQuery',
  'WebStatsTableQuery',
] satisfies QueryKind[])

export interface Result {
  columns: readonly string[]
  types: readonly (readonly string[])[]
  rows: readonly (readonly unknown[])[]
}

/** Returns the rows of a run whose results are rows. */
export const tableOf = ({
  columns,
  types,
  results,
}: {
  columns?: readonly string[] | null
  types?: readonly (readonly string[])[] | null
  results?: unknown
}): Result => ({ columns: columns ?? [], types: types ?? [], rows: results as unknown[][] })

/** Returns the display of a trend, as its query says. */
export const displayOf = ({ trendsFilter: filter }: Record<string, unknown>): string | null =>
  (filter as { display?: string } | null | undefined)?.display ?? null

type Nature = 'number' | 'time' | 'text' | 'other'

export function natureOf(type: string): Nature {
  const bare = type.replace(/^Nullable\((.*)\)$/, '$1')
  if (/^(Int|UInt|Float|Decimal)/.test(bare)) return 'number'
  if (bare.startsWith('Date')) return 'time'
  return /^(String|Bool)/.test(bare) ? 'text' : 'other'
}

export const namesOf = ({ columns, types }: Result, ...natures: Nature[]): string[] =>
  columns.filter((_, index) => natures.includes(natureOf(types[index]?.[1] ?? '')))

/** Returns the kinds of plot that the columns allow. */
export function kindsFor(result: Result): PlotKind[] {
  const hasNumbers = namesOf(result, 'number').length > 0
  if (!hasNumbers || result.rows.length === 0) return []
  return [
    ...(namesOf(result, 'time').length > 0 ? (['line'] as const) : []),
    ...(namesOf(result, 'text', 'time').length > 0 ? (['bar'] as const) : []),
    'number',
  ]
}

/** Returns the choice that fits the columns best, or null when none fits. */
export function suggestedPlot(result: Result): PlotChoice | null {
  const [numbers, times, texts] = [
    namesOf(result, 'number'),
    namesOf(result, 'time'),
    namesOf(result, 'text'),
  ]
  if (numbers.length === 0 || result.rows.length === 0) return null
  if (result.rows.length === 1 && times.length + texts.length === 0)
    return { kind: 'number', x: null, y: numbers, by: null }
  if (times.length > 0) {
    const lines = { kind: 'line' as const, x: times[0]!, y: [numbers[0]!] }
    const by = texts.find((name) => linesOf(result, { ...lines, by: name }).hiddenRows === 0) ?? texts[0]
    return by === undefined ? { ...lines, y: numbers, by: null } : { ...lines, by }
  }
  return texts.length > 0 ? { kind: 'bar', x: texts[0]!, y: [numbers[0]!], by: null } : null
}

/** Returns the choice, if the result still has its columns. */
export function fitting(choice: PlotChoice | null, result: Result): PlotChoice | null {
  if (!choice || !kindsFor(result).includes(choice.kind)) return null
  const y = choice.y.filter((name) => namesOf(result, 'number').includes(name))
  const hasX = choice.x === null ? choice.kind === 'number' : result.columns.includes(choice.x)
  const by = choice.by !== null && result.columns.includes(choice.by) ? choice.by : null
  return hasX && y.length > 0 ? { ...choice, y, by } : null
}

/** Returns the choice of another kind, with columns that it needs. */
export function asKind(choice: PlotChoice, kind: PlotKind, result: Result): PlotChoice {
  const numbers = namesOf(result, 'number')
  switch (kind) {
    case 'number':
      return { kind, x: null, y: numbers, by: null }
    case 'line': {
      const x = namesOf(result, 'time')[0] ?? null
      return { kind, x, y: choice.y, by: namesOf(result, 'text')[0] ?? null }
    }
    case 'bar':
      return {
        kind,
        x: namesOf(result, 'text', 'time')[0] ?? null,
        y: [choice.y[0] ?? numbers[0]!],
        by: null,
      }
  }
}

/** The most series and bars that are drawn. */
export const MAX_SERIES = 6
const MAX_BARS = 50

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

export interface Lines {
  times: string[]
  series: { label: string; data: (number | null)[] }[]
  /** The number of series that are not drawn. */
  omitted: number
  /** The number of rows with the time and the series of an earlier row, which are not drawn. */
  hiddenRows: number
}

/** Returns values by time, ascending; of many series the largest. */
export function linesOf({ columns, rows }: Result, { x, y, by }: PlotChoice): Lines {
  const [at, split] = [columns.indexOf(x ?? ''), by === null ? -1 : columns.indexOf(by)]
  const values = new Map<string, Map<string, number | null>>()
  const times = new Set<string>()
  let hiddenRows = 0
  for (const row of rows) {
    const time = row[at]
    if (typeof time !== 'string') continue
    if (values.get(split < 0 ? (y[0] ?? '') : textOf(row[split]))?.has(time)) {
      hiddenRows += 1
      continue
    }
    times.add(time)
    for (const name of y) {
      const label = split < 0 ? name : textOf(row[split])
      const series = values.get(label) ?? new Map<string, number | null>()
      series.set(time, numberOf(row[columns.indexOf(name)]))
      values.set(label, series)
    }
  }
  const sorted = [...times].toSorted((one, other) => Date.parse(one) - Date.parse(other))
  const sum = (series: Map<string, number | null>) =>
    [...series.values()].reduce<number>((total, value) => total + (value ?? 0), 0)
  const all = [...values].toSorted(([, one], [, other]) => (by === null ? 0 : sum(other) - sum(one)))
  return {
    times: sorted,
    series: all
      .slice(0, MAX_SERIES)
      .map(([label, series]) => ({ label, data: sorted.map((time) => series.get(time) ?? null) })),
    omitted: Math.max(0, all.length - MAX_SERIES),
    hiddenRows,
  }
}

export interface Bars {
  bars: { label: string; value: number }[]
  omitted: number
}

export function barsOf({ columns, rows }: Result, { x, y }: PlotChoice): Bars {
  const [at, value] = [columns.indexOf(x ?? ''), columns.indexOf(y[0] ?? '')]
  const bars = rows.map((row) => ({ label: textOf(row[at]), value: numberOf(row[value]) ?? 0 }))
  return { bars: bars.slice(0, MAX_BARS), omitted: Math.max(0, bars.length - MAX_BARS) }
}

/** Returns a value as a table shows it. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '—'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
