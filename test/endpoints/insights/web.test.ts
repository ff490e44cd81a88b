// Web analytics, against sessions that are put together from the events in TypeScript.
import { beforeAll, describe, expect, it } from 'vitest'
import { roundEven } from '../../../src/endpoints/insights/sums'
import { createTenant, type Tenant } from '../../support/tenant'
import {
  dateOf,
  dayOf,
  generate,
  type Happening,
  load,
  rejectionOf,
  resultsOf,
  runOf,
} from './generated-events'

const EVENTS = generate({
  names: ['$pageview', '$pageview', '$screen', 'other'],
  people: 8,
  count: 200,
  days: 8,
})
const PATHS = ['/', '/docs', '/buy']
const pathOf = ({ amount }: Happening) => PATHS[amount % 3]!
/** A session is what a person does on a day. */
const sessionOf = ({ who, time }: Happening) => `${who} on ${dayOf(time)}`

/** Where the sessions of each person come from, and their channel. */
const CHANNELS: readonly [channel: string, properties: Record<string, string>][] = [
  ['Direct', { $referring_domain: '$direct' }],
  ['Organic Search', { $referring_domain: 'www.google.co.uk' }],
  ['Paid Search', { $referring_domain: 'www.bing.com', gclid: 'x1' }],
  ['Organic Social', { utm_source: 'LinkedIn', utm_medium: 'social' }],
  ['Paid Shopping', { utm_medium: 'cpc', utm_campaign: 'spring-shop' }],
  ['Email', { utm_source: 'our list', utm_medium: 'Email' }],
  ['Referral', { $referring_domain: 'news.example.org' }],
  ['Cross Network', { utm_campaign: 'a cross-network b', utm_medium: 'ppc' }],
]
const channelOf = ({ who }: Happening) => CHANNELS[Number(who.replace('person ', ''))]!

let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  await load(tenant, EVENTS, (each) => ({
    $session_id: sessionOf(each),
    $browser: each.plan,
    ...channelOf(each)[1],
    ...(each.name === '$pageview'
      ? { $pathname: pathOf(each), $current_url: `https://a.test${pathOf(each)}` }
      : {}),
  }))
})

type Body = Record<string, unknown>

const DATES = { date_from: dateOf(4), date_to: dateOf(7) }
const overview = (more: Body = {}) => ({ kind: 'WebOverviewQuery', dateRange: DATES, ...more })
const stats = (breakdownBy: string, more: Body = {}) => ({
  kind: 'WebStatsTableQuery',
  breakdownBy,
  dateRange: DATES,
  ...more,
})

const isCurrent = ({ time }: Happening) => dayOf(time) >= 4
const isView = ({ name }: Happening) => name === '$pageview' || name === '$screen'

const sessions = [...Map.groupBy(EVENTS, sessionOf).values()].map((events) => {
  const views = events.filter(isView)
  const first = events.find(isView)
  const seconds = (events.at(-1)!.time - events[0]!.time) / 1000
  return {
    events,
    seconds,
    isBounce: views.length === 1 && seconds < 10,
    entry: first?.name === '$pageview' ? pathOf(first) : null,
  }
})

const mean = (values: readonly number[]) =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

/** Of the sessions with views that this holds of. */
function metricsOf(isShown: (happening: Happening) => boolean) {
  const shown = sessions.filter(({ events }) => events.some((each) => isView(each) && isShown(each)))
  const views = EVENTS.filter((each) => isView(each) && isShown(each))
  return {
    visitors: new Set(views.map(({ who }) => who)).size,
    views: views.length,
    sessions: shown.length,
    duration: mean(shown.map(({ seconds }) => seconds)),
    bounces: mean(shown.map(({ isBounce }) => (isBounce ? 1 : 0))),
  }
}

it('rounds halves to the even number', () => {
  expect([12.5, 13.5, -37.5, -38.5, 2.4, 2.6, 0.5].map(roundEven)).toEqual([12, 14, -38, -38, 2, 3, 0])
})

