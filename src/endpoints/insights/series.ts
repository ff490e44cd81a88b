// Series of an insight: event, filters and aggregation.
import { invalid } from '../../errors'
import { idIn } from '../../hogql/resolve/references'
import type { PropertyFilters, SeriesNode } from '../query/schema-parts'
import { all, type Fragments, quoted } from './text-parts'

export type Measure =
  /** Aggregates the events of a period. */
  | { kind: 'plain'; expression: string }
  /** Counts the actors that were active within so many days before the end of each day. */
  | { kind: 'rolling'; days: number }
  /**
   * Counts distinct values of an expression. Each counts in the period of its first event of the range, and a cumulative line adds the
   * periods up.
   */
  | { kind: 'once'; expression: string }
  /** Aggregates `number`, the events per actor. */
  | { kind: 'per actor'; expression: string }
  /** Aggregates `number`, the duration of each session, however many events it has. */
  | { kind: 'per session'; expression: string }
  /** Counts actors in the period of their first event ever, or with `filtered` of their first event that the filters match. */
  | { kind: 'first time'; filtered: boolean }

/** Values of `math` that count active actors. */
const ACTIVE: readonly string[] = ['dau', 'unique_users', 'weekly_active', 'monthly_active']

const PERCENTILES: Record<string, number> = { median: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99 }

/** @throws 400 `query` for an unknown or incomplete `math`, and for options that it does not read */
export function measureOf(node: SeriesNode): Measure {
  const measure = measureBy(node.math ?? 'total', node)
  requireMath(node)
  return measure
}

/** The options of a series that only some values of `math` read. */
const READ: [option: keyof SeriesNode, isRead: (math: string) => boolean, readers: string][] = [
  ['math_property', isStatistic, "a math of a property, such as 'sum' or 'avg'"],
  ['math_property_type', isStatistic, "a math of a property, such as 'sum' or 'avg'"],
  ['math_multiplier', isStatistic, "a math of a property, such as 'sum' or 'avg'"],
  ['math_hogql', (math) => math === 'hogql', "the math 'hogql'"],
  [
    'math_group_type_index',
    (math) => math === 'unique_group' || countsActive({ math }),
    `the math 'unique_group', or one of ${ACTIVE.join(', ')}`,
  ],
]

/** @throws 400 `query` for an option of a series without a `math` that reads it */
export function requireMath(node: SeriesNode): void {
  const math = node.math ?? 'total'
  for (const [option, isRead, readers] of READ)
    if ((node[option] ?? null) !== null && !isRead(math))
      throw invalid('query', `${option} needs ${readers}, and not '${math}'.`)
}

function measureBy(math: string, node: SeriesNode): Measure {
  switch (math) {
    case 'total':
      return { kind: 'plain', expression: 'count()' }
    case 'dau':
    case 'unique_users':
      return { kind: 'plain', expression: 'uniq(person_id)' }
    case 'weekly_active':
      return { kind: 'rolling', days: 7 }
    case 'monthly_active':
      return { kind: 'rolling', days: 30 }
    case 'unique_session':
      return { kind: 'plain', expression: 'uniq($session_id)' }
    case 'unique_group': {
      const index = countedGroup(node)
      return { kind: 'plain', expression: `uniqIf($group_${index}, notEmpty($group_${index}))` }
    }
    case 'first_time_for_user':
    case 'first_matching_event_for_user':
      return { kind: 'first time', filtered: math === 'first_matching_event_for_user' }
    case 'hogql':
      if (!node.math_hogql) throw invalid('query', "math 'hogql' needs math_hogql.")
      return { kind: 'plain', expression: `(${node.math_hogql}\n)` }
    default:
      if (math.endsWith('_count_per_actor'))
        return {
          kind: 'per actor',
          expression: statistic(math.slice(0, -'_count_per_actor'.length), 'number'),
        }
      return isOfSessions(node)
        ? { kind: 'per session', expression: statistic(math, multiplied(node, 'number')) }
        : { kind: 'plain', expression: statistic(math, multiplied(node, measuredValue(node, math))) }
  }
}

/** Whether a series measures the duration of sessions. As upstream, the name of the property decides, and not its type. */
export const isOfSessions = ({ math_property: property }: SeriesNode): boolean =>
  property === '$session_duration'

