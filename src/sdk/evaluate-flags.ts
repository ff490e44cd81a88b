// Evaluates flags for an SDK. Definitions come from the snapshot, and persons from D1 only where the request alone does not decide a
// result.
import { readSubject, subjectFrom } from '../analytics/evaluation-subject'
import type { Deps } from '../deps'
import { within } from '../deadline'
import type { CompiledFlag } from '../evaluation/compile/compiled'
import { EvaluationContext, type Subject } from '../evaluation/context'
import { evaluateIn, type EvaluationOptions, resultsByKey, selectFlags } from '../evaluation/evaluate'
import { groupPropertyMaps, personPropertyMap, sourcesOf } from '../evaluation/property-maps'
import { type Requirements, unsettledFlags, withCohorts } from '../evaluation/requirements'
import type { FlagResult } from '../evaluation/results'
import type { JsonObject } from '../json'
import type { LoadedSnapshot } from '../snapshots/compiled-snapshot'
import { isOpenToBulk, maxBytesOf } from '../storage/database-size'
import { resolveContinuity } from './continuity'
import type { FlagsInput } from './flags-request'

/** The reason code while storage is unavailable. */
const UNAVAILABLE = 'database_unavailable'
/** The deadline of storage. SDKs time out after 3 s, and a snapshot may take one. */
const STORAGE_DEADLINE_MS = 1_000

export interface SdkEvaluation {
  /** Results by flag id. Flags that are left out have FLAG_DISABLED. */
  outcomes: ReadonlyMap<number, FlagResult>
  /** Keys of flags that need storage while it is unavailable. */
  unavailable: ReadonlySet<string>
  errorsWhileComputingFlags: boolean
  /** Returns results by flag key, in the order of the definitions. */
  byKey(): ReadonlyMap<string, FlagResult>
}

export const isOverQuota = ({ snapshot }: LoadedSnapshot): boolean =>
  snapshot.quota_limited.includes('feature_flags')

/** @param includeDisabled whether inactive flags are included, with the reason `flag_disabled` */
export async function evaluateFlags(
  deps: Deps,
  loaded: LoadedSnapshot,
  request: FlagsInput,
  includeDisabled = false,
): Promise<SdkEvaluation> {
  const { snapshot, compiled } = loaded
  const options: EvaluationOptions = {
    now: deps.clock.now().getTime(),
    timezone: snapshot.timezone,
    flagKeys: request.flagKeys ?? undefined,
    runtime: request.runtime,
    evaluationContexts: request.evaluationContexts,
    includeDisabled,
  }
  const selection = selectFlags(compiled, options)
  const evaluated = (subject: Subject, open: readonly string[] = []): SdkEvaluation => {
    const { byId, errorsWhileComputingFlags } = evaluateIn(
      new EvaluationContext(compiled, subject, options),
      selection,
    )
    return {
      outcomes: byId,
      unavailable: new Set(open),
      errorsWhileComputingFlags: errorsWhileComputingFlags || open.length > 0,
      byKey: () => resultsByKey(compiled, byId, options),
    }
  }
  const { together, byFlag, byCohort } = loaded.requirements
  const settles = withCohorts(byCohort, (needs) => isSettled(needs, request, loaded))
  const isOpen = (flag: CompiledFlag) => !settles(byFlag.get(flag)!)
  // A flag is open by itself, or by one on which it depends, which is then selected, too, or left out and off.
  const isStorageNeeded =
    !isSettled(together, request, loaded) &&
    (selection.ordered.some(isOpen) || selection.unordered.some(isOpen))
  if (!isStorageNeeded) return evaluated(subjectAsSent(request))
  let subject: Subject
  try {
    subject = await within(subjectFromStorage(deps, loaded, request), STORAGE_DEADLINE_MS)
  } catch (error) {
    // While D1 is unavailable, the flags that do not need it are returned, and the error is logged.
    deps.afterResponse(() => Promise.reject(error))
    const open = unsettledFlags({ ...selection, byId: compiled.byId }, byFlag, settles)
    return evaluated(
      subjectAsSent(request),
      [...open].map(({ key }) => key),
    )
  }
  return evaluated(subject)
}

const subjectAsSent = (request: FlagsInput): Subject => ({
  distinctId: request.distinctId,
  anonDistinctId: request.anonDistinctId,
  deviceId: request.deviceId,
  personProperties: personPropertyMap({}, request.personProperties, request.distinctId),
  groups: request.groups,
  groupProperties: groupPropertyMaps(request.groups, {}, request.groupProperties),
})

