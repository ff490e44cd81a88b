// The differences between two states of a flag, in words. Pure.
import type { FlagFilters } from '../api/client'
import { conditionSetWords, percent } from '../flags/release-summary'
import { treeOf, treeWords } from '../cohorts/tree'
import { variantsOf } from './draft'

export interface Difference {
  what: string
  /** Null: there was nothing. */
  before: string | null
  after: string | null
}

const LABELS: Readonly<Record<string, string>> = {
  key: 'Key',
  name: 'Description',
  active: 'Enabled',
  archived: 'Archived',
  deleted: 'Deleted',
  tags: 'Tags',
  evaluation_contexts: 'Evaluation contexts',
  evaluation_runtime: 'Evaluation runtime',
  ensure_experience_continuity: 'Persist across sign-in',
  bucketing_identifier: 'Bucketed by',
  is_remote_configuration: 'Remote configuration',
  has_encrypted_payloads: 'Encrypted value',
  has_enriched_analytics: 'Enriched analytics',
  rollback_conditions: 'Rollback conditions',
  analytics_dashboards: 'Dashboards',
}

const labelOf = (field: string): string => LABELS[field] ?? field.replaceAll('_', ' ')

/** A value of a field in words. */
function valueWords(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value))
    return value.length === 0 ? null : value.map((each) => valueWords(each) ?? '').join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The conditions of a cohort, in words. */
const treeValueWords = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'properties' in value
    ? treeWords(treeOf(value))
    : valueWords(value)

const isFilters = (value: unknown): value is FlagFilters =>
  typeof value === 'object' && value !== null && Array.isArray((value as { groups?: unknown }).groups)

/** The differences of one field. `filters` has several. */
export function differencesOf(field: string, before: unknown, after: unknown): Difference[] {
  if (field === 'filters' && isFilters(after))
    return filterDifferences(isFilters(before) ? before : { groups: [] }, after)
  const words = field === 'filters' ? treeValueWords : valueWords
  const [from, to] = [words(before), words(after)]
  return from === to ? [] : [{ what: labelOf(field), before: from, after: to }]
}

function filterDifferences(before: FlagFilters, after: FlagFilters): Difference[] {
  const differences: Difference[] = []
  const add = (what: string, from: string | null, to: string | null) => {
    if (from !== to) differences.push({ what, before: from, after: to })
  }
  const sets = Math.max(before.groups.length, after.groups.length)
  for (let index = 0; index < sets; index += 1) {
    const words = (filters: FlagFilters) => {
      const set = filters.groups[index]
      return set ? `${conditionSetWords(set)}${set.variant ? `, variant ${set.variant}` : ''}` : null
    }
    add(`Condition set ${index + 1}`, words(before), words(after))
  }
  const share = (filters: FlagFilters, key: string) => {
    const variant = variantsOf(filters).find((each) => each.key === key)
    return variant ? percent(variant.rollout_percentage) : null
  }
  const variants = new Set([...variantsOf(before), ...variantsOf(after)].map(({ key }) => key))
  for (const key of variants) add(`Variant ${key}`, share(before, key), share(after, key))
  const payloads = new Set([...Object.keys(before.payloads ?? {}), ...Object.keys(after.payloads ?? {})])
  for (const key of payloads)
    add(
      key === 'true' ? 'Payload' : `Payload of ${key}`,
      valueWords(before.payloads?.[key]),
      valueWords(after.payloads?.[key]),
    )
  for (const [member, what] of OTHER_MEMBERS) add(what, valueWords(before[member]), valueWords(after[member]))
  return differences
}

const OTHER_MEMBERS = [
  ['aggregation_group_type_index', 'Group type'],
  ['holdout', 'Holdout'],
  ['feature_enrollment', 'Early access enrollment'],
  ['early_exit', 'Stop at the first set that matches'],
] as const satisfies readonly (readonly [keyof FlagFilters, string])[]
