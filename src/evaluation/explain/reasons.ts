// Descriptions of reasons, which the evaluation endpoints show next to their codes.
import type { FlagResult } from '../results'

/** Returns one sentence for a result's reason, or null for the codes of a failure, which have none. */
export function describeReason({ reason, caveat }: FlagResult): string | null {
  switch (reason.code) {
    case 'condition_match':
      return `Matched condition set ${(reason.condition_index ?? 0) + 1}`
    case 'no_condition_match':
      return describeMiss(caveat)
    case 'out_of_rollout_bound':
      return 'Out of rollout bound'
    case 'no_group_type':
      // Upstream also has this code for a flag without condition sets.
      return reason.condition_index === null ? 'The flag has no condition sets' : 'No group type'
    case 'super_condition_value':
      return 'Super condition value'
    case 'holdout_condition_value':
      return 'Holdout condition value'
    case 'flag_disabled':
      return 'Feature flag is disabled'
    case 'missing_dependency':
      return 'Flag cannot be evaluated due to missing dependency'
    case 'data_parsing_error':
    case 'cohort_filters_parsing_error':
    case 'dependency_not_found_cohort':
    case 'dependency_cycle_cohort':
    case 'timeout':
      return null
  }
}

function describeMiss(caveat: FlagResult['caveat']): string {
  switch (caveat) {
    case null:
      return 'No matching condition set'
    case 'missing_group':
      return 'No matching condition set; some were skipped because no group was given for them'
    case 'unsupported_cohort':
      return 'No matching condition set; a cohort has event-based conditions that cannot be checked here'
  }
}