describe('a WebOverviewQuery', () => {
  const rows = (current: ReturnType<typeof metricsOf>, previous: ReturnType<typeof metricsOf> | null) => {
    const row = (key: string, kind: string, value: number | null, before: number | null, isBad = false) => ({
      key,
      kind,
      isIncreaseBad: isBad ? true : null,
      value: value === null ? null : expect.closeTo(value, 6),
      previous: before === null ? null : expect.closeTo(before, 6),
      changeFromPreviousPct: value === null || !before ? null : roundEven((100 * (value - before)) / before),
    })
    const percent = (rate: number | null | undefined) =>
      rate === null || rate === undefined ? null : rate * 100
    return [
      row('visitors', 'unit', current.visitors, previous?.visitors ?? null),
      row('views', 'unit', current.views, previous?.views ?? null),
      row('sessions', 'unit', current.sessions, previous?.sessions ?? null),
      row('session duration', 'duration_s', current.duration, previous?.duration ?? null),
      row('bounce rate', 'percentage', percent(current.bounces), percent(previous?.bounces), true),
    ]
  }

  it('counts visitors, views and sessions, alone and compared', async () => {
    const current = metricsOf(isCurrent)
    expect(current.bounces).toBeGreaterThan(0)
    expect(await resultsOf(tenant, overview())).toEqual(rows(current, null))
    expect(await resultsOf(tenant, overview({ compareFilter: { compare: true } }))).toEqual(
      rows(
        current,
        metricsOf((each) => !isCurrent(each)),
      ),
    )
  })

  it('filters events', async () => {
    const properties = [{ key: '$browser', value: 'pro', type: 'event' }]
    expect(await resultsOf(tenant, overview({ properties }))).toEqual(
      rows(
        metricsOf((each) => isCurrent(each) && each.plan === 'pro'),
        null,
      ),
    )
  })

  it('is empty without events', async () => {
    const dateRange = { date_from: '2020-01-01', date_to: '2020-01-02' }
    expect(await resultsOf(tenant, overview({ dateRange }))).toEqual(
      rows({ visitors: 0, views: 0, sessions: 0, duration: null, bounces: null }, null),
    )
  })
})

