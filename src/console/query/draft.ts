// Defines the editable part of a saved query. The functions are pure.
import type { Endpoint, Variable } from '../api/client'
import { jsonIssueWords } from '../design/code/json-issue'
import type { Kind } from './kinds'

/** The kinds of saved queries. */
export type QueryKind = Endpoint['query']['kind']

export interface Draft {
  kind: QueryKind
  /** SQL, or the JSON of an insight. */
  text: string
  description: string
  data_freshness_seconds: number
  tags: string[]
}

/** Fields beside which a form shows why the service rejects them. */
export const SHOWN_FIELDS = ['query', 'description', 'data_freshness_seconds', 'tags'] as const

/** Returns the service's error for a field, or null. */
export type Refused = (field: (typeof SHOWN_FIELDS)[number]) => string | null

export const FRESHNESS: readonly (readonly [seconds: string, words: string])[] = [
  ['900', '15 minutes'],
  ['1800', '30 minutes'],
  ['3600', '1 hour'],
  ['21600', '6 hours'],
  ['43200', '12 hours'],
  ['86400', '1 day'],
  ['604800', '7 days'],
]

type Json = Record<string, unknown>

/** Returns an insight without the options that are not set. */
function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compact)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null)
      .map(([key, each]) => [key, compact(each)]),
  )
}

/** Returns the text of a query for the editor. */
export const textOf = (query: Json): string =>
  query.kind === 'HogQLQuery' ? String(query.query) : JSON.stringify(compact(query), null, 2)

export const draftOf = ({
  query,
  description,
  data_freshness_seconds,
  tags,
}: Pick<Endpoint, 'query' | 'description' | 'data_freshness_seconds' | 'tags'>): Draft => ({
  kind: query.kind,
  text: textOf(query),
  description,
  data_freshness_seconds,
  tags: [...tags],
})

export const changedFields = (before: Draft, after: Draft): (keyof Draft)[] =>
  (Object.keys(after) as (keyof Draft)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )

/** @returns the insight, or why the text is none */
function parseInsight(text: string): { query: Json } | { issue: string } {
  const issue = jsonIssueWords(text)
  if (issue !== null) return { issue: `This is not valid JSON. ${issue}` }
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
    return { query: parsed as Json }
  return { issue: 'A query is a JSON object.' }
}

/** Returns the problem of a draft that can be found without the service, or null. */
export function issueOf({ kind, text }: Pick<Draft, 'kind' | 'text'>): string | null {
  if (text.trim() === '') return 'A query is needed.'
  if (kind === 'HogQLQuery') return null
  const parsed = parseInsight(text)
  return 'issue' in parsed ? parsed.issue : null
}

/**
 * Returns the query of a draft, on top of the stored one.
 * @param stored its variables and filters are kept
 */
export function queryOf({ kind, text }: Pick<Draft, 'kind' | 'text'>, stored?: Json): Json {
  if (kind === 'HogQLQuery') return { ...(stored?.kind === kind ? stored : { kind }), query: text }
  const parsed = parseInsight(text)
  return 'query' in parsed ? parsed.query : { kind }
}

/** Returns the code names of the variables that SQL reads, in its order. */
export const variableNames = (sql: string): string[] => [
  ...new Set([...sql.matchAll(/\{\s*variables\.(\w+)\s*\}/g)].map(([, name]) => name!)),
]

/** Returns the names for which the project has no variable. */
export const missingIn = (names: readonly string[], variables: readonly Variable[]): string[] =>
  names.filter((name) => !variables.some(({ code_name: each }) => each === name))

/** Values of variables, from their fields. Null stands for no value. */
export type Values = Readonly<Record<string, unknown>>

/** A number as a query takes it. */
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

/** Returns why a value is not one of a variable's type, or null. */
export const valueIssue = ({ type }: Pick<Variable, 'type'>, value: unknown): string | null =>
  type !== 'Number' || (value ?? null) === null || NUMBER.test(String(value).trim())
    ? null
    : 'Enter a number.'

interface StoredVariable {
  code_name: string
  value?: unknown
  isNull?: boolean | null
}

/** Returns the values of a run if nothing else is entered: those of the query, else the defaults. */
export function storedValues(stored: Json | undefined, variables: readonly Variable[]): Values {
  const defaults = variables.map(({ code_name: name, default_value: value }) => [name, value] as const)
  const own = Object.values((stored?.variables ?? {}) as Record<string, StoredVariable>)
    .filter(({ value, isNull }) => (value !== null && value !== undefined) || isNull)
    .map(({ code_name: name, value, isNull }) => [name, isNull ? null : value] as const)
  return Object.fromEntries([...defaults, ...own])
}

/** Returns the query with values for its variables, to be run once. */
export function withValues(query: Json, values: Values, variables: readonly Variable[]): Json {
  if (query.kind !== 'HogQLQuery') return query
  const used = variables.filter(({ code_name: name }) => variableNames(String(query.query)).includes(name))
  if (used.length === 0) return { ...query, variables: null }
  return {
    ...query,
    variables: Object.fromEntries(
      used.map(({ id, code_name }) => {
        const value = values[code_name] ?? null
        return [id, { variableId: id, code_name, value, isNull: value === null }]
      }),
    ),
  }
}

/** Returns two events for examples: page views or the project's own ones, or usual ones of a project without events. */
function exampleEvents(names: readonly string[]): readonly [string, string] {
  const rank = (name: string) => (name === '$pageview' ? 0 : name.startsWith('$') ? 2 : 1)
  const [first, second = first] = names.toSorted((a, b) => rank(a) - rank(b))
  return first !== undefined && second !== undefined ? [first, second] : ['$pageview', 'purchase']
}

/**
 * Returns the start of a new query of each kind.
 * @param names the events of the project
 */
export function templatesOf(names: readonly string[]): Readonly<Record<Kind, string>> {
  const [first, second] = exampleEvents(names)
  const insight = (kind: Kind, query: object) => JSON.stringify({ kind, ...query }, null, 2)
  const node = (event: string) => ({ kind: 'EventsNode', event })
  const dateRange = { date_from: '-30d' }
  const entity = { id: first, type: 'events' }
  return {
    HogQLQuery: `SELECT
  toStartOfDay(timestamp) AS day,
  count() AS events,
  uniq(person_id) AS people
FROM events
WHERE timestamp >= now() - INTERVAL 30 DAY
GROUP BY day
ORDER BY day`,
    TrendsQuery: insight('TrendsQuery', {
      series: [{ ...node(first), math: 'total' }],
      interval: 'day',
      dateRange,
    }),
    FunnelsQuery: insight('FunnelsQuery', {
      series: [node(first), node(second)],
      dateRange,
      funnelsFilter: { funnelWindowInterval: 14, funnelWindowIntervalUnit: 'day' },
    }),
    RetentionQuery: insight('RetentionQuery', {
      retentionFilter: {
        targetEntity: entity,
        returningEntity: entity,
        period: 'Week',
        totalIntervals: 8,
      },
    }),
    LifecycleQuery: insight('LifecycleQuery', { series: [node(first)], interval: 'day', dateRange }),
  }
}
