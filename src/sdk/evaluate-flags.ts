// Evaluates flags for an SDK: definitions from the snapshot, persons from D1 only where the request leaves a result open.
import { type PersonRow, selectGroups, selectPerson, subjectFrom } from '../analytics/evaluation-subject'
import type { Deps } from '../deps'
import { within } from '../deadline'
import { EvaluationBudget } from '../evaluation/budget'
import type { Subject } from '../evaluation/context'
import { evaluate, type EvaluationOptions } from '../evaluation/evaluate'
import { groupPropertyMaps } from '../evaluation/property-maps'
import { personPropertyMap } from '../evaluation/property-maps'
import { type Requirements, unsettledFlags } from '../evaluation/requirements'
import type { FlagResult } from '../evaluation/results'
import type { JsonObject } from '../json'
import type { LoadedSnapshot } from '../snapshots/compiled-snapshot'
import { storeContinuity, selectAnonymous, resolveContinuity } from './continuity'
import type { FlagsRequest } from './flags-request'

/** Reason code while storage is unavailable. */
const UNAVAILABLE = 'database_unavailable'
/** SDKs time out after 3 s, and a snapshot may take one. */
const STORAGE_DEADLINE_MS = 1_000

export interface SdkEvaluation {
  flags: ReadonlyMap<string, FlagResult>
  /** Flags that need storage while it is unavailable. */
  unavailable: ReadonlySet<string>
  errorsWhileComputingFlags: boolean
}

export const isOverQuota = ({ snapshot }: LoadedSnapshot): boolean =>
  snapshot.quota_limited.includes('feature_flags')

/** @param includeDisabled whether inactive flags are included, with the reason `flag_disabled` */
export async function evaluateFlags(
  deps: Deps,
  loaded: LoadedSnapshot,
  request: FlagsRequest,
  includeDisabled = false,
): Promise<SdkEvaluation> {
  const { snapshot, compiled, requirements } = loaded
  const options: EvaluationOptions = {
    now: deps.clock.now().getTime(),
    timezone: snapshot.timezone,
    flagKeys: request.flagKeys ?? undefined,
    runtime: request.runtime,
    evaluationContexts: request.evaluationContexts,
    includeDisabled,
    // Shared by both evaluations.
    budget: new EvaluationBudget(),
  }
  const asSent = evaluate(compiled, subjectAsSent(request), options)
  if (isSettled(requirements.together, request, loaded)) return { ...asSent, unavailable: NONE }
  // Flags outside the request need no query.
  const unsettled = unsettledFlags(compiled, requirements.byFlag, (needs) =>
    isSettled(needs, request, loaded),
  )
  const open = [...asSent.flags]
    .filter(([key, { reason }]) => reason.code !== 'flag_disabled' && unsettled.has(compiled.byKey.get(key)!))
    .map(([key]) => key)
  if (open.length === 0) return { ...asSent, unavailable: NONE }
  try {
    const subject = await within(subjectFromStorage(deps, loaded, request), STORAGE_DEADLINE_MS)
    return { ...evaluate(compiled, subject, options), unavailable: NONE }
  } catch (error) {
    // With D1 unavailable, return the flags that need none, and log the error.
    deps.afterResponse(() => Promise.reject(error))
    return { flags: asSent.flags, unavailable: new Set(open), errorsWhileComputingFlags: true }
  }
}

const NONE: ReadonlySet<string> = new Set()

const subjectAsSent = (request: FlagsRequest): Subject => ({
  distinctId: request.distinctId,
  anonDistinctId: request.anonDistinctId,
  deviceId: request.deviceId,
  personProperties: personPropertyMap({}, request.personProperties, request.distinctId),
  groups: request.groups,
  groupProperties: groupPropertyMaps(request.groups, {}, request.groupProperties),
})

/**
 * Whether the request has every property that decides. Derived properties (`$initial_…`, `$os`) do not count: stored ones may differ. A
 * distinct id counts, though a person may have a stored property of that name.
 */
function isSettled(needs: Requirements, request: FlagsRequest, { compiled }: LoadedSnapshot): boolean {
  if (needs.needsRecord || needs.needsContinuity) return false
  for (const key of needs.personKeys) {
    if (key !== 'distinct_id' && !Object.hasOwn(request.personProperties, key)) return false
  }
  for (const [index, keys] of needs.groupKeys) {
    const type = compiled.groupTypes.get(index)
    // Without a group key there are no properties.
    if (type === undefined || !Object.hasOwn(request.groups, type)) continue
    const sent = Object.hasOwn(request.groupProperties, type) ? request.groupProperties[type]! : {}
    for (const key of keys) if (key !== '$group_key' && !Object.hasOwn(sent, key)) return false
  }
  return true
}

/** One round trip; a second one to store continuity. */
async function subjectFromStorage(
  deps: Deps,
  loaded: LoadedSnapshot,
  request: FlagsRequest,
): Promise<Subject> {
  const { db } = deps
  const { project_id: projectId } = loaded.snapshot
  const { anonDistinctId } = request
  const [[person], groups, [anonymous]] = await db.batch([
    selectPerson(db, projectId, { distinctId: request.distinctId }),
    selectGroups(db, projectId, groupsOfKnownTypes(loaded, request)),
    selectAnonymous(db, projectId, anonDistinctId ?? ''),
  ])
  const subject = subjectFrom(person, groups, {
    distinctId: request.distinctId,
    anonDistinctId,
    deviceId: request.deviceId,
    groups: request.groups,
    personProperties: request.personProperties,
    groupProperties: request.groupProperties,
  })
  return { ...subject, continuityOverrides: await overridesFor(deps, loaded, request, person, anonymous) }
}

/** At most five. */
const groupsOfKnownTypes = ({ compiled }: LoadedSnapshot, { groups }: FlagsRequest): JsonObject =>
  Object.fromEntries(
    [...compiled.groupTypes.values()]
      .filter((type) => Object.hasOwn(groups, type))
      .map((type) => [type, groups[type]]),
  )

async function overridesFor(
  { db }: Deps,
  { snapshot, compiled }: LoadedSnapshot,
  { anonDistinctId }: FlagsRequest,
  person: PersonRow | undefined,
  anonymous: PersonRow | undefined,
): Promise<ReadonlyMap<string, string>> {
  const keys = compiled.flags
    .filter(({ continuity, definition }) => continuity && definition.active && !definition.archived)
    .map(({ key }) => key)
  const { overrides, missing } = resolveContinuity(person, anonymous, anonDistinctId, keys)
  if (person && anonDistinctId !== null && missing.length > 0) {
    await storeContinuity(db, snapshot.project_id, person.id, anonDistinctId, missing)
  }
  return overrides
}

export const failureCode = (key: string, { reason }: FlagResult, evaluation: SdkEvaluation) =>
  evaluation.unavailable.has(key) ? UNAVAILABLE : reason.code
