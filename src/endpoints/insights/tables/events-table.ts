// Events as a table.
import { invalid } from '../../../errors'
import type { EventsQuery } from '../../query/query-types'
import { type ResultContext, timeOf } from '../date-range'
import { type InsightKind, pageOf, pageWithNext } from '../insight-kind'
import { instantOf } from '../periods'
import { matchesAction } from '../series'
import { dateOf, quoted } from '../text-parts'
import { columnsOf, documentOf, tableResult, tableText, type WideColumn } from './table-text'

const STAR = ['uuid', 'event', 'properties', 'timestamp', 'distinct_id', 'elements_chain', 'created_at']

/** Properties that may have a person's name, in upstream's order. */
const NAMES = ['email', 'Email', 'name', 'Name', 'username', 'Username', 'UserName']

export const WIDE_EVENT_COLUMNS: Readonly<Record<string, WideColumn>> = {
  '*': {
    expressions: STAR,
    shape: (values) =>
      Object.fromEntries(
        STAR.map((name, index) => [name, name === 'properties' ? documentOf(values[index]) : values[index]]),
      ),
  },
  person: {
    expressions: ['person.id', 'person.created_at', 'person.properties', 'distinct_id'],
    shape: ([uuid, createdAt, properties, distinctId]) => ({
      uuid,
      created_at: createdAt,
      properties: documentOf(properties),
      distinct_id: distinctId,
    }),
  },
  person_display_name: {
    expressions: [
      `coalesce(${NAMES.map((name) => `nullIf(toString(person.properties.${name}), '')`).join(', ')}, distinct_id)`,
      'person.id',
      'distinct_id',
    ],
    shape: ([name, id, distinctId]) => ({ display_name: name, id, distinct_id: distinctId }),
  },
}

const eventsColumns = ({ select }: EventsQuery) =>
  columnsOf(select.length > 0 ? select : ['*'], WIDE_EVENT_COLUMNS)

/** Returns the time range of the table; the default is the last 24 hours. @throws 400 `query` for one that ends before it begins */
function timesOf({ after, before }: EventsQuery, context: ResultContext) {
  const instant = (time: number | Date | string) =>
    (typeof time === 'number' ? instantOf(time, context.timezone) : new Date(time)).getTime()
  const first = after ?? '-24h'
  const from = timeOf(first, 'after', context)
  const to = before ? timeOf(before, 'before', context) : new Date(context.now.getTime() + 5000)
  if (instant(from) > instant(to))
    throw invalid('query', `after '${first}' is after before '${before || 'now'}'.`)
  return { date_from: from, date_to: to }
}

export const eventsKind: InsightKind<EventsQuery> = {
  text(query, context) {
    const { fragments } = context
    const events = [query.event ?? [], query.events ?? []].flat()
    const conditions = [
      `timestamp > ${dateOf(context, 'date_from')}`,
      `timestamp < ${dateOf(context, 'date_to')}`,
      fragments.add('query', query.properties),
      fragments.add('fixed', query.fixedProperties),
      query.actionId === null || query.actionId === undefined
        ? null
        : matchesAction(query.actionId, fragments),
      query.actionSteps?.length
        ? fragments.add('steps', [{ type: 'action', key: 'steps', value: query.actionSteps }])
        : null,
      events.length > 0 ? `event IN (${events.map(quoted).join(', ')})` : null,
      query.personId ? `person_id = ${quoted(query.personId)}` : null,
    ].filter((condition) => condition !== null)
    if ((query.orderBy ?? []).some((order) => order.trim().startsWith('person_display_name'))) {
      throw invalid(
        'query',
        'orderBy takes expressions: use person.properties.email in place of person_display_name.',
      )
    }
    return tableText({
      table: 'events',
      columns: eventsColumns(query),
      where: query.where ?? [],
      conditions,
      orderBy: query.orderBy ?? null,
      newest: 'timestamp',
    })
  },
  times: timesOf,
  page: pageWithNext,
  result: (query, rows) => tableResult(eventsColumns(query), rows, pageOf(query)),
}
