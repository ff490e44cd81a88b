// Edits insights in a form: reads the form's values from their JSON, and writes changes. The functions are pure.
import type { TimeRange } from '../../design/fields/time-range'

type Json = Record<string, unknown>

export type FormKind = 'TrendsQuery' | 'FunnelsQuery' | 'RetentionQuery' | 'LifecycleQuery'

const FORM_KINDS: ReadonlySet<string> = new Set([
  'TrendsQuery',
  'FunnelsQuery',
  'RetentionQuery',
  'LifecycleQuery',
] satisfies FormKind[])

export const hasForm = (kind: string): kind is FormKind => FORM_KINDS.has(kind)

export interface Series {
  /** The position in the text, or null for a new series. */
  at: number | null
  /** The event, or null for all events. */
  event: string | null
  /** The name of a series that is not one event, such as an action. The form shows it, and keeps it as it is. */
  other: string | null
  math: string
  /** The property from which `math` is computed. */
  property: string
}

export interface Breakdown {
  /** The property, which is empty for none. */
  property: string
  type: 'event' | 'person'
}

export interface Filter {
  key: string
  type: 'event' | 'person' | 'cohort'
  operator?: string | null
  value?: unknown
}

interface Retention {
  /** The target, or null for all events. */
  target: string | null
  returning: string | null
  /** The names of entities that are not one event. */
  otherTarget: string | null
  otherReturning: string | null
  period: string
  totalIntervals: number
  type: string
}

export interface InsightForm {
  series: Series[]
  range: TimeRange
  interval: string
  /** The breakdown, or null when the JSON has one of another form. */
  breakdown: Breakdown | null
  /** The filters, all of which must hold, or null when the JSON has filters of another form. */
  filters: Filter[] | null
  windowLength: number
  windowUnit: string
  /** The display of a trend. */
  display: string
  isCompared: boolean
  retention: Retention
}

const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