/**
 * Whether the request has every property that decides, except those of cohorts. Derived properties (`$initial_…`, `$os`) do not count,
 * because stored ones may differ. A distinct id counts, though a person may have a stored property of that name.
 */
function isSettled(needs: Requirements, request: FlagsInput, { compiled }: LoadedSnapshot): boolean {
  if (needs.needsRecord || needs.needsContinuity || !hasAll(request.personProperties, needs.personKeys))
    return false
  for (const [index, keys] of needs.groupKeys) {
    const type = compiled.groupTypes.get(index)
    // A group without a key has no stored properties.
    if (type === undefined || !Object.hasOwn(request.groups, type)) continue
    const sent = Object.hasOwn(request.groupProperties, type) ? request.groupProperties[type]! : {}
    for (const key of keys) if (key !== '$group_key' && !Object.hasOwn(sent, key)) return false
  }
  return true
}

function hasAll(sent: JsonObject, keys: ReadonlySet<string>): boolean {
  for (const key of keys) if (key !== 'distinct_id' && !Object.hasOwn(sent, key)) return false
  return true
}

/** Reads the inputs of flags in one statement. Storing continuity takes a second round trip. */
async function subjectFromStorage(deps: Deps, loaded: LoadedSnapshot, request: FlagsInput): Promise<Subject> {
  const { distinctId, anonDistinctId, personProperties } = request
  const { together } = loaded.requirements
  const { personKeys, groupKeys, continuityKeys } = storedKeysOf(loaded)
  const { needsContinuity } = together
  const needsPerson =
    needsContinuity || together.needsRecord || !hasAll(personProperties, together.personKeys)
  // Continuity is decided once for a person. A replica without the decision would make another one, so that it is not used here.
  const db = needsContinuity ? deps.db : deps.nearestDb
  const { persons, groups } = await readSubject(db, loaded.snapshot.project_id, {
    distinctIds: needsPerson
      ? [distinctId, ...(needsContinuity && anonDistinctId !== null ? [anonDistinctId] : [])]
      : [],
    personKeys,
    needsCohorts: together.needsRecord,
    needsOverrides: needsContinuity,
    groups: groupsOfKnownTypes(loaded, request),
    groupKeys,
  })
  const person = persons.get(distinctId)
  const anonymous = anonDistinctId === null ? undefined : persons.get(anonDistinctId)
  const subject = subjectFrom(person, groups, request)
  return needsContinuity
    ? {
        ...subject,
        continuityOverrides: await resolveContinuity(
          deps.db,
          loaded.snapshot.project_id,
          person,
          anonymous,
          anonDistinctId,
          continuityKeys,
          isOpenToBulk(deps.meter.databaseBytes, maxBytesOf(deps.env)),
        ),
      }
    : subject
}

/** The stored inputs that flags need. */
interface StoredKeys {
  personKeys: readonly string[]
  groupKeys: readonly string[]
  /** Keys of active flags with continuity. */
  continuityKeys: readonly string[]
}

const storedKeys = new WeakMap<LoadedSnapshot, StoredKeys>()

function storedKeysOf(loaded: LoadedSnapshot): StoredKeys {
  const known = storedKeys.get(loaded)
  if (known !== undefined) return known
  const { personKeys, groupKeys } = loaded.requirements.together
  const keys = {
    personKeys: [...sourcesOf(personKeys)],
    groupKeys: [...new Set([...groupKeys.values()].flatMap((each) => [...each]))],
    continuityKeys: loaded.compiled.flags
      .filter(({ continuity, definition }) => continuity && definition.active && !definition.archived)
      .map(({ key }) => key),
  }
  storedKeys.set(loaded, keys)
  return keys
}

/** Returns keys of groups whose properties flags use. There are at most five. */
const groupsOfKnownTypes = ({ compiled, requirements }: LoadedSnapshot, { groups }: FlagsInput): JsonObject =>
  Object.fromEntries(
    [...requirements.together.groupKeys.keys()]
      .map((index) => compiled.groupTypes.get(index))
      .filter((type) => type !== undefined && Object.hasOwn(groups, type))
      .map((type) => [type, groups[type!]]),
  )

/** Returns the code of a result's reason, or the one that says that its inputs could not be read. */
export const reasonCodeOf = ({ reason }: FlagResult, isUnavailable: boolean): string =>
  isUnavailable ? UNAVAILABLE : reason.code
