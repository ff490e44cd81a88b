// Evaluating a project's flags for an SDK: definitions from the snapshot, people from D1 only as far as the request leaves something open.
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
import { keepContinuity, selectAnonymous, settleContinuity } from './continuity'
import type { FlagsRequest } from './flags-request'

/** Reason code of a flag that needed storage while storage did not answer. */
const UNAVAILABLE = 'database_unavailable'
/** SDKs give up on an answer after 3 s, and with it on the flags that need no storage. Snapshots may have taken a second before. */
const PATIENCE_MS = 1_000

export interface SdkEvaluation {
  flags: ReadonlyMap<string, FlagResult>
  /** Flags that could not be evaluated for want of storage. They come on top of those that failed by themselves. */
  unavailable: ReadonlySet<string>
  errorsWhileComputingFlags: boolean
}

/** Whether a project has used up its evaluations: none of its flags is evaluated. */
export const isLimited = ({ snapshot }: LoadedSnapshot): boolean =>
  snapshot.quota_limited.includes('feature_flags')

/** Evaluates every flag that the request may see, or those that it names. */
export async function evaluateFlags(
  deps: Deps,
  loaded: LoadedSnapshot,
  request: FlagsRequest,
): Promise<SdkEvaluation> {
  const { snapshot, compiled, requirements } = loaded
  const options: EvaluationOptions = {
    now: deps.clock.now().getTime(),
    timezone: snapshot.timezone,
    flagKeys: request.flagKeys ?? undefined,
    runtime: request.runtime,
    evaluationContexts: request.evaluationContexts,
    // One budget for both evaluations: they are the work of one request.
    budget: new EvaluationBudget(),
  }
  const asSent = evaluate(compiled, subjectAsSent(request), options)
  if (isSettled(requirements.together, request, loaded)) return { ...asSent, unavailable: NONE }
  // Flags that this caller does not see, or did not ask for, are worth no look-up.
  const unsettled = unsettledFlags(compiled, requirements.byFlag, (wanted) =>
    isSettled(wanted, request, loaded),
  )
  const open = [...asSent.flags.keys()].filter((key) => unsettled.has(compiled.byKey.get(key)!))
  if (open.length === 0) return { ...asSent, unavailable: NONE }
  try {
    const subject = await within(subjectFromStorage(deps, loaded, request), PATIENCE_MS)
    return { ...evaluate(compiled, subject, options), unavailable: NONE }
  } catch (error) {
    // A database that is away must not take the flags along that do not need it, nor hide why the others fail.
    deps.afterResponse(() => Promise.reject(error))
    return { flags: asSent.flags, unavailable: new Set(open), errorsWhileComputingFlags: true }
  }
}

const NONE: ReadonlySet<string> = new Set()

/** The subject that the request itself describes. */
const subjectAsSent = (request: FlagsRequest): Subject => ({
  distinctId: request.distinctId,
  anonDistinctId: request.anonDistinctId,
  deviceId: request.deviceId,
  personProperties: personPropertyMap({}, request.personProperties, request.distinctId),
  groups: request.groups,
  groupProperties: groupPropertyMaps(request.groups, {}, request.groupProperties),
})

/**
 * Whether the request sends everything that could decide. What is filled in from other properties (`$initial_…`, `$os`) does not count:
 * the person may have stored another. A distinct id counts, though some person may have stored a property of that name.
 */
function isSettled(wanted: Requirements, request: FlagsRequest, { compiled }: LoadedSnapshot): boolean {
  if (wanted.needsRecord || wanted.needsContinuity) return false
  for (const key of wanted.personKeys) {
    if (key !== 'distinct_id' && !Object.hasOwn(request.personProperties, key)) return false
  }
  for (const [index, keys] of wanted.groupKeys) {
    const type = compiled.groupTypes.get(index)
    // A group that the request does not name has no properties, stored or not.
    if (type === undefined || !Object.hasOwn(request.groups, type)) continue
    const sent = Object.hasOwn(request.groupProperties, type) ? request.groupProperties[type]! : {}
    for (const key of keys) if (key !== '$group_key' && !Object.hasOwn(sent, key)) return false
  }
  return true
}

/** One round trip for the person and the groups; a second one when an answer has to be kept for later. */
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

/** The groups of a request whose types exist in the project: at most five. */
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
  const { overrides, missing } = settleContinuity(person, anonymous, anonDistinctId, keys)
  if (person && anonDistinctId !== null && missing.length > 0) {
    await keepContinuity(db, snapshot.project_id, person.id, anonDistinctId, missing)
  }
  return overrides
}

/** The reason code that a caller sees of a flag. */
export const failureCode = (key: string, { reason }: FlagResult, evaluation: SdkEvaluation) =>
  evaluation.unavailable.has(key) ? UNAVAILABLE : reason.code
