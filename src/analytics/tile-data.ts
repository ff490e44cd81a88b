// The numbers of a dashboard's tiles: events a day, by what the flag answered.
//
// A tile's query is a TrendsQuery that is not run as those of endpoints are: those are compiled when they are written, tiles are not, so
// that reading a dashboard would load the parser and compile each tile. And HogQL reads `$feature_flag` from the properties of every call,
// where `countFlagEvents` reads the calls of one flag from their index.
import { stored } from '../timestamps'
import type { FlagEvents } from './event-reads'
import type { TileQuery } from './usage-dashboard'

const DAY_MS = 86_400_000

/** One line of a chart. */
export interface Series {
  label: string
  breakdown_value: string | null
  /** Sum of `data`. */
  count: number
  /** One number a day, oldest first. */
  data: number[]
  /** The days, `YYYY-MM-DD`. */
  days: string[]
}

/** The days of a tile that ends today, in UTC. */
export function daysOf({ dateRange }: TileQuery, now: Date): string[] {
  const span = Number(/^-(\d{1,3})d$/.exec(dateRange.date_from)?.[1] ?? 30)
  const today = Math.floor(now.getTime() / DAY_MS)
  return Array.from({ length: span + 1 }, (_, index) =>
    new Date((today - span + index) * DAY_MS).toISOString().slice(0, 10),
  )
}

/** The events that a tile counts. */
export function flagEventsOf(query: TileQuery, days: readonly string[]): FlagEvents {
  const [{ event, math } = { event: '', math: 'total' }] = query.series
  const [flag] = query.properties
  return {
    event,
    flagKey: flag?.value ?? '',
    isCall: flag?.key === '$feature_flag',
    countPeople: math === 'dau',
    from: stored(new Date(`${days[0]}T00:00:00Z`)),
  }
}

/** Rows as lines of a chart, the largest first. Without any event there is one line of zeros. */
export function seriesFrom(
  rows: readonly { day: string; answer: string | null; total: number }[],
  event: string,
  days: readonly string[],
): Series[] {
  const byAnswer = Map.groupBy(rows, ({ answer }) => answer)
  if (byAnswer.size === 0) byAnswer.set(null, [])
  return [...byAnswer]
    .map(([answer, each]) => {
      const totals = new Map(each.map(({ day, total }) => [day, total]))
      const data = days.map((day) => totals.get(day) ?? 0)
      return {
        label: answer ?? event,
        breakdown_value: answer,
        count: data.reduce((sum, value) => sum + value, 0),
        data,
        days: [...days],
      }
    })
    .sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1))
}
