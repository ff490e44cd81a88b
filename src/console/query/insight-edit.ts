// Trends and funnels as a form: what it shows of their JSON, and what it changes. Pure.

type Json = Record<string, unknown>

export interface Series {
  /** Its place in the text; null for a new one. */
  at: number | null
  /** Null stands for all events. */
  event: string | null
  math: string
  /** Of which `math` is computed. */
  property: string
}

export interface InsightForm {
  series: Series[]
  dateFrom: string
  interval: string
  /** A property of events; null where the JSON has a breakdown of another form. */
  breakdown: string | null
  windowLength: number
  windowUnit: string
}

const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

const textOf = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise)

/** Aggregations of a property. */
const PROPERTY_MATHS = ['sum', 'avg', 'min', 'max'] as const

/** What the form shows; null for a text that it cannot read. */
export function readInsight(text: string): InsightForm | null {
  let query: Json
  try {
    query = objectOf(JSON.parse(text))
  } catch {
    return null
  }
  if (!Array.isArray(query.series)) return null
  const filter = objectOf(query.funnelsFilter)
  return {
    series: query.series.map((node, at) => {
      const { event, math, math_property: property } = objectOf(node)
      return {
        at,
        event: typeof event === 'string' ? event : null,
        math: textOf(math, 'total'),
        property: textOf(property, ''),
      }
    }),
    dateFrom: textOf(objectOf(query.dateRange).date_from, ''),
    interval: textOf(query.interval, 'day'),
    breakdown: breakdownOf(objectOf(query.breakdownFilter)),
    windowLength: typeof filter.funnelWindowInterval === 'number' ? filter.funnelWindowInterval : 14,
    windowUnit: textOf(filter.funnelWindowIntervalUnit, 'day'),
  }
}

function breakdownOf({ breakdown, breakdown_type: type, breakdowns }: Json): string | null {
  if (Array.isArray(breakdowns) && breakdowns.length > 0) return null
  if (breakdown === undefined || breakdown === null) return ''
  return typeof breakdown === 'string' && (type ?? 'event') === 'event' ? breakdown : null
}

/** The text with other series, dates and so on; everything else of it stays. */
export function writeInsight(text: string, change: Partial<InsightForm>): string {
  const query = objectOf(JSON.parse(text))
  const nodes = Array.isArray(query.series) ? query.series : []
  const { series, dateFrom, interval, breakdown, windowLength, windowUnit } = change
  if (series)
    query.series = series.map((each) => nodeOf(each.at === null ? {} : objectOf(nodes[each.at]), each))
  if (dateFrom !== undefined) query.dateRange = { ...objectOf(query.dateRange), date_from: dateFrom }
  if (interval !== undefined) query.interval = interval
  if (breakdown !== undefined) {
    if (breakdown) query.breakdownFilter = { breakdown, breakdown_type: 'event' }
    else delete query.breakdownFilter
  }
  if (windowLength !== undefined || windowUnit !== undefined) {
    const filter = objectOf(query.funnelsFilter)
    query.funnelsFilter = {
      ...filter,
      ...(windowLength === undefined ? {} : { funnelWindowInterval: windowLength }),
      ...(windowUnit === undefined ? {} : { funnelWindowIntervalUnit: windowUnit }),
    }
  }
  return JSON.stringify(query, null, 2)
}

/** A series keeps its other keys as long as it is about the same event. */
function nodeOf(before: Json, { event, math, property }: Series): Json {
  const { math: _m, math_property: _p, ...rest } = before
  const kept =
    before.event === event || Object.keys(before).length === 0 ? rest : without(rest, 'name', 'custom_name')
  return {
    ...kept,
    kind: 'EventsNode',
    event,
    ...(math === 'total' ? {} : { math }),
    ...(isOfProperty(math) && property ? { math_property: property } : {}),
  }
}

const without = (node: Json, ...names: string[]): Json =>
  Object.fromEntries(Object.entries(node).filter(([name]) => !names.includes(name)))

export const isOfProperty = (math: string): boolean => (PROPERTY_MATHS as readonly string[]).includes(math)
