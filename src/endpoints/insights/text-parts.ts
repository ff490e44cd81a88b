// Building blocks of the HogQL of insights. User input becomes string constants or fragments.
import { invalid } from '../../errors'
import { HogqlError, messageWithPlace } from '../../hogql/error'
import type { PropertyFilters } from '../query/schema-parts'

export interface InsightText {
  /** HogQL that reads `{variables.…}`, and `{fragments.…}` for property filters. */
  sql: string
  variables: Record<string, 'String' | 'Date'>
  fragments: Record<string, PropertyFilters>
}

/**
 * Parses a part that a caller wrote. It must parse by itself, because one that closes a parenthesis would change the query around it.
 * @throws 400 `query` with the failure
 */
export function parsedAlone<Tree>(text: string, parse: (text: string) => Tree, failure: string): Tree {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof HogqlError)) throw error
    throw invalid('query', `${failure}: ${messageWithPlace(error, text)}`)
  }
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
  /** Adds property filters and returns HogQL that refers to them, or null without filters. */
  add(name: string, filters: PropertyFilters | null | undefined): string | null
}

/** Queries that build on each other, as CTEs, because subqueries would nest too deep. */
export interface Stages {
  /** Adds a query and returns the name that stands for it. */
  add(sql: string): string
}

/** Collects what the HogQL of an insight refers to. */
export interface TextContext {
  stages: Stages
  fragments: Fragments
  /** Types of the variables, by name. */
  variables: InsightText['variables']
}

/** @param write returns the SELECT of the insight */
export async function collectText(
  write: (context: TextContext) => string | Promise<string>,
): Promise<InsightText> {
  const queries: string[] = []
  const fragments: InsightText['fragments'] = {}
  const variables: InsightText['variables'] = {}
  const select = await write({
    variables,
    stages: {
      add(sql) {
        const name = `stage_${queries.length}`
        queries.push(`${name} AS (${sql})`)
        return name
      },
    },
    fragments: {
      add(name, filters) {
        if (!hasFilters(filters)) return null
        fragments[name] = filters
        return `{fragments.${name}}`
      },
    },
  })
  return { sql: queries.length > 0 ? `WITH ${queries.join(', ')} ${select}` : select, variables, fragments }
}

/** The range of the query, or the one that it is compared with. */
export type Range = 'date' | 'previous'

interface Comparable {
  compareFilter?: { compare?: boolean | null | undefined } | null | undefined
}

export const isCompared = ({ compareFilter }: Comparable): boolean => compareFilter?.compare === true

export const rangesOf = (query: Comparable): Range[] => (isCompared(query) ? ['date', 'previous'] : ['date'])

/** HogQL of an end of a range, or of a time before it. */
export function dateOf({ variables }: TextContext, name: `${Range}_${'from' | 'to' | 'before'}`): string {
  variables[name] = 'Date'
  return `{variables.${name}}`
}

/** HogQL condition: the time is in the range. */
export const within = (context: TextContext, range: Range, time: string): string =>
  `${time} >= ${dateOf(context, `${range}_from`)} AND ${time} <= ${dateOf(context, `${range}_to`)}`

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
