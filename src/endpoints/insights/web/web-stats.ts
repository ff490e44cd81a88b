// Visitors and views by page, referrer, campaign, device and place.
import { invalid } from '../../../errors'
import type { WebStatsTableQuery } from '../../query/query-types'
import { type InsightKind, pageOf, pageWithNext } from '../insight-kind'
import { list } from '../text-parts'
import { pairsOf, sessionsText, webTimes } from './web-views'

const VALUES: Readonly<Record<string, string>> = {
  Page: 'properties.$pathname',
  InitialPage: 'session.$entry_pathname',
  ExitPage: 'session.$end_pathname',
  ExitClick: 'session.$last_external_click_url',
  ScreenName: 'properties.$screen_name',
  InitialReferringDomain: 'session.$entry_referring_domain',
  InitialChannelType: 'session.$channel_type',
  InitialUTMSource: 'session.$entry_utm_source',
  InitialUTMCampaign: 'session.$entry_utm_campaign',
  InitialUTMMedium: 'session.$entry_utm_medium',
  InitialUTMTerm: 'session.$entry_utm_term',
  InitialUTMContent: 'session.$entry_utm_content',
  Browser: 'properties.$browser',
  OS: 'properties.$os',
  DeviceType: 'properties.$device_type',
  Country: 'properties.$geoip_country_code',
}

const ORDERS: Readonly<Record<string, string>> = {
  Visitors: 'visitors',
  Views: 'views',
  BounceRate: 'bounce_rate',
}

/** Views without a value count for campaigns only, as upstream. */
const hasRowWithoutValue = ({ breakdownBy }: WebStatsTableQuery) => breakdownBy.startsWith('InitialUTM')

const textOf = (value: string) => `nullIf(toString(${value}), '')`

const metricsOf = ({ includeBounceRate }: WebStatsTableQuery) =>
  includeBounceRate ? ['visitors', 'views', 'bounce_rate'] : ['visitors', 'views']

/** The metric by which rows are sorted, and the direction. */
function orderOf(query: WebStatsTableQuery): { metric: string; direction: 'ASC' | 'DESC' } {
  const [field, direction] = query.orderBy ?? []
  if (field === undefined) return { metric: 'visitors', direction: 'DESC' }
  const metric = Object.hasOwn(ORDERS, field) ? ORDERS[field]! : null
  if (
    metric === null ||
    !metricsOf(query).includes(metric) ||
    !['ASC', 'DESC'].includes(direction ?? 'DESC')
  ) {
    const known = Object.keys(ORDERS).filter((name) => metricsOf(query).includes(ORDERS[name]!))
    throw invalid('query', `orderBy is one of ${known.join(', ')}, and ASC or DESC.`)
  }
  return { metric, direction: direction === 'ASC' ? 'ASC' : 'DESC' }
}

export const webStatsKind: InsightKind<WebStatsTableQuery> = {
  /**
   * Returns HogQL with the columns value, each metric with its value in the range before, and the share of the metric that rows are
   * sorted by.
   */
  text(query, context) {
    const { stages } = context
    const value = textOf(VALUES[query.breakdownBy]!)
    const sessions = stages.add(sessionsText(query, context, [value]))
    const pair = pairsOf(query, context)
    const bounces = pair('bounce_rate', (condition) => `avgIf(bounced, ${condition})`)
    // The bounces of a page are those of the sessions that began with it.
    const isJoined = query.includeBounceRate === true && query.breakdownBy === 'Page'
    const counted = stages.add(
      `SELECT ${list(
        'value_0 AS value',
        pair('visitors', (condition) => `uniqIf(person, ${condition})`),
        pair('views', (condition) => `sumIf(seen, ${condition})`),
        query.includeBounceRate && !isJoined ? bounces : null,
      )} FROM ${sessions}${hasRowWithoutValue(query) ? '' : ' WHERE value_0 IS NOT NULL'} GROUP BY value_0`,
    )
    const metrics = metricsOf(query).flatMap((name) => [name, `previous_${name}`])
    const whole = isJoined
      ? stages.add(`SELECT ${list(
          ['value', 'visitors', 'previous_visitors', 'views', 'previous_views'].map(
            (name) => `counted.${name} AS ${name}`,
          ),
          // No session began with this page. The engines differ in what a join returns then.
          ['bounce_rate', 'previous_bounce_rate'].map(
            (name) => `if(entries.value IS NULL, NULL, entries.${name}) AS ${name}`,
          ),
        )} FROM ${counted} AS counted LEFT JOIN (SELECT value_0 AS value, ${list(bounces)}
          FROM ${stages.add(sessionsText(query, context, [textOf(VALUES.InitialPage!)]))} GROUP BY value_0) AS entries
          ON entries.value = counted.value`)
      : counted
    const { metric, direction } = orderOf(query)
    const others = ['visitors', 'views'].filter((name) => name !== metric)
    const share = metric === 'bounce_rate' ? metric : `${metric} / nullIf(sum(${metric}) OVER (), 0)`
    return `SELECT ${list('value', metrics, `${share} AS share`)} FROM ${whole}
      ORDER BY ${list([metric, ...others].map((name) => `${name} ${direction}`))}, value`
  },
  times: webTimes,
  page: pageWithNext,
  result(query, rows) {
    const { limit, offset } = pageOf(query)
    const metrics = metricsOf(query)
    return {
      results: rows
        .slice(0, limit)
        .map((row) => [
          row[0] ?? null,
          ...metrics.map((_, index) => [row[1 + 2 * index] ?? null, row[2 + 2 * index] ?? null]),
          row[1 + 2 * metrics.length] ?? null,
          '',
        ]),
      columns: ['breakdown_value', ...metrics, 'ui_fill_fraction', 'cross_sell'].map(
        (name) => `context.columns.${name}`,
      ),
      limit,
      offset,
      hasMore: rows.length > limit,
    }
  },
}
