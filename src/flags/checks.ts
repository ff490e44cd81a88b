// Rules about a flag as a whole, run when every field on its own is in order. Pure. Reference/flags-api.md §1.3, §4.3, §4.6.
import { invalid } from '../errors'
import type { FlagState } from './state'

type Described = { id: number; key: string }

const refuse = (detail: string): never => {
  throw invalid(null, detail)
}

/** `a (ID: 1), b (ID: 2), and 3 more` */
export function listed(flags: readonly Described[], most = 5): string {
  const named = flags.slice(0, most).map(({ id, key }) => `${key} (ID: ${id})`)
  const more = flags.length > most ? `, and ${flags.length - most} more` : ''
  return named.join(', ') + more
}

/**
 * @param before the flag as it is stored; null while it is being created.
 * @param archivedSent whether this request archives the flag.
 * @throws 400, attr null.
 */
export function checkCombination(after: FlagState, before: FlagState | null, archivedSent: boolean): void {
  const isIncompatible = (state: FlagState | null) =>
    state?.bucketing_identifier === 'device_id' && state.ensure_experience_continuity === true
  // A combination that is already stored may go on being saved.
  if (isIncompatible(after) && !isIncompatible(before)) {
    refuse(
      "Cannot enable 'persist across authentication steps' when using device ID bucketing. These features are incompatible.",
    )
  }
  if (after.has_encrypted_payloads && !after.is_remote_configuration) {
    refuse('Encrypted payloads require the flag to be a remote configuration.')
  }
  if (after.archived && after.active) {
    refuse(
      archivedSent
        ? 'Cannot archive an enabled feature flag. Disable it first, or send active: false in the same request.'
        : 'Cannot enable an archived feature flag. Unarchive it first.',
    )
  }
}

/** @throws 400 when the project already has as many live flags as it may. */
export function checkCount(live: number, most: number): void {
  if (live < most) return
  refuse(
    `Maximum of ${most.toLocaleString('en-US')} feature flags allowed per team. ` +
      'Please delete unused flags or contact support to increase this limit.',
  )
}

/**
 * The project's policy that every flag says where it evaluates.
 * @param before the contexts of the stored flag; null while it is being created.
 * @throws 400.
 */
export function checkContextPolicy(after: readonly string[], before: readonly string[] | null): void {
  if (after.length > 0) return
  if (before === null) refuse('At least one evaluation context is required to create a new feature flag.')
  if (before !== null && before.length > 0) {
    refuse(
      'Cannot remove all evaluation contexts. At least one evaluation context is required because this flag already has ' +
        'evaluation contexts and the team requires them.',
    )
  }
}

/** What stands in the way of deleting a flag. */
export interface DeletionBlockers {
  features: readonly { name: string }[]
  experiments: readonly { id: number; name: string; running: number }[]
  dependents: readonly Described[]
  usedInReplay: boolean
}

/** @throws 400 naming the first thing that still needs the flag. */
export function checkDeletable({ features, experiments, dependents, usedInReplay }: DeletionBlockers): void {
  if (features.length > 0) {
    refuse(
      'Cannot delete a feature flag that is in use with early access features. ' +
        'Please delete the early access feature before deleting the flag.',
    )
  }
  const running = experiments.filter((experiment) => experiment.running)
  if (running.length > 0) {
    const names = running.map(({ id, name }) => `"${name}" (ID: ${id})`).join(', ')
    refuse(
      `Cannot delete a feature flag that is linked to running experiment(s): ${names}. ` +
        'Please stop the experiment(s) before deleting the flag.',
    )
  }
  if (dependents.length > 0) {
    refuse(
      `Cannot delete this feature flag because other flags depend on it: ${listed(dependents)}. ` +
        'Please update or disable the dependent flags first.',
    )
  }
  if (usedInReplay) {
    refuse(
      'This feature flag is used in session replay settings. Please remove it from replay settings before deleting.',
    )
  }
}

/** @throws 400 when other active flags look at the flag that is being disabled. */
export function checkDisablable(dependents: readonly Described[]): void {
  if (dependents.length === 0) return
  refuse(
    `Cannot disable this feature flag because other flags depend on it: ${listed(dependents)}. ` +
      'Please update or disable the dependent flags first.',
  )
}

/** @throws 400 when the flag that is being enabled looks at disabled flags. */
export function checkEnablable(disabledTargets: readonly Described[]): void {
  if (disabledTargets.length === 0) return
  refuse(
    `Cannot enable this feature flag because it depends on disabled flags: ${listed(disabledTargets)}. ` +
      'Please enable the dependency flags first.',
  )
}
