// Breakdowns by cohort: an actor counts in each cohort that they belong to.
import { invalid } from '../../errors'
import type { BreakdownFilter } from '../query/schema-parts'
import { type Breakdown, breakdownsOf } from './breakdown'
import { MAX_COHORTS } from './limits'
import { quoted } from './text-parts'

export interface CohortValue {
  /** The value that rows have for the cohort. */
  shown: string
  /** HogQL of that value. */
  value: string
  /** HogQL of the membership. It is null for all people. */
  condition: string | null
}

/** Whether the breakdown is by cohorts. The type alone is no breakdown. As upstream, `breakdowns` take precedence. */
export const isByCohort = (filter: BreakdownFilter | null | undefined): boolean =>
  filter?.breakdown_type === 'cohort' && !filter.breakdowns?.length && referencesIn(filter).length > 0

const referencesIn = ({ breakdown }: BreakdownFilter): string[] => [
  ...new Set([breakdown ?? []].flat().map(String)),
]

/** Returns null for breakdowns of another type. @throws 400 `query` for what is no cohort, and for too many */
export function cohortsOf(filter: BreakdownFilter | null | undefined): CohortValue[] | null {
  if (!filter || !isByCohort(filter)) return null
  const references = referencesIn(filter)
  if (references.length > MAX_COHORTS)
    throw invalid('query', `A breakdown by cohorts has at most ${MAX_COHORTS} of them.`)
  return references.map((reference) => {
    if (reference === 'all') return { shown: reference, value: quoted('all'), condition: null }
    if (!/^\d{1,15}$/.test(reference))
      throw invalid('query', `Breakdown '${reference}' is not a cohort: use its id, or 'all'.`)
    return {
      shown: reference,
      value: quoted(reference),
      condition: `person_id IN COHORT ${Number(reference)}`,
    }
  })
}

/** Rows with the same breakdowns, and the condition of their events. */
export interface BreakdownGroup {
  breakdowns: readonly Breakdown[]
  condition: string | null
}

/** Returns a group for each cohort, or one with all other breakdowns. @throws as `cohortsOf` and `breakdownsOf` do */
export const groupsOf = (filter: BreakdownFilter | null | undefined): BreakdownGroup[] =>
  cohortsOf(filter)?.map(({ value, condition }) => ({
    breakdowns: [{ property: 'cohort', expression: value }],
    condition,
  })) ?? [{ breakdowns: breakdownsOf(filter), condition: null }]

/** Converts the value that rows have for a cohort to the one that results show. */
export const shownCohort = (value: unknown): unknown => (value === 'all' ? 'all' : Number(value))

export const cohortLabel = (value: unknown): string =>
  value === 'all' ? 'all users' : `cohort ${String(value)}`
