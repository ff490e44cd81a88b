// Visitors, views, sessions, their duration and bounce rate.
import type { WebOverviewQuery } from '../../query/query-types'
import type { InsightKind } from '../insight-kind'
import { roundEven } from '../sums'
import { list } from '../text-parts'
import { inRanges, pairsOf, sessionsText, webTimes } from './web-views'

const METRICS = [
  { key: 'visitors', kind: 'unit', isIncreaseBad: null },
  { key: 'views', kind: 'unit', isIncreaseBad: null },
  { key: 'sessions', kind: 'unit', isIncreaseBad: null },
  { key: 'session duration', kind: 'duration_s', isIncreaseBad: null },
  { key: 'bounce rate', kind: 'percentage', isIncreaseBad: true },
] as const

const numberOf = (value: unknown, kind: string): number | null => {
  if (value === null || value === undefined) return null
  return kind === 'percentage' ? Number(value) * 100 : Number(value)
}

const changeOf = (value: number | null, previous: number | null): number | null =>
  value === null || previous === null || previous === 0
    ? null
    : roundEven((100 * (value - previous)) / previous)

export const webOverviewKind: InsightKind<WebOverviewQuery> = {
  /** Returns HogQL with two columns per metric: its value, and its value in the range before. */
  text(query, context) {
    const sessions = context.stages.add(sessionsText(query, context))
    const pair = pairsOf(query, context)
    return `SELECT ${list(
      pair('visitors', (condition) => `uniqIf(person, ${condition})`),
      pair('views', (condition) => `sumIf(seen, ${condition})`),
      pair('sessions', (condition) => `uniqIf(session_key, ${condition})`),
      pair('duration', (condition) => `avgIf(seconds, ${condition})`),
      pair('bounces', (condition) => `avgIf(bounced, ${condition})`),
    )} FROM ${sessions} WHERE ${inRanges(query, context, 'began')}`
  },
  times: webTimes,
  result(_, [row = []]) {
    return {
      results: METRICS.map(({ key, kind, isIncreaseBad }, index) => {
        const value = numberOf(row[2 * index], kind)
        const previous = numberOf(row[2 * index + 1], kind)
        return { key, kind, isIncreaseBad, value, previous, changeFromPreviousPct: changeOf(value, previous) }
      }),
    }
  },
}
