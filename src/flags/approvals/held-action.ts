// Decides which policy holds a change of a flag until others approve it. Pure.
import { sameJson } from '../../json'
import { ApiError, invalid } from '../../errors'
import { hasFacet } from '../../flag-fields'
import { type FlagFilters, variantsOf } from '../filters/flag-filters'
import { withoutLegacy } from '../filters/normalize'
import { isOn } from '../write/rules'
import { type FlagState, TRACKED_FIELDS } from '../state'
import {
  type ActionKey,
  type Condition,
  type Conditions,
  CREATED_ENABLED,
  type Operator,
} from './approval-types'

/** The parts of a policy that the rules read. */
export interface AppliedPolicy {
  id: string
  actionKey: ActionKey
  conditions: Conditions
  bypassLevels: number[]
}

interface FlagChange {
  before: FlagState
  after: FlagState
  /** Whether the flag's evaluation contexts change. */
  hasNewContexts: boolean
}

/**
 * Fields of a definition that are left out of the comparison: those that evaluation does not depend on, `active`, which has actions of its
 * own, and filters, which are compared without legacy parts.
 */
const NOT_COMPARED: ReadonlySet<string> = new Set(['active', 'filters', 'name', 'version'])

const COMPARED = TRACKED_FIELDS.filter((field) => hasFacet(field, 'definition') && !NOT_COMPARED.has(field))

/**
 * Returns the enabled policy that holds a change, or null.
 * @param level of the caller's membership
 * @throws 400 `policy_conflict` when more than one policy holds it, because each has its own approvers
 */
export function policyFor<Policy extends AppliedPolicy>(
  policies: readonly Policy[],
  change: FlagChange,
  level: number,
): Policy | null {
  const holding = policies.filter(
    (policy) => !policy.bypassLevels.includes(level) && isHeldBy(policy, change),
  )
  // A deletion or a new key disables an enabled flag, and a restoration or a new key enables it. One approval of the update is enough, unless the
  // policy for updates holds something else of the change.
  const { before, after } = change
  const isIndirect =
    before.active === after.active && (before.deleted !== after.deleted || before.key !== after.key)
  const updates = holding.filter(
    ({ actionKey, conditions }) => actionKey === 'feature_flag.update' && !conditions.type,
  )
  const [policy, ...others] = isIndirect && updates.length > 0 ? updates : holding
  if (others.length > 0) throw policyConflict(holding)
  return policy ?? null
}

function isHeldBy({ actionKey, conditions }: AppliedPolicy, change: FlagChange): boolean {
  const { before, after } = change
  // Code asks for a flag by its key, so that a key counts as enabled or disabled, by whichever flag.
  const staysOn = isOn(before) && isOn(after) && before.key === after.key
  switch (actionKey) {
    case 'feature_flag.enable':
      return isOn(after) && !staysOn
    case 'feature_flag.disable':
      return isOn(before) && !staysOn
    case 'feature_flag.update':
      return conditions.type ? meets(conditions, before.filters, after.filters) : changesEvaluation(change)
  }
}

/**
 * Rejects a flag that is created enabled under a policy for enabling, because the creation would also enable the key of a flag that was
 * deleted or renamed.
 * @throws 400, attr `active`
 */
export function checkCreation(policies: readonly AppliedPolicy[], state: FlagState, level: number): void {
  const isHeld = policies.some(
    ({ actionKey, bypassLevels }) => actionKey === 'feature_flag.enable' && !bypassLevels.includes(level),
  )
  if (isHeld && isOn(state))
    throw invalid(
      'active',
      'Enabling a flag needs approval in this project. Create it with active: false, then enable it.',
      CREATED_ENABLED,
    )
}

const changesEvaluation = ({ before, after, hasNewContexts }: FlagChange): boolean =>
  hasNewContexts ||
  // Filters are compared without legacy parts, which are not evaluated and which every save drops.
  !sameJson(withoutLegacy(before.filters), after.filters) ||
  COMPARED.some((field) => !sameJson(before[field] ?? null, after[field] ?? null))

/** Returns percentages by their path, as upstream names it. A condition set without a percentage applies to everybody. */
export function rolloutsOf(filters: FlagFilters): { path: string; value: number }[] {
  const sets = filters.groups.map(({ rollout_percentage: value }, index) => ({
    path: `groups[${index}].rollout_percentage`,
    value: value ?? 100,
  }))
  const variants = variantsOf(filters).map(({ rollout_percentage: value }, index) => ({
    path: `multivariate.variants[${index}].rollout_percentage`,
    value: value ?? 0,
  }))
  return [...sets, ...variants]
}

/** Whether a change meets the conditions. A percentage that only one side has counts as 0 on the other. */
function meets(conditions: Condition, before: FlagFilters, after: FlagFilters) {
  const [old, now] = [before, after].map(
    (filters) => new Map(rolloutsOf(filters).map(({ path, value }) => [path, value])),
  ) as [Map<string, number>, Map<string, number>]
  const paths = [...new Set([...old.keys(), ...now.keys()])]
  const isChanged = paths.some((path) => old.get(path) !== now.get(path))
  if (!isChanged || conditions.type === 'any_change') return isChanged
  const { operator, value } = conditions
  const compared =
    conditions.type === 'before_after'
      ? [...now.values()]
      : paths.map((path) => (now.get(path) ?? 0) - (old.get(path) ?? 0))
  return compared.some((each) => compare(operator, each, value))
}

function compare(operator: Operator, left: number, right: number): boolean {
  switch (operator) {
    case '>':
      return left > right
    case '<':
      return left < right
    case '>=':
      return left >= right
    case '<=':
      return left <= right
    case '==':
      return left === right
    case '!=':
      return left !== right
  }
}

const GUIDANCE = 'Split your changes into separate API calls to address each policy independently'

function policyConflict(policies: readonly AppliedPolicy[]) {
  const detail = 'This change matches multiple approval policies'
  return new ApiError({
    status: 400,
    type: 'validation_error',
    code: 'policy_conflict',
    detail: `${detail}: ${policies.map(({ actionKey }) => actionKey).join(', ')}. ${GUIDANCE}.`,
    more: {
      error: detail,
      conflicting_policies: policies.map(({ id, actionKey }) => ({ id, name: actionKey })),
      guidance: GUIDANCE,
    },
  })
}