const textOf = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise)

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const numberOf = (value: unknown, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise

/** Aggregations of a property. */
const PROPERTY_MATHS = ['sum', 'avg', 'min', 'max'] as const

/** Returns the values of the form, or null for a text that it cannot read. */
export function readInsight(text: string): InsightForm | null {
  let query: Json
  try {
    query = objectOf(JSON.parse(text))
  } catch {
    return null
  }
  if (!Array.isArray(query.series) && query.kind !== 'RetentionQuery') return null
  const nodes = Array.isArray(query.series) ? (query.series as unknown[]) : []
  const funnel = objectOf(query.funnelsFilter)
  const retention = objectOf(query.retentionFilter)
  const range = objectOf(query.dateRange)
  return {
    series: nodes.map((node, at) => seriesOf(node, at)),
    range: { from: textOf(range.date_from, ''), to: textOrNull(range.date_to) },
    interval: textOf(query.interval, 'day'),
    breakdown: breakdownOf(objectOf(query.breakdownFilter)),
    filters: filtersOf(query.properties ?? []),
    windowLength: numberOf(funnel.funnelWindowInterval, 14),
    windowUnit: textOf(funnel.funnelWindowIntervalUnit, 'day'),
    display: textOf(objectOf(query.trendsFilter).display, 'ActionsLineGraph'),
    isCompared: objectOf(query.compareFilter).compare === true,
    retention: {
      target: textOrNull(objectOf(retention.targetEntity).id),
      returning: textOrNull(objectOf(retention.returningEntity).id),
      otherTarget: otherName(retention.targetEntity),
      otherReturning: otherName(retention.returningEntity),
      period: textOf(retention.period, 'Day'),
      totalIntervals: numberOf(retention.totalIntervals, 8),
      type: textOf(retention.retentionType, 'retention_recurring'),
    },
  }
}

function seriesOf(node: unknown, at: number): Series {
  const { event, math, math_property: property } = objectOf(node)
  return {
    at,
    event: textOrNull(event),
    other: otherName(node),
    math: textOf(math, 'total'),
    property: textOf(property, ''),
  }
}

/** Returns the name of a node or an entity that is not one event, or null for an event. */
function otherName(node: unknown): string | null {
  const { kind, type, custom_name: own, name, id } = objectOf(node)
  if ((kind === undefined || kind === 'EventsNode') && (type === undefined || type === 'events')) return null
  const what = type === 'actions' || kind === 'ActionsNode' ? 'action' : String(kind ?? type)
  return [what, own ?? name ?? id].filter((each) => each !== undefined && each !== null).join(' ')
}

function breakdownOf({ breakdown, breakdown_type: type, breakdowns }: Json): Breakdown | null {
  if (Array.isArray(breakdowns) && breakdowns.length > 0) return null
  const of = type ?? 'event'
  if (of !== 'event' && of !== 'person') return null
  if (breakdown === undefined || breakdown === null) return { property: '', type: of }
  return typeof breakdown === 'string' ? { property: breakdown, type: of } : null
}

const FILTER_TYPES: ReadonlySet<unknown> = new Set(['event', 'person', 'cohort'])

function filtersOf(properties: unknown): Filter[] | null {
  if (!Array.isArray(properties)) return null
  const filters = properties.map((each) => ({ type: 'event', ...objectOf(each) }) as Filter)
  return filters.every(({ key, type }) => typeof key === 'string' && FILTER_TYPES.has(type)) ? filters : null
}

/** Returns the text with other values of the form. Everything else in it stays. */
export function writeInsight(text: string, change: Partial<InsightForm>): string {
  const query = objectOf(JSON.parse(text))
  const nodes = Array.isArray(query.series) ? query.series : []
  const { series, range, interval, breakdown, filters, display, isCompared, retention } = change
  const { windowLength: length, windowUnit: unit } = change
  if (series) query.series = series.map((each) => nodeOf(each.at === null ? null : nodes[each.at], each))
  if (range)
    query.dateRange = merged(query.dateRange, {
      date_from: range.from || undefined,
      date_to: range.to ?? undefined,
    })
  if (interval !== undefined) query.interval = interval
  if (breakdown) {
    const { property, type } = breakdown
    query.breakdownFilter = property
      ? merged(query.breakdownFilter, { breakdown: property, breakdown_type: type })
      : undefined
  }
  if (filters) query.properties = filters.length > 0 ? filters : undefined
  if (length !== undefined || unit !== undefined)
    query.funnelsFilter = {
      ...objectOf(query.funnelsFilter),
      ...(length === undefined ? {} : { funnelWindowInterval: length }),
      ...(unit === undefined ? {} : { funnelWindowIntervalUnit: unit }),
    }
  if (display !== undefined) query.trendsFilter = merged(query.trendsFilter, { display })
  if (isCompared !== undefined)
    query.compareFilter = isCompared ? merged(query.compareFilter, { compare: true }) : undefined
  if (retention) {
    const before = objectOf(query.retentionFilter)
    query.retentionFilter = {
      ...before,
      targetEntity: entityOf(before.targetEntity, retention.target),
      returningEntity: entityOf(before.returningEntity, retention.returning),
      period: retention.period,
      totalIntervals: retention.totalIntervals,
      retentionType: retention.type,
    }
  }
  return JSON.stringify(query, null, 2)
}

const merged = (before: unknown, change: Json): Json => ({ ...objectOf(before), ...change })

/** Returns an entity, which keeps its other keys if it is the same event, or is not one event. */
const entityOf = (before: unknown, event: string | null): Json =>
  otherName(before) !== null || objectOf(before).id === (event ?? undefined)
    ? objectOf(before)
    : { ...(event === null ? {} : { id: event }), type: 'events' }

/** Returns a series, which keeps its other keys if it is about the same event, and all of them if the form's values are the same. */
function nodeOf(node: unknown, { at, event, math, property }: Series): unknown {
  const before = objectOf(node)
  const was = at === null ? null : seriesOf(node, at)
  const isSameMath = was?.math === math
  const isSame = was?.event === event
  if (isSame && isSameMath && was.property === property) return node
  const { math: _m, math_property: _p, ...rest } = before
  return {
    ...(isSame || was === null ? rest : without(rest, 'name', 'custom_name')),
    ...(was?.other ? {} : { kind: 'EventsNode', event }),
    ...(math === 'total' ? {} : { math }),
    ...(property && (isOfProperty(math) || isSameMath) ? { math_property: property } : {}),
  }
}

const without = (node: Json, ...names: string[]): Json =>
  Object.fromEntries(Object.entries(node).filter(([name]) => !names.includes(name)))

export const isOfProperty = (math: string): boolean => (PROPERTY_MATHS as readonly string[]).includes(math)
