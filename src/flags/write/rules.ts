// Rules about a flag as a whole, checked after each field. The functions are pure. docs/reference/flags.md#rules-for-the-whole-flag,
// docs/reference/flags.md#deleting-and-restoring and docs/reference/flags.md#enabling-disabling-and-archiving.
import { invalid } from '../../errors'
import { noPrimaryKey, noSuchObject } from '../../http/validation'
import type { UnmetDependency } from '../read/linked-objects'
import type { FlagState } from '../state'

type Described = { id: number; key: string }

const reject = (detail: string): never => {
  throw invalid(null, detail)
}

/** Returns a text such as `a (ID: 1), b (ID: 2), and 3 more`. */
export function listed(flags: readonly Described[], max = 5): string {
  const named = flags.slice(0, max).map(({ id, key }) => (key === '' ? `ID: ${id}` : `${key} (ID: ${id})`))
  const more = flags.length > max ? `, and ${flags.length - max} more` : ''
  return named.join(', ') + more
}

/**
 * @param before the stored flag; null for a new one
 * @param archivedSent whether this request archives the flag
 * @throws 400, attr null
 */
export function checkCombination(after: FlagState, before: FlagState | null, archivedSent: boolean): void {
  const isIncompatible = (state: FlagState | null) =>
    state?.bucketing_identifier === 'device_id' && state.ensure_experience_continuity === true
  // A combination that is stored already may be saved again.
  if (isIncompatible(after) && !isIncompatible(before)) {
    reject(
      "Cannot enable 'persist across authentication steps' when using device ID bucketing. These features are incompatible.",
    )
  }
  if (after.has_encrypted_payloads && !after.is_remote_configuration) {
    reject('Encrypted payloads require the flag to be a remote configuration.')
  }
  if (after.archived && after.active) {
    reject(
      archivedSent
        ? 'Cannot archive an enabled feature flag. Disable it first, or send active: false in the same request.'
        : 'Cannot enable an archived feature flag. Unarchive it first.',
    )
  }
}

/** @throws 400 when the project has its maximum of live flags */
export function checkCount(live: number, max: number): void {
  if (live < max) return
  reject(
    `Maximum of ${max.toLocaleString('en-US')} feature flags allowed per team. ` +
      'Please delete unused flags or contact support to increase this limit.',
  )
}

/**
 * Checks the project's policy that every flag has evaluation contexts.
 * @param before the contexts of the stored flag; null for a new one
 * @throws 400
 */
export function checkContextPolicy(after: readonly string[], before: readonly string[] | null): void {
  if (after.length > 0) return
  if (before === null) reject('At least one evaluation context is required to create a new feature flag.')
  if (before !== null && before.length > 0) {
    reject(
      'Cannot remove all evaluation contexts. At least one evaluation context is required because this flag already has ' +
        'evaluation contexts and the team requires them.',
    )
  }
}

/** What may prevent the deletion of a flag. */
export interface DeletionBlockers {
  features: readonly { name: string }[]
  experiments: readonly { id: number; name: string; running: number }[]
  dependents: readonly Described[]
  usedInReplay: boolean
}

/** @throws 400 that names the first blocker */
export function checkDeletable({ features, experiments, dependents, usedInReplay }: DeletionBlockers): void {
  if (features.length > 0) {
    reject(
      'Cannot delete a feature flag that is in use with early access features. ' +
        'Please delete the early access feature before deleting the flag.',
    )
  }
  const running = experiments.filter((experiment) => experiment.running)
  if (running.length > 0) {
    const names = running.map(({ id, name }) => `"${name}" (ID: ${id})`).join(', ')
    reject(
      `Cannot delete a feature flag that is linked to running experiment(s): ${names}. ` +
        'Please stop the experiment(s) before deleting the flag.',
    )
  }
  if (dependents.length > 0) {
    reject(
      `Cannot delete this feature flag because other flags depend on it: ${listed(dependents)}. ` +
        'Please update or disable the dependent flags first.',
    )
  }
  if (usedInReplay) {
    reject(
      'This feature flag is used in session replay settings. Please remove it from replay settings before deleting.',
    )
  }
}

/** @throws 400 when other active flags depend on the flag that is being disabled */
export function checkDisablable(dependents: readonly Described[]): void {
  if (dependents.length === 0) return
  reject(
    `Cannot disable this feature flag because other flags depend on it: ${listed(dependents)}. ` +
      'Please update or disable the dependent flags first.',
  )
}

/**
 * Checks that no enabled flag expects a variant of this flag that the update removes.
 * @param removed texts that the update removes
 * @throws 400, attr `filters`, that names the first of them with the flags that expect it
 */
export function checkRemovable(
  removed: readonly string[],
  expecting: readonly (Described & { texts: string })[],
): void {
  const expected = expecting.map((flag) => ({ ...flag, texts: new Set(JSON.parse(flag.texts) as string[]) }))
  const wanted = new Set(expected.flatMap(({ texts }) => [...texts]))
  for (const text of removed) {
    if (!wanted.has(text)) continue
    const flags = expected.filter(({ texts }) => texts.has(text))
    throw invalid(
      'filters',
      `Cannot remove the variant '${text}' because other flags depend on it: ${listed(flags)}. ` +
        'Please update or disable the dependent flags first.',
    )
  }
}

/** What the caller has to do first, by kind of dependency. */
const REMEDIES: Readonly<Record<UnmetDependency['kind'], string>> = {
  'disabled flag': 'Please enable the dependency flags first.',
  'deleted flag': 'Please restore the dependency flags first, or change the conditions in the same request.',
  'missing variant': 'Please add the variants first, or change the conditions in the same request.',
  'deleted cohort': 'Please restore the cohorts first, or change the conditions in the same request.',
}

/**
 * Checks that a flag which is turned on depends on nothing that is deleted or disabled. It is for updates that keep the stored conditions;
 * `validateFilters` checks conditions that are sent.
 * @param verb what the update does
 * @throws 400 that names all unmet dependencies of the first kind
 */
export function checkEnablable(verb: 'enable' | 'restore', unmet: readonly UnmetDependency[]): void {
  const [first] = unmet
  if (!first) return
  const { kind } = first
  const named = unmet.filter((each) => each.kind === kind).map(({ id, name }) => ({ id, key: name }))
  reject(
    `Cannot ${verb} this feature flag because it depends on ${kind}s: ${listed(named)}. ${REMEDIES[kind]}`,
  )
}

export const isOn = ({ active, deleted }: Pick<FlagState, 'active' | 'deleted'>): boolean =>
  active && !deleted

/**
 * Returns the ids of the dashboards that a body names.
 * @param existing the dashboards of the project
 * @throws 400, attr `analytics_dashboards`, for the first invalid id or missing dashboard
 */
export function checkDashboards(sent: readonly unknown[], existing: readonly { id: number }[]): number[] {
  const known = new Set(existing.map(({ id }) => id))
  return sent.map((member) => {
    const id = typeof member === 'string' && /^\d{1,15}$/.test(member) ? Number(member) : member
    if (typeof id !== 'number' || !Number.isSafeInteger(id)) throw dashboardError(noPrimaryKey(member))
    if (!known.has(id)) throw dashboardError(noSuchObject(id))
    return id
  })
}

const dashboardError = ({ detail, code }: ReturnType<typeof noSuchObject>) =>
  invalid('analytics_dashboards', detail, code)
