// Shows a chart of a flag's calls: on a dashboard, and beside the flag.
import { useQuery } from '@tanstack/react-query'
import type { Flag } from '../api/client'
import { chartQuery, type DateRange, type Tile } from '../api/dashboards'
import { Empty, Loading, ProblemNotice } from '../design/feedback'
import { lazyComponent } from '../design/lazy-component'
import { callsByValue } from './calls-by-value'

const Plot = lazyComponent(() => import('../design/plot'))

const DAY = /^-(\d+)d$/

/** The days of a chart that the dashboard's response has. */
const MAX_DAYS = 30

interface CallsChartProps {
  projectId: number
  insight: NonNullable<Tile['insight']>
  /** The flag whose values give the series their order and colours. Default: the series as they are. */
  flag?: Flag
  range?: DateRange | null
  refetchInterval?: number | false
}

/** The days of the chart are taken from the dashboard if that has them, and otherwise requested. */
export function CallsChart({ projectId, insight, flag, range, refetchInterval = false }: CallsChartProps) {
  const from = range?.date_from ?? '-30d'
  const days = from === '-24h' ? 1 : Number(DAY.exec(from)?.[1] ?? Number.POSITIVE_INFINITY)
  const isPart = days <= MAX_DAYS && !range?.date_to && insight.result !== null
  const other = useQuery({
    ...chartQuery(projectId, insight.query, range ?? { date_from: '-30d', date_to: null }),
    enabled: !isPart,
    refetchInterval,
  })
  if (!isPart && other.isPending) return <Loading label="Loading the chart" />
  if (!isPart && !other.data)
    return <ProblemNotice error={other.error} onRetry={() => void other.refetch()} />
  const series = isPart
    ? insight.result!.map((line) => ({
        ...line,
        data: line.data.slice(-days - 1),
        days: line.days.slice(-days - 1),
      }))
    : (other.data?.results ?? [])
  if (series.every(({ data }) => data.every((value) => value === 0)))
    return (
      <Empty title="No calls">
        No call of the flag is in this time range. SDKs send an event when they first use the flag for a
        person.
      </Empty>
    )
  return (
    <Plot
      label={insight.name}
      days={series[0]?.days ?? []}
      series={
        flag
          ? callsByValue(flag, series)
          : series.map(({ label, breakdown_value: value, data }) => ({ label: value ?? label, data }))
      }
    />
  )
}
