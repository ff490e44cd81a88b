// Cohorts of conditions: they must exist, and have no event-based conditions. Rules 21–22 of
// docs/reference/flags.md#rules-for-filters.
import { invalid } from '../../errors'
import { valueText } from '../../http/value-words'
import { idIn } from '../../evaluation/values/id'

export interface StoredCohort {
  id: number
  name: string
  isStatic: boolean
  filters: Record<string, unknown> | null
}

export const cohortsById = (rows: readonly StoredCohort[]): Map<number, StoredCohort> =>
  new Map(rows.map((row) => [row.id, row]))

interface Leaf {
  type?: unknown
  key?: unknown
  value?: unknown
}

/** Yields the conditions of a cohort, at any depth. */
export function* leavesOf(node: unknown): Generator<Leaf> {
  if (Array.isArray(node)) for (const each of node) yield* leavesOf(each)
  else if (node && typeof node === 'object') {
    const { values, properties } = node as { values?: unknown; properties?: unknown }
    if (Array.isArray(values)) yield* leavesOf(values)
    else if (properties) yield* leavesOf(properties)
    else yield node as Leaf
  }
}

/** Returns ids of the cohorts that the conditions of a cohort name. */
export const nestedCohortIds = ({ filters }: Pick<StoredCohort, 'filters'>): number[] =>
  [...leavesOf(filters)]
    .filter(({ type }) => type === 'cohort')
    .map(({ value }) => idIn(value))
    .filter((id) => id !== null)

/**
 * Creates a check of the cohorts that conditions name. Each cohort is checked once, however many conditions name it.
 * @param cohorts all that can be reached, by id, without deleted ones
 * @returns a function that takes the value of a condition, and throws 400, attr `filters`
 */
export function createCohortCheck(cohorts: ReadonlyMap<number, StoredCohort>): (value: unknown) => void {
  const checked = new Set<number>()
  return (value) => {
    const id = idIn(value)
    const root = id === null ? undefined : cohorts.get(id)
    if (!root) {
      throw invalid('filters', `Cohort with id ${valueText(value)} does not exist`, 'cohort_does_not_exist')
    }
    const waiting = [root]
    for (let cohort = waiting.pop(); cohort; cohort = waiting.pop()) {
      // A static cohort is a list, and refers to no other cohort.
      if (checked.has(cohort.id) || cohort.isStatic) continue
      checked.add(cohort.id)
      rejectEventBased(cohort)
      for (const nestedId of nestedCohortIds(cohort)) {
        const nested = cohorts.get(nestedId)
        if (nested) waiting.push(nested)
      }
    }
  }
}

function rejectEventBased(cohort: StoredCohort): void {
  const [first, ...others] = [...leavesOf(cohort.filters)].filter(({ type }) => type === 'behavioral')
  if (!first) return
  const more = others.length === 0 ? '' : ` and ${others.length} other${others.length === 1 ? '' : 's'}`
  throw invalid(
    'filters',
    `Cohort '${cohort.name}' has an event-based condition on '${valueText(first.key)}' (${valueText(first.value)})${more} ` +
      'and cannot be used in feature flags.',
    'behavioral_cohort_found',
  )
}
