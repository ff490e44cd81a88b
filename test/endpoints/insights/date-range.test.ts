// Which times the dates of a query mean.
import { describe, expect, it } from 'vitest'
import { previousSpan, spanOf, withWholeStart } from '../../../src/endpoints/insights/date-range'
import { insightResult, insightValues } from '../../../src/endpoints/insights/insight'
import type { Interval } from '../../../src/endpoints/insights/periods'
import { parseQuery } from '../../../src/endpoints/query/parse-query'
import type { InsightQuery } from '../../../src/endpoints/query/query-types'
import { trends } from '../../support/endpoints/endpoints'

const NOW = new Date('2026-11-10T17:34:56Z')
const CONTEXT = { timezone: 'America/New_York', now: NOW }

const shown = (wall: number) => new Date(wall).toISOString().slice(0, 19)

function rangeOf(range: object, interval: Interval): [from: string, to: string] {
  const { from, to } = withWholeStart(spanOf(range, interval, CONTEXT), range, interval)
  return [shown(from), shown(to)]
}

function previousOf(
  range: object,
  interval: Interval,
  back: string | null = null,
): [from: string, to: string] {
  const span = spanOf(range, interval, CONTEXT)
  const { from, to } = previousSpan(span, {
    dateRange: range,
    interval,
    back,
    timezone: CONTEXT.timezone,
  })
  return [shown(from), shown(to)]
}

describe('a range', () => {
  it.each<[object, Interval, string, string]>([
    [{}, 'day', '2026-11-03T00:00:00', '2026-11-10T23:59:59'],
    [{}, 'hour', '2026-11-03T00:00:00', '2026-11-10T12:59:59'],
    [{}, 'minute', '2026-11-03T00:00:00', '2026-11-10T12:34:59'],
    [{ date_from: '-1d' }, 'hour', '2026-11-09T00:00:00', '2026-11-10T12:59:59'],
    [{ date_from: '-30h' }, 'hour', '2026-11-09T06:00:00', '2026-11-10T12:59:59'],
    [{ date_from: '-30h' }, 'day', '2026-11-09T06:00:00', '2026-11-10T23:59:59'],
    [{ date_from: '-30h' }, 'week', '2026-11-09T00:00:00', '2026-11-10T23:59:59'],
    [{ date_from: '-1h' }, 'minute', '2026-11-10T11:34:56', '2026-11-10T12:34:59'],
    [{ date_from: '-45M' }, 'day', '2026-11-10T11:49:56', '2026-11-10T23:59:59'],
    [{ date_from: '-1q' }, 'day', '2026-08-11T00:00:00', '2026-11-10T23:59:59'],
    [{ date_from: '-1mStart', date_to: '-1mEnd' }, 'day', '2026-10-01T00:00:00', '2026-10-31T23:59:59'],
    [{ date_from: '-1d', explicitDate: true }, 'day', '2026-11-09T00:00:00', '2026-11-10T12:34:56'],
    [{ date_from: '-90d' }, 'month', '2026-08-01T00:00:00', '2026-11-10T23:59:59'],
    [{ date_from: '2026-08-12' }, 'quarter', '2026-07-01T00:00:00', '2026-11-10T23:59:59'],
    [{ date_from: '2026-08-12', explicitDate: true }, 'month', '2026-08-12T00:00:00', '2026-11-10T12:34:56'],
    [
      { date_from: '2026-11-01T09:45:00', date_to: '2026-11-02T10:15:00' },
      'hour',
      '2026-11-01T09:00:00',
      '2026-11-02T10:15:00',
    ],
    [
      { date_from: '2026-11-01T09:45:00', date_to: '2026-11-02T10:15:00' },
      'day',
      '2026-11-01T00:00:00',
      '2026-11-02T23:59:59',
    ],
    [{ date_from: '2026-1-5', date_to: '20260302' }, 'hour', '2026-01-05T00:00:00', '2026-03-02T23:59:59'],
    [{ date_from: '2026-11-01', date_to: '-3h' }, 'hour', '2026-11-01T00:00:00', '2026-11-10T09:59:59'],
    [
      { date_from: '2026-11-01', date_to: '2026-11-02' },
      'hour',
      '2026-11-01T00:00:00',
      '2026-11-02T23:59:59',
    ],
  ])('of %j by %s is from %s to %s', (range, interval, from, to) => {
    expect(rangeOf(range, interval)).toEqual([from, to])
  })

  it('names the second of two hours that clocks show as one', () => {
    const at = (text: string) => spanOf({ date_from: text }, 'hour', CONTEXT)
    expect(shown(at('2026-11-01T06:45:00Z').from)).toBe('2026-11-01T01:00:00')
    expect(at('2026-11-01T06:45:00Z').fromAt).toBe(Date.parse('2026-11-01T06:00:00Z'))
    expect(at('2026-11-01T05:45:00Z').fromAt).toBeUndefined()
  })
})

