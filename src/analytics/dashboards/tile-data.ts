// Numbers of a dashboard's tiles. Tiles are not compiled like saved queries, because reading a dashboard would load the parser, and HogQL
// reads `$feature_flag` from the properties of every call, where `countFlagEvents` uses an index.
import { toStoredTimestamp } from '../../timestamps'
import type { CallCount, FlagEvents } from '../event-reads/flag-events'
import type { TileQuery } from './usage-dashboard'

const DAY_MS = 86_400_000

/** Returns the days of a tile. The last one is today, in UTC. */
export function daysOf({ dateRange }: TileQuery, now: Date): string[] {
  const span = Number(/^-(\d{1,3})d$/.exec(dateRange.date_from)?.[1] ?? 30)
  const today = Math.floor(now.getTime() / DAY_MS)
  return Array.from({ length: span + 1 }, (_, index) =>
    new Date((today - span + index) * DAY_MS).toISOString().slice(0, 10),
  )
}

export function flagEventsOf(query: TileQuery, days: readonly string[]): FlagEvents {
  const [{ event, math } = { event: '', math: 'total' }] = query.series
  const [flag] = query.properties
  return {
    event,
    flagKey: flag?.value ?? '',
    isCall: flag?.key === '$feature_flag',
    countPeople: math === 'dau',
    from: toStoredTimestamp(new Date(`${days[0]}T00:00:00Z`)),
  }
}

/** Returns the lines of a chart, largest first. Without events there is one line of zeros. */
export function seriesFrom(rows: readonly CallCount[], event: string, days: readonly string[]) {
  const byResult = Map.groupBy(rows, ({ result }) => result)
  if (byResult.size === 0) byResult.set(null, [])
  return [...byResult]
    .map(([result, each]) => {
      const totals = new Map(each.map(({ day, total }) => [day, total]))
      const data = days.map((day) => totals.get(day) ?? 0)
      return {
        label: result ?? event,
        breakdown_value: result,
        count: data.reduce((sum, value) => sum + value, 0),
        data,
        days: [...days],
      }
    })
    .sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1))
}
