// The content of a tile: the chart of a flag's usage, or the result of a saved query.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { chartQuery, type DateRange, type Tile, tileRunQuery } from '../api/dashboards'
import { endpointQuery, variablesQuery } from '../api/saved-queries'
import { Empty, Loading, Notice, ProblemNotice } from '../design/feedback'
import { Time } from '../design/small'
import { storedValues, type Values, variableNames, withValues } from '../query/draft'
import { rowsOfInsight } from '../query/insight/insight-rows'
import { displayOf, fitting, suggestedPlot, TABLE_KINDS, tableOf } from '../query/result/plot-choice'
import '../query/query.css'
import { ResultTable } from '../query/result/result-table'
import { useView } from '../query/result/use-view'
import { lazyPart } from '../design/lazy-part'

const Plot = lazyPart(() => import('../design/plot'))
const ResultPlot = lazyPart(() => import('../query/result/result-plot'))
const InsightPlot = lazyPart(() => import('../query/insight/insight-plot'))

export interface TileTiming {
  /** Null: the range of the tile itself. */
  range: DateRange | null
  /** Milliseconds between two reads; false for none. */
  refetchInterval: number | false
}

type Insight = NonNullable<Tile['insight']>

const DAY = /^-(\d+)d$/

/** Days of a chart that the dashboard's own read has. */
const MAX_DAYS = 30

/** The chart of a flag's usage: the days are a part of those that the dashboard has, or are asked for. */
export function ChartTile({
  projectId,
  insight,
  timing,
}: {
  projectId: number
  insight: Insight
  timing: TileTiming
}) {
  const { range } = timing
  const from = range?.date_from ?? '-30d'
  const days = from === '-24h' ? 1 : Number(DAY.exec(from)?.[1] ?? Number.POSITIVE_INFINITY)
  const isPart = days <= MAX_DAYS && !range?.date_to && insight.result !== null
  const other = useQuery({
    ...chartQuery(projectId, insight.query, range ?? { date_from: '-30d', date_to: null }),
    enabled: !isPart,
    refetchInterval: timing.refetchInterval,
  })
  if (!isPart && other.isPending) return <Loading label="Loading the chart" />
  if (!isPart && other.isError)
    return <ProblemNotice error={other.error} onRetry={() => void other.refetch()} />
  const series = isPart
    ? insight.result!.map((line) => ({
        ...line,
        data: line.data.slice(-days - 1),
        days: line.days.slice(-days - 1),
      }))
    : (other.data?.results ?? [])
  if (series.every(({ data }) => data.every((value) => value === 0)))
    return <Empty title="No calls">No call of the flag is in this time range.</Empty>
  return (
    <Plot
      label={insight.name}
      days={series[0]?.days ?? []}
      series={series.map(({ label, breakdown_value: value, data }) => ({ label: value ?? label, data }))}
    />
  )
}

/** What a HogQL query has in place of a condition on its time range. */
const FILTERS = /\{\s*filters\s*\}/

interface EndpointTileProps {
  projectId: number
  name: string
  timing: TileTiming
  /** Of variables, in place of the values that the query has. */
  values: Values
}

/** A saved query: it runs once the tile is on the screen, with its stored result where that is fresh enough, and again at each refresh. */
export const EndpointTile = (props: EndpointTileProps) => (
  <OnceSeen>
    <EndpointResult {...props} />
  </OnceSeen>
)

function EndpointResult({ projectId, name, timing, values }: EndpointTileProps) {
  const endpoint = useQuery(endpointQuery(projectId, name))
  const query = endpoint.data?.query as (Record<string, unknown> & { kind: string }) | undefined
  const isTable = TABLE_KINDS.has(query?.kind ?? '')
  const isSql = query?.kind === 'HogQLQuery'
  const filtered = isSql && FILTERS.test(String(query.query)) ? query : null
  const takesRange = query !== undefined && (!isSql || filtered !== null)
  const names = isSql ? variableNames(String(query.query)) : []
  const variables = useQuery({ ...variablesQuery(projectId), enabled: names.length > 0 })
  const known = { ...storedValues(query, variables.data ?? []), ...values }
  const run = useQuery({
    ...tileRunQuery(projectId, {
      name,
      version: endpoint.data?.current_version ?? 0,
      range: takesRange ? timing.range : null,
      filtered: filtered && withValues(filtered, known, variables.data ?? []),
      variables: Object.fromEntries(names.map((each) => [each, known[each] ?? null])),
    }),
    enabled: query !== undefined && (names.length === 0 || !variables.isPending),
    refetchInterval: timing.refetchInterval,
  })
  const [view, setView] = useView(projectId, query?.kind ?? '', name)
  if (endpoint.isError)
    return <ProblemNotice error={endpoint.error} onRetry={() => void endpoint.refetch()} />
  if (run.isError && !run.data) return <ProblemNotice error={run.error} onRetry={() => void run.refetch()} />
  if (!query || !run.data) return <Loading label={`Running ${name}`} />
  const result = run.data
  const table = isTable ? tableOf(result) : rowsOfInsight(query.kind, result.results)
  const plot = isTable && table ? (fitting(view.plot ?? null, table) ?? suggestedPlot(table)) : null
  return (
    <div className="stack">
      {run.isError && (
        <Notice tone="warn">Not refreshed: {run.error.message} This is the last result.</Notice>
      )}
      {isTable && table?.rows.length === 0 ? (
        <Empty title="No rows">The query ran, and nothing matches it.</Empty>
      ) : (
        <>
          {table && (view.shows === 'table' || (isTable && !plot)) ? (
            <ResultTable result={table} label={`Rows of ${name}`} />
          ) : table && plot ? (
            <ResultPlot
              result={table}
              choice={plot}
              onChange={(chosen) => setView({ ...view, plot: chosen })}
              label={name}
            />
          ) : (
            <InsightPlot
              kind={query.kind}
              results={result.results}
              display={displayOf(query)}
              plot={view.trend ?? null}
              onPlot={(trend) => setView({ ...view, trend })}
            />
          )}
        </>
      )}
      <p className="soft small">
        Computed <Time at={result.last_refresh} />
        {timing.range && !takesRange && ' · The time range does not apply: the SQL has no {filters}'}
      </p>
    </div>
  )
}

/** Shows its children from when they were first on the screen: a project runs few queries at once. */
function OnceSeen({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [isSeen, setIsSeen] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setIsSeen(true),
    )
    observer.observe(place.current!)
    return () => observer.disconnect()
  }, [])
  return <div ref={place}>{isSeen ? children : <Loading label="Not on the screen yet" />}</div>
}
