// All the rules for `filters`, in the order in which they are reported: docs/reference/flags.md#rules-for-filters.
import { invalid } from '../../errors'
import type { StoredCohort } from './cohorts'
import { checkAggregation, checkVariants, hasPersonCondition } from './consistency'
import { checkDependencies, type DependencyTarget } from './dependencies'
import { normalize, withRemoteConfigDefaults } from './normalize'
import { checkPayloads } from './payloads'
import { checkPatterns, checkProperties } from './properties'
import { type FlagFilters, reject } from './flag-filters'
import { checkMultivariate, checkStructure } from './structure'

const MAX_BYTES = 524_288

/** The error text for an update that would lose all condition sets, or change nothing. */
const INCOMPLETE = 'filters replaces all condition sets, variants and payloads. Send groups, too.'

/** Facts that the rules need besides the filters. */
export interface FilterFacts {
  /** The flag that is being saved; its id is null while it is being created. */
  self: { id: number | null; key: string }
  /** The filters as they are stored. They are null while the flag is being created. */
  stored: FlagFilters | null
  isRemoteConfiguration: boolean
  linkedToEarlyAccess: boolean
  /** Flags that the filters lead to, by id, without deleted ones. */
  targets: ReadonlyMap<number, DependencyTarget>
  /** Cohorts that the filters lead to, by id, without deleted ones. */
  cohorts: ReadonlyMap<number, StoredCohort>
}

/** Checks `filters` as a caller sent them, and returns them as they are stored. @throws 400, attr `filters` */
export function validateFilters(sent: Record<string, unknown>, facts: FilterFacts): FlagFilters {
  const creating = facts.stored === null
  checkStructure(sent, {
    requireGroups: creating && !facts.isRemoteConfiguration,
    stored: facts.stored,
  })
  if (!creating && (sent.groups ?? null) === null) reject(INCOMPLETE)
  const groups = sent.groups ?? []
  const whole = {
    ...sent,
    groups: creating && facts.isRemoteConfiguration ? withRemoteConfigDefaults(groups) : groups,
  }
  checkPatterns(whole, facts.stored)
  checkMultivariate(whole.multivariate, facts.stored)

  const filters = normalize(whole)
  checkAggregation(filters, facts.linkedToEarlyAccess)
  if (hasPersonCondition(filters)) checkDependencies(filters, facts.self, facts.targets)
  checkVariants(filters)
  checkProperties(filters, facts.cohorts)
  const encoded = checkPayloads(filters)
  checkSize(encoded)
  return encoded
}

function checkSize(filters: FlagFilters): void {
  const bytes = new TextEncoder().encode(JSON.stringify(filters)).byteLength
  if (bytes <= MAX_BYTES) return
  throw invalid(
    'filters',
    `Feature flag filters exceed maximum size of ${MAX_BYTES} bytes. Current size: ${bytes} bytes. ` +
      'Please simplify conditions or reduce payload sizes.',
  )
}

/** Returns the filters of a flag that was created without any. */
export const noFilters = (isRemoteConfiguration: boolean): FlagFilters => ({
  groups: isRemoteConfiguration ? withRemoteConfigDefaults([]) : [],
})
