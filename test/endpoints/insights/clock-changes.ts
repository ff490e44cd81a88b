// Events around the hours that clocks repeat or skip, insights over them, and what a plain count gives.
import type { CompiledQuery } from '../../../src/hogql/compiled'
import type { Resolved } from '../../../src/hogql/resolve/resolve'
import { parseQuery } from '../../../src/hogql/parser/parse'
import { resolve } from '../../../src/hogql/resolve/resolve'
import {
  insightPage,
  insightResult,
  insightText,
  insightValues,
} from '../../../src/endpoints/insights/insight'
import type { InsightQuery } from '../../../src/endpoints/query/query-types'
import { bindVariables } from '../../../src/endpoints/values/bind-variables'
import { fromWall, toWall } from '../../../src/time/zone'
import { parseQuery as parseStored } from '../../../src/endpoints/query/parse-query'
import type { SampleProject } from '../../hogql/corpus/dataset'

const HOUR = 3_600_000

/** After all events. */
const NOW = new Date('2026-12-01T00:00:00Z')

/** Both hemispheres, both directions, a half hour, an offset of a half hour, and midnight. */
export const CHANGES: readonly [timezone: string, at: string][] = [
  ['America/New_York', '2026-11-01T06:00:00Z'],
  ['America/New_York', '2026-03-08T07:00:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
  ['Australia/Adelaide', '2026-04-04T16:30:00Z'],
  ['America/Santiago', '2026-04-05T03:00:00Z'],
  // Clocks skip midnight.
  ['America/Santiago', '2026-09-06T04:00:00Z'],
  ['UTC', '2026-04-05T03:00:00Z'],
]

const DAY = 24 * HOUR
/** The year of the changes that are drawn. */
const YEAR = Date.parse('2026-01-01T00:00:00Z')

/**
 * Every change of a zone's offset within ten months of 2026, in epoch milliseconds.
 * @source the runtime's time zone database
 */
function changesOf(timezone: string): number[] {
  const offsetAt = (at: number) => toWall(at, timezone) - at
  const changes: number[] = []
  for (let day = YEAR + 31 * DAY; day < YEAR + 320 * DAY; day += DAY) {
    let [before, after] = [day, day + DAY]
    if (offsetAt(before) === offsetAt(after)) continue
    while (after - before > 60_000) {
      const middle = Math.floor((before + after) / 2 / 60_000) * 60_000
      if (offsetAt(middle) === offsetAt(before)) before = middle
      else after = middle
    }
    changes.push(after)
  }
  return changes
}

/** @param draw numbers from 0 to 1 */
export function drawChanges(count: number, draw: () => number): [timezone: string, at: string][] {
  const all = Intl.supportedValuesOf('timeZone').flatMap((timezone) =>
    changesOf(timezone).map((at): [string, string] => [timezone, new Date(at).toISOString()]),
  )
  return Array.from({ length: count }, () => all[Math.floor(draw() * all.length)]!)
}

export interface Happening {
  who: string
  at: number
}

const PEOPLE = 4

/** @param draw numbers from 0 to 1 */
export const happeningsAround = (change: string, draw: () => number, count = 14): Happening[] =>
  Array.from({ length: count }, () => ({
    who: `p${Math.floor(draw() * PEOPLE)}`,
    at: Date.parse(change) + Math.floor((draw() - 0.5) * 4 * 60) * 60_000,
  }))

const personOf = (who: string) => `00000000-0000-4000-8000-00000000000${who.slice(1)}`

export function sampleOf(happenings: readonly Happening[]): SampleProject {
  const stored = (at: number) => new Date(at).toISOString().replace('Z', '000Z')
  return {
    events: happenings.map(({ who, at }, place) => ({
      uuid: `00000000-0000-4000-9000-${String(place).padStart(12, '0')}`,
      event: 'visit',
      distinctId: who,
      timestamp: stored(at),
      createdAt: stored(at),
      properties: { amount: 1 },
    })),
    persons: [...new Set(happenings.map(({ who }) => who))].map((who) => ({
      uuid: personOf(who),
      distinctIds: [who],
      createdAt: '2026-01-01T00:00:00.000000Z',
      isIdentified: true,
      properties: {},
      inCohort: false,
    })),
    groups: [],
  }
}

/** Persons in each period, added up. Hours are counted from midnight. */
function activePeriods(happenings: readonly Happening[], interval: string, timezone: string): number {
  const periodOf = (at: number): number | string => {
    if (interval === 'minute') return Math.floor(at / 60_000)
    const wall = new Date(toWall(at, timezone)).toISOString()
    if (interval === 'hour') {
      const midnight = fromWall(Date.parse(`${wall.slice(0, 10)}Z`), timezone)
      return midnight === null ? Math.floor(at / HOUR) : at - ((at - midnight) % HOUR)
    }
    if (interval === 'week') {
      const day = Date.parse(`${wall.slice(0, 10)}Z`)
      return day - new Date(day).getUTCDay() * 24 * HOUR
    }
    return wall.slice(0, interval === 'day' ? 10 : 7)
  }
  return new Set(happenings.map(({ who, at }) => `${who} ${periodOf(at)}`)).size
}

const NODE = { kind: 'EventsNode', event: 'visit' }

const MATHS = [
  'total',
  'dau',
  'weekly_active',
  'monthly_active',
  'unique_session',
  'first_time_for_user',
  'avg_count_per_actor',
  'sum',
]

export const INTERVALS = ['minute', 'hour', 'day', 'week', 'month'] as const

/** From a day before the change to a day after it; minutes within some hours. */
function rangeOf(change: string, interval: string): Record<string, unknown> {
  const at = (hours: number) => new Date(Date.parse(change) + hours * HOUR).toISOString()
  return interval === 'minute'
    ? { date_from: at(-3), date_to: at(3), explicitDate: true }
    : { date_from: at(-24).slice(0, 10), date_to: at(24).slice(0, 10) }
}

/** Queries of every kind, and whether their interval is theirs. */
export function queriesOf(change: string, interval: string): Record<string, Record<string, unknown>> {
  const dateRange = rangeOf(change, interval)
  const isShort = interval === 'minute' || interval === 'hour'
  const trends = (math: string, filter: Record<string, unknown> = {}) => ({
    kind: 'TrendsQuery',
    interval,
    dateRange,
    series: [{ ...NODE, math, ...(math === 'sum' ? { math_property: 'amount' } : {}) }],
    trendsFilter: filter,
  })
  const maths = MATHS.filter((math) => !isShort || !math.endsWith('_active'))
  return {
    ...Object.fromEntries(maths.map((math) => [`trends of ${math}`, trends(math)])),
    'cumulative people': trends('dau', { display: 'ActionsLineGraphCumulative' }),
    events: {
      kind: 'EventsQuery',
      select: ['timestamp'],
      after: change,
      before: new Date(Date.parse(change) + HOUR).toISOString(),
    },
    stickiness: { kind: 'StickinessQuery', interval, dateRange, series: [NODE] },
    'stickiness by three': {
      kind: 'StickinessQuery',
      interval,
      intervalCount: 3,
      dateRange,
      series: [NODE],
      compareFilter: { compare: true },
    },
    lifecycle: { kind: 'LifecycleQuery', interval, dateRange, series: [NODE] },
    funnel: {
      kind: 'FunnelsQuery',
      interval,
      dateRange,
      series: [NODE, NODE],
      funnelsFilter: { funnelVizType: 'trends' },
    },
    ...(interval === 'minute'
      ? {}
      : {
          retention: {
            kind: 'RetentionQuery',
            dateRange,
            retentionFilter: {
              period: interval[0]!.toUpperCase() + interval.slice(1),
              totalIntervals: 8,
              targetEntity: { id: 'visit', type: 'events' },
              returningEntity: { id: 'visit', type: 'events' },
            },
          },
        }),
  }
}

/** What the tests read of a result. */
export interface Series {
  data: number[]
  days: string[]
  count: number
  status: string
  values: { count: number }[]
}

export interface Prepared {
  resolved: Resolved
  /** What a run needs besides the project. */
  runOf(query: CompiledQuery): {
    timezone: string
    now: Date
    variables: ReturnType<typeof bindVariables>
    limit: number
    offset: number
    queryId: null
  }
  results(rows: readonly unknown[][]): Series[]
}

export async function prepare(sent: Record<string, unknown>, timezone: string): Promise<Prepared> {
  const query = parseStored(sent) as InsightQuery
  const { sql, variables, fragments } = await insightText(query)
  const context = { timezone, now: NOW }
  const resolved = resolve(parseQuery(sql), {
    sql,
    timezone,
    variables,
    fragments,
    propertyTypes: () => undefined,
  })
  const values = insightValues(query, [], context)
  return {
    resolved,
    runOf: (compiled) => ({
      timezone,
      now: NOW,
      variables: bindVariables(compiled, values, timezone),
      ...(insightPage(query) ?? { limit: 50_000, offset: 0 }),
      queryId: null,
    }),
    results: (rows) => insightResult(query, rows, context).results as unknown as Series[],
  }
}

/** The queries whose results add up to a known number. */
export const HAVE_SUMS: ReadonlySet<string> = new Set([
  'trends of total',
  'trends of sum',
  'events',
  'trends of dau',
  'trends of first_time_for_user',
  'cumulative people',
  'stickiness',
  'stickiness by three',
  'lifecycle',
  'retention',
])

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

/** What the numbers of an insight add up to, beside what they have to. Null for those that add up to nothing. */
export function sumsOf(
  name: string,
  results: Series[],
  happenings: readonly Happening[],
  { interval, timezone, change }: { interval: string; timezone: string; change: string },
): [found: number, expected: number] | null {
  const people = new Set(happenings.map(({ who }) => who)).size
  const active = activePeriods(happenings, interval, timezone)
  switch (name) {
    case 'trends of total':
    case 'trends of sum':
      return [sum(results[0]!.data), happenings.length]
    case 'events': {
      const after = happenings.map(({ at }) => at - Date.parse(change))
      return [results.length, after.filter((time) => time > 0 && time < HOUR).length]
    }
    case 'trends of dau':
      return [sum(results[0]!.data), active]
    case 'trends of first_time_for_user':
      return [sum(results[0]!.data), people]
    case 'cumulative people':
      return [results[0]!.data.at(-1)!, people]
    case 'stickiness':
      return [sum(results[0]!.data.map((number, place) => number * (place + 1))), active]
    case 'stickiness by three':
      return [sum(results[0]!.data), people]
    case 'lifecycle':
      return [sum(results.filter(({ status }) => status !== 'dormant').map(({ count }) => count)), active]
    case 'retention':
      return [sum(results.map(({ values }) => values[0]!.count)), active]
    default:
      return null
  }
}