const STATISTICS: readonly string[] = ['sum', 'avg', 'min', 'max', ...Object.keys(PERCENTILES)]

/** Values of `math`, which the error for another one names. */
const MATHS: readonly string[] = [
  'total',
  'dau',
  'unique_users',
  'weekly_active',
  'monthly_active',
  'unique_session',
  'unique_group',
  'first_time_for_user',
  'first_matching_event_for_user',
  'hogql',
  ...STATISTICS,
  ...STATISTICS.map((name) => `${name}_count_per_actor`),
]

function isStatistic(name: string): boolean {
  return STATISTICS.includes(name)
}

function statistic(name: string, value: string): string {
  if (!isStatistic(name))
    throw invalid('query', `Unknown math '${name}' in a series. Valid choices: ${MATHS.join(', ')}.`)
  const percentile = PERCENTILES[name]
  return percentile === undefined ? `${name}(${value})` : `quantile(${percentile})(${value})`
}

const multiplied = ({ math_multiplier: factor }: SeriesNode, value: string): string =>
  factor === null || factor === undefined ? value : `${value} * ${factor}`

function measuredValue(
  { math_property: property, math_property_type: type }: SeriesNode,
  math: string,
): string {
  statistic(math, '0')
  if (!property) throw invalid('query', `math '${math}' needs a math_property.`)
  switch (type ?? 'event_properties') {
    case 'event_properties':
      return `toFloat(properties[${quoted(property)}])`
    case 'person_properties':
      return `toFloat(person.properties[${quoted(property)}])`
    case 'session_properties':
      throw invalid('query', `Property '${property}' of sessions cannot be measured; $session_duration can.`)
    default:
      throw invalid(
        'query',
        `Unknown math_property_type '${type}'. Valid choices: event_properties, person_properties, session_properties.`,
      )
  }
}

/** The group type that a series counts. @throws 400 `query` without its index */
export function countedGroup({ math, math_group_type_index: index }: SeriesNode): number {
  if (index === null || index === undefined || index < 0 || index > 4)
    throw invalid('query', `math '${math}' needs a math_group_type_index from 0 to 4.`)
  return index
}

/** Whether a series counts active actors: people, or with a `math_group_type_index` groups. */
export const countsActive = ({ math }: Pick<SeriesNode, 'math'>): boolean => ACTIVE.includes(math ?? 'total')

/**
 * Returns null for a series of any event.
 * @throws 400 `query` for an action without its id, and for the option of the other kind: it would count something else
 */
export function eventCondition({ kind, id, event }: SeriesNode, fragments: Fragments): string | null {
  if (kind === 'ActionsNode') {
    if ((event ?? null) !== null)
      throw invalid(
        'query',
        `An ActionsNode has an id and no event: event '${event}' needs kind 'EventsNode'.`,
      )
    return matchesAction(id, fragments)
  }
  if (id !== undefined)
    throw invalid(
      'query',
      `An EventsNode has an event and no id: id ${id} of an action needs kind 'ActionsNode'.`,
    )
  return event === null || event === undefined ? null : `event = ${quoted(event)}`
}

/** @throws 400 `query` without an id */
export function matchesAction(given: unknown, fragments: Fragments): string | null {
  const id = idIn(given)
  if (id === undefined) throw invalid('query', 'An ActionsNode needs the id of an action.')
  return fragments.add(`action_${id}`, [{ type: 'action', key: 'id', value: id }])
}

/** HogQL condition: an actor's first event is also the first that the filters match. Returns null without filters. */
export const isFirstMatching = (first: string, filters: string): string | null =>
  filters === all([]) ? null : `${first} = minIf(timestamp, ${filters})`

export const filtersOf = ({ properties, fixedProperties }: SeriesNode): PropertyFilters => [
  ...(properties ?? []),
  ...(fixedProperties ?? []),
]

/** The label of a series in results. As upstream, it is that of the event or action, whatever name a user gave the series. */
export const nameOf = ({ kind, id, name, event }: SeriesNode): string =>
  kind === 'ActionsNode' ? (name ?? `Action ${id}`) : (event ?? 'All events')

/** The action or event of a series, as results show it. */
export const targetOf = ({ kind, id, event }: SeriesNode) =>
  kind === 'ActionsNode' ? { id: id ?? null, type: 'actions' } : { id: event ?? null, type: 'events' }