describe('the range before', () => {
  it.each<[object, Interval, string, string]>([
    // The last seven days and today are compared with the same days of the week.
    [{}, 'day', '2026-10-27T00:00:00', '2026-11-03T23:59:59'],
    [{ date_from: '-14d' }, 'day', '2026-10-13T00:00:00', '2026-10-27T23:59:59'],
    [{ date_from: '-14d', date_to: '2026-11-10' }, 'day', '2026-10-13T00:00:00', '2026-10-27T23:59:59'],
    [{ date_from: '-14d', date_to: '-1d' }, 'day', '2026-10-13T00:00:00', '2026-10-26T23:59:59'],
    [{ date_from: '-10d' }, 'day', '2026-10-20T00:00:00', '2026-10-30T23:59:59'],
    [{ date_from: '-7d' }, 'week', '2026-10-26T00:00:00', '2026-11-02T23:59:59'],
    [{ date_from: '2026-11-01', date_to: '2026-11-03' }, 'day', '2026-10-29T00:00:00', '2026-10-31T23:59:59'],
    // By hour, from the same time of day.
    [{ date_from: '-1d' }, 'hour', '2026-11-07T00:00:00', '2026-11-08T12:59:59'],
    [{ date_from: '-2h' }, 'minute', '2026-11-10T08:34:52', '2026-11-10T10:34:55'],
    // A range within a day is compared with the day before, and never with hours of its own.
    [{ date_from: '-3h' }, 'hour', '2026-11-09T09:00:00', '2026-11-09T12:59:59'],
    [
      { date_from: '2026-11-09T06:00:00', date_to: '2026-11-09T09:00:00', explicitDate: true },
      'day',
      '2026-11-08T06:00:00',
      '2026-11-08T09:00:00',
    ],
    [
      { date_from: '2026-11-07T12:00:00', date_to: '2026-11-09T18:00:00', explicitDate: true },
      'day',
      '2026-11-04T12:00:00',
      '2026-11-06T18:00:00',
    ],
  ])('of %j by %s is from %s to %s', (range, interval, from, to) => {
    expect(previousOf(range, interval)).toEqual([from, to])
  })

  it.each([
    ['-1m', '2026-03-01', '2026-03-31', '2026-02-01T00:00:00', '2026-03-03T23:59:59'],
    ['-1m', '2026-02-01', '2026-02-28', '2026-01-01T00:00:00', '2026-01-28T23:59:59'],
    ['-1q', '2026-03-05', '2026-03-05', '2025-12-04T00:00:00', '2025-12-04T23:59:59'],
  ])('by %s is as long as the range from %s to %s', (back, date_from, date_to, from, to) => {
    expect(previousOf({ date_from, date_to }, 'day', back)).toEqual([from, to])
  })

  it.each(['TrendsQuery', 'StickinessQuery'])('is none for all time, in a %s', (kind) => {
    const query = { kind, series: [{}], dateRange: { date_from: 'all' }, compareFilter: { compare: true } }
    const { results } = insightResult(parseQuery(query) as InsightQuery, [], CONTEXT)
    expect(results).toEqual([expect.not.objectContaining({ compare: true })])
  })

  it('of minutes is in the same of two hours that clocks show as one', () => {
    const dateRange = { date_from: '2026-11-01T06:30:00Z', date_to: '2026-11-01T06:40:00Z' }
    const compared = trends({ interval: 'minute', dateRange, compareFilter: { compare: true } })
    const values = insightValues(parseQuery(compared) as InsightQuery, [], CONTEXT)
    expect(Object.fromEntries(values)).toEqual({
      date_from: '2026-11-01T06:30:00.000000Z',
      date_to: '2026-11-01T06:40:00.000000Z',
      previous_from: '2026-11-01T06:19:59.999000Z',
      previous_to: '2026-11-01T06:29:59.999999Z',
    })
  })
})

describe('the label of a week', () => {
  it.each([
    ['2026-02-24', '2026-03-09', ['24–28 Feb', '1–7 Mar', '8–9 Mar']],
    ['2026-02-22', '2026-03-15', ['22–28 Feb', '1–7 Mar', '8–14 Mar', '15-Mar-2026']],
    [
      '2025-12-28',
      '2026-01-31',
      ['28-Dec-2025 – 3-Jan-2026', '4–10 Jan', '11–17 Jan', '18–24 Jan', '25–31 Jan'],
    ],
    ['2026-03-29', '2026-04-04', ['29-Mar – 4-Apr']],
  ])('has its days from %s to %s', (date_from, date_to, labels) => {
    for (const kind of ['TrendsQuery', 'LifecycleQuery']) {
      const query = parseQuery({ kind, series: [{}], interval: 'week', dateRange: { date_from, date_to } })
      const { results } = insightResult(query as InsightQuery, [], CONTEXT)
      expect(results).toMatchObject({ 0: { labels } })
    }
  })
})

describe('the last events', () => {
  const valuesOf = (query: object, now: string) =>
    Object.fromEntries(
      insightValues(parseQuery({ kind: 'EventsQuery', select: ['event'], ...query }) as InsightQuery, [], {
        ...CONTEXT,
        now: new Date(now),
      }),
    )

  it('are those until now, also in the second of two hours that clocks show as one', () => {
    expect(valuesOf({}, '2026-11-01T06:45:00Z').date_to).toBe('2026-11-01T06:45:05.000000Z')
    expect(
      valuesOf({ after: '2026-11-01T06:30:00Z', before: '2026-11-01T06:40:00.123456Z' }, NOW.toISOString()),
    ).toEqual({ date_from: '2026-11-01T06:30:00.000000Z', date_to: '2026-11-01T06:40:00.123456Z' })
    expect(valuesOf({ after: '0001-01-01' }, NOW.toISOString()).date_from).toBe('1900-01-01T05:00:00.000000Z')
  })
})
