// The numbers of a dashboard's tiles: events a day, by what the flag answered. One statement a tile, all in one batch.
//
// A tile's query is a TrendsQuery, and still not run as those of endpoints are: those are compiled when they are written, tiles are not,
// so that reading a dashboard would load the parser and compile each tile. And HogQL reads `$feature_flag` out of the properties of every
// call, where these statements read the calls of one flag from their index.
import { and, eq, gte, sql } from 'drizzle-orm'
import { events } from '../../drizzle'
import type { Database } from '../storage/database'
import { stored } from '../timestamps'
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

/** The statement that counts what a tile shows, by day and answer. */
export function selectTileData(db: Database, projectId: number, query: TileQuery, days: readonly string[]) {
  const [{ event, math } = { event: '', math: 'total' }] = query.series
  const flag = query.properties[0]
  const isCall = flag?.key === '$feature_flag'
  return db
    .select({
      day: sql<string>`substr(${events.timestamp}, 1, 10)`.as('day'),
      answer: isCall ? events.flagResponse : sql<string | null>`NULL`.as('flag_response'),
      total: (math === 'dau' ? sql<number>`count(DISTINCT ${events.distinctId})` : sql<number>`count(*)`).as(
        'total',
      ),
    })
    .from(events)
    .where(
      and(
        eq(events.projectId, projectId),
        isCall
          ? eq(events.flagKey, flag.value)
          : sql`json_extract(${events.properties}, '$.feature_flag') = ${flag?.value ?? null}`,
        eq(events.event, event),
        gte(events.timestamp, stored(new Date(`${days[0]}T00:00:00Z`))),
      ),
    )
    .groupBy(sql`1, 2`)
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
