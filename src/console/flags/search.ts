// Defines the state of the list of flags in its address: filters and order.
import type { FlagFilter } from '../api/queries'
import { parseSearch } from '../design/address'

const CHOICES = {
  active: ['true', 'false', 'STALE'],
  archived: ['true', 'false'],
  type: ['boolean', 'multivariant', 'remote_config', 'experiment'],
  evaluation_runtime: ['all', 'client', 'server'],
  has_evaluation_contexts: ['true', 'false'],
} as const

const TEXTS = ['search', 'tags', 'excluded_tags', 'created_by_id', 'order'] as const

export type FlagSearch = Omit<FlagFilter, 'limit' | 'offset' | 'excluded_properties'>

export const parseFlagSearch = (search: Record<string, unknown>): FlagSearch =>
  parseSearch(search, CHOICES, TEXTS) as FlagSearch

/** Returns the tags of a filter, which the API takes as a JSON list. */
export function tagsOf(text: string | undefined): string[] {
  if (!text) return []
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed.map(String) : [text]
  } catch {
    return text.split(',')
  }
}

export const tagsText = (tags: readonly string[]): string | undefined =>
  tags.length === 0 ? undefined : JSON.stringify(tags)

const SHOWN: ReadonlySet<string> = new Set(['search', 'active', 'archived', 'order'])

/** Returns the number of set filters that the list does not always show. */
export const hiddenCount = (search: FlagSearch): number =>
  Object.entries(search).filter(([name, value]) => value && !SHOWN.has(name)).length