describe('a WebStatsTableQuery', () => {
  it('counts visitors and views by a property, alone and compared', async () => {
    const plans = ['free', 'pro', 'team'].map((plan) => {
      const of = (isShown: (each: Happening) => boolean) =>
        metricsOf((each) => isShown(each) && each.plan === plan)
      return { plan, now: of(isCurrent), before: of((each) => !isCurrent(each)) }
    })
    const total = plans.reduce((sum, { now }) => sum + now.visitors, 0)
    const table = (isCompared: boolean) =>
      plans
        .toSorted(
          (a, b) =>
            b.now.visitors - a.now.visitors || b.now.views - a.now.views || (a.plan < b.plan ? -1 : 1),
        )
        .map(({ plan, now, before }) => [
          plan,
          [now.visitors, isCompared ? before.visitors : null],
          [now.views, isCompared ? before.views : null],
          expect.closeTo(now.visitors / total, 9),
          '',
        ])
    const run = await runOf(tenant, stats('Browser'))
    expect([run.columns, run.results, run.hasMore]).toEqual([
      [
        'context.columns.breakdown_value',
        'context.columns.visitors',
        'context.columns.views',
        'context.columns.ui_fill_fraction',
        'context.columns.cross_sell',
      ],
      table(false),
      false,
    ])
    expect(await resultsOf(tenant, stats('Browser', { compareFilter: { compare: true } }))).toEqual(
      table(true),
    )
    const page = await runOf(tenant, stats('Browser', { limit: 1, offset: 1 }))
    expect([page.results.map(([value]: string[]) => value), page.hasMore]).toEqual([
      [(table(false)[1] as string[])[0]],
      true,
    ])
  })

  it('has the bounce rate of the sessions that began with a page', async () => {
    const expected = PATHS.map((path): [string, unknown[]] => {
      const { visitors, views } = metricsOf(
        (each) => isCurrent(each) && each.name === '$pageview' && pathOf(each) === path,
      )
      const begun = sessions.filter(
        ({ events, entry }) => entry === path && events.some((each) => isView(each) && isCurrent(each)),
      )
      const rate = mean(begun.map(({ isBounce }) => (isBounce ? 1 : 0)))!
      return [
        path,
        [
          [visitors, null],
          [views, null],
          [expect.closeTo(rate, 9), null],
        ],
      ]
    })
    const rows: unknown[][] = await resultsOf(
      tenant,
      stats('Page', { includeBounceRate: true, orderBy: ['Views', 'ASC'] }),
    )
    expect(Object.fromEntries(rows.map((row) => [row[0], row.slice(1, 4)]))).toEqual(
      Object.fromEntries(expected),
    )
    const views = rows.map((row) => (row[2] as number[])[0]!)
    expect(views).toEqual(views.toSorted((a, b) => a - b))
  })

  it('shows where sessions began', async () => {
    const rows: unknown[][] = await resultsOf(tenant, stats('InitialPage'))
    expect(sessions.some(({ entry }) => entry === null)).toBe(true)
    const entries = PATHS.flatMap((path) => {
      const shown = new Set(sessions.filter(({ entry }) => entry === path).flatMap(({ events }) => events))
      const { visitors, views } = metricsOf((each) => isCurrent(each) && shown.has(each))
      return views > 0 ? [[path, [visitors, null], [views, null]]] : []
    })
    expect(new Map(rows.map((row) => [row[0], row.slice(1, 3)]))).toEqual(
      new Map(entries.map((row) => [row[0], row.slice(1)])),
    )
  })

  it.each([
    'Page',
    'InitialPage',
    'ExitPage',
    'ExitClick',
    'ScreenName',
    'InitialReferringDomain',
    'OS',
    'Country',
  ])('leaves out views without a value, and their share, by %s', async (by) => {
    const rows: unknown[][] = await resultsOf(tenant, stats(by))
    expect(rows.filter(([value]) => value === null)).toEqual([])
    const shares = rows.reduce((sum, row) => sum + (row[3] as number), 0)
    expect(shares).toBeCloseTo(rows.length > 0 ? 1 : 0, 9)
  })

  it.each([
    ['InitialUTMSource', 'utm_source'],
    ['InitialUTMMedium', 'utm_medium'],
    ['InitialUTMCampaign', 'utm_campaign'],
    ['InitialUTMTerm', 'utm_term'],
    ['InitialUTMContent', 'utm_content'],
  ])('shows views without a value by %s', async (by, property) => {
    const rows: unknown[][] = await resultsOf(tenant, stats(by))
    const isWithout = (each: Happening) => channelOf(each)[1][property] === undefined
    const { visitors, views } = metricsOf((each) => isCurrent(each) && isWithout(each))
    expect(rows.find(([value]) => value === null)?.slice(1, 3)).toEqual([
      [visitors, null],
      [views, null],
    ])
  })

  it('shows the channels that sessions came through, also as a filter', async () => {
    const rows: unknown[][] = await resultsOf(tenant, stats('InitialChannelType'))
    const expected = CHANNELS.map(([channel]) => {
      const { visitors, views } = metricsOf((each) => isCurrent(each) && channelOf(each)[0] === channel)
      return [channel, [visitors, null], [views, null]]
    })
    expect(new Map(rows.map((row) => [row[0], row.slice(1, 3)]))).toEqual(
      new Map(expected.map((row) => [row[0], row.slice(1)])),
    )
    const properties = [{ key: '$channel_type', value: ['Email', 'Direct'], type: 'session' }]
    const [visitors] = await resultsOf(tenant, overview({ properties }))
    expect(visitors.value).toBe(
      metricsOf((each) => isCurrent(each) && /Email|Direct/.test(channelOf(each)[0])).visitors,
    )
  })

  it.each([
    [
      stats('Region'),
      expect.stringMatching(
        /^breakdownBy 'Region' is not supported in a WebStatsTableQuery\. Supported: Page, /,
      ),
    ],
    [stats('Page', { orderBy: ['BounceRate'] }), 'orderBy is one of Visitors, Views, and ASC or DESC.'],
    [overview({ includeRevenue: true }), 'includeRevenue is not supported in a WebOverviewQuery.'],
  ])('rejects %j', async (sent, detail) => {
    expect(await rejectionOf(tenant, sent)).toEqual([400, 'query', detail])
  })
})
