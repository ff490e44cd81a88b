// The content of a tile: the chart of a flag's usage, or the result of a saved query.
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { chartQuery, type DateRange, type Tile, tileRunQuery } from '../api/dashboards'
import { endpointQuery } from '../api/saved-queries'
import { Empty, Loading, Notice, ProblemNotice } from '../design/feedback'
import { Time } from '../design/small'
import { fitting, type PlotChoice, type Result, suggestedPlot } from '../query/plot-choice'
import '../query/query.css'
import { ResultTable } from '../query/result-table'
import { useRemembered } from '../query/use-remembered'

const Plot = lazy(() => import('../design/plot'))
const ResultPlot = lazy(() => import('../query/result-plot'))
const InsightPlot = lazy(() => import('../query/insight-plot'))

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
    <Suspense fallback={<Loading />}>
      <Plot
        label={insight.name}
        days={series[0]?.days ?? []}
        series={series.map(({ label, breakdown_value: value, data }) => ({ label: value ?? label, data }))}
      />
    </Suspense>
  )
}

/** Kinds whose results are rows of columns. */
const TABLE_KINDS: ReadonlySet<string> = new Set([
  'HogQLQuery',
  'EventsQuery',
  'ActorsQuery',
  'WebStatsTableQuery',
])

/** What a HogQL query has in place of a condition on its time range. */
const FILTERS = /\{\s*filters\s*\}/

interface EndpointTileProps {
  projectId: number
  name: string
  timing: TileTiming
}

/** A saved query: it runs once the tile is on the screen, with its stored result where that is fresh enough. */
export const EndpointTile = (props: EndpointTileProps) => (
  <OnceSeen>
    <EndpointResult {...props} />
  </OnceSeen>
)

function EndpointResult({ projectId, name, timing }: EndpointTileProps) {
  const endpoint = useQuery(endpointQuery(projectId, name))
  const query = endpoint.data?.query as (Record<string, unknown> & { kind: string }) | undefined
  const isTable = TABLE_KINDS.has(query?.kind ?? '')
  const isSql = query?.kind === 'HogQLQuery'
  const filtered = isSql && FILTERS.test(String(query.query)) ? query : null
  const takesRange = query !== undefined && (!isSql || filtered !== null)
  const run = useQuery({
    ...tileRunQuery(projectId, name, takesRange ? timing.range : null, filtered),
    enabled: query !== undefined,
    refetchInterval: timing.refetchInterval,
  })
  const [choice, setChoice] = useRemembered<{ plot?: PlotChoice | null }>(`result ${name}`, {})
  if (endpoint.isError)
    return <ProblemNotice error={endpoint.error} onRetry={() => void endpoint.refetch()} />
  if (run.isError && !run.data) return <ProblemNotice error={run.error} onRetry={() => void run.refetch()} />
  if (!query || !run.data) return <Loading label={`Running ${name}`} />
  const result = run.data
  const table: Result = {
    columns: result.columns ?? [],
    types: result.types ?? [],
    rows: isTable ? (result.results as unknown[][]) : [],
  }
  const plot = fitting(choice.plot ?? null, table) ?? suggestedPlot(table)
  return (
    <div className="stack">
      {run.isError && (
        <Notice tone="warn">Not refreshed: {run.error.message} This is the last result.</Notice>
      )}
      {isTable && table.rows.length === 0 ? (
        <Empty title="No rows">The query ran, and nothing matches it.</Empty>
      ) : (
        <Suspense fallback={<Loading />}>
          {isTable ? (
            plot ? (
              <ResultPlot
                result={table}
                choice={plot}
                onChange={(chosen) => setChoice({ ...choice, plot: chosen })}
                label={name}
              />
            ) : (
              <ResultTable result={table} label={`Rows of ${name}`} />
            )
          ) : (
            <InsightPlot kind={query.kind} results={result.results} display={displayOf(query)} />
          )}
        </Suspense>
      )}
      <p className="soft small">
        Computed <Time at={result.last_refresh} />
        {timing.range && !takesRange && ' · The time range does not apply: the SQL has no {filters}'}
      </p>
    </div>
  )
}

const displayOf = ({ trendsFilter: filter }: Record<string, unknown>): string | null =>
  (filter as { display?: string } | null | undefined)?.display ?? null

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
