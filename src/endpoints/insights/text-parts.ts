// Building blocks of the HogQL of insights. User input becomes string constants or fragments.
import { invalid } from '../../errors'
import type { PropertyFilters } from '../query/schema-parts'

export interface InsightText {
  /** HogQL that reads `{variables.…}`, and `{fragments.…}` for property filters. */
  sql: string
  variables: Record<string, 'String' | 'Date'>
  fragments: Record<string, PropertyFilters>
}

export const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '')}'`

const ALWAYS = '1'

export const all = (conditions: readonly (string | null)[]): string =>
  conditions.filter((condition) => condition !== null && condition !== ALWAYS).join(' AND ') || ALWAYS

/** Joins the parts with commas. Nulls are skipped. */
export const list = (...parts: readonly (string | readonly string[] | null)[]): string =>
  parts
    .flat()
    .filter((part) => part !== null)
    .join(', ')

const hasFilters = (filters: PropertyFilters | null | undefined): filters is PropertyFilters =>
  !!filters && ('type' in filters ? filters.values : filters).length > 0

export interface Fragments {
  readonly all: Record<string, PropertyFilters>
  /** Adds property filters and returns HogQL that refers to them, or null without filters. */
  add(name: string, filters: PropertyFilters | null | undefined): string | null
}

export function createFragments(): Fragments {
  const collected: Record<string, PropertyFilters> = {}
  return {
    all: collected,
    add(name, filters) {
      if (!hasFilters(filters)) return null
      collected[name] = filters
      return `{fragments.${name}}`
    },
  }
}

/** Queries that build on each other, as CTEs, because subqueries would nest too deep. */
export interface Stages {
  /** Adds a query and returns the name that stands for it. */
  add(sql: string): string
  /** The WITH clause of all queries. */
  text(): string
}

export function createStages(): Stages {
  const stages: string[] = []
  return {
    add(sql) {
      const name = `stage_${stages.length}`
      stages.push(`${name} AS (${sql})`)
      return name
    },
    text: () => `WITH ${stages.join(', ')}`,
  }
}

export interface TextContext {
  stages: Stages
  fragments: Fragments
}

export interface Actor {
  expression: string
  /** HogQL condition: the event has an actor. It is null when every event has one. */
  condition: string | null
}

/** @throws 400 `query` for an invalid group type */
export function actorOf({
  aggregation_group_type_index: index,
}: {
  aggregation_group_type_index?: number | null | undefined
}): Actor {
  if (index === null || index === undefined) return { expression: 'person_id', condition: null }
  if (!(index >= 0 && index <= 4))
    throw invalid('query', 'aggregation_group_type_index is a number from 0 to 4.')
  return { expression: `$group_${index}`, condition: `notEmpty($group_${index})` }
}
