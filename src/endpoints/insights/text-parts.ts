// HogQL that insights are written in. What a user said goes into it as a constant, and is compiled by allow-list like any other text.
import type { Insight, PropertyFilters } from './insight-types'
import { invalid } from '../../errors'

/** A string constant. */
export const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '')}'`

/** Conditions that all hold; `1` without any. */
export const all = (conditions: readonly (string | null)[]): string =>
  conditions.filter((condition) => condition !== null).join(' AND ') || '1'

/** A list of expressions, one after the other, without those that are not there. */
export const list = (...parts: readonly (string | readonly string[] | null)[]): string =>
  parts
    .flat()
    .filter((part) => part !== null)
    .join(', ')

const hasFilters = (filters: PropertyFilters | null | undefined): filters is PropertyFilters =>
  !!filters && ('type' in filters ? filters.values : filters).length > 0

export interface Fragments {
  readonly all: Record<string, PropertyFilters>
  /** HogQL for filters, under a name of their own; null without any. */
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

export interface Actor {
  /** HogQL over events. */
  expression: string
  /** What an event needs to have one; null when all have. */
  condition: string | null
}

/** @throws 400 `query` for a group type that cannot be. */
export function actorOf({ aggregation_group_type_index: index }: Insight): Actor {
  if (index === null || index === undefined) return { expression: 'person_id', condition: null }
  if (!(index >= 0 && index <= 4))
    throw invalid('query', 'aggregation_group_type_index is a number from 0 to 4.')
  return { expression: `$group_${index}`, condition: `notEmpty($group_${index})` }
}
