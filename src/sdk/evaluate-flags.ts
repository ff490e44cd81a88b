// Evaluating a project's flags for an SDK: definitions from the snapshot, people from D1 only as far as the request leaves something open.
import { type PersonRow, selectGroups, selectPerson, subjectFrom } from '../analytics/subject'
import type { Deps } from '../deps'
import type { Subject } from '../flags/evaluation/context'
import { evaluate, type Evaluation, type EvaluationOptions } from '../flags/evaluation/evaluate'
import { groupPropertyMaps } from '../flags/evaluation/group-properties'
import { deviceIdOf, personPropertyMap } from '../flags/evaluation/person-properties'
import type { Requirements } from '../flags/evaluation/requirements'
import type { FlagResult } from '../flags/evaluation/results'
import type { LoadedSnapshot } from '../snapshots/reader'
import { keepContinuity, selectAnonymous, settleContinuity } from './continuity'
import type { FlagsRequest } from './flags-request'

/** Reason code of a flag that needed storage while storage did not answer. */
const UNAVAILABLE = 'database_unavailable'

export interface SdkEvaluation {
  flags: ReadonlyMap<string, FlagResult>
  /** Flags that could not be evaluated for want of storage. They come on top of those that failed by themselves. */
  unavailable: ReadonlySet<string>
  errorsWhileComputingFlags: boolean
}

/** Evaluates every flag that the request may see, or those that it names. */
export async function evaluateFlags(
  deps: Deps,
  loaded: LoadedSnapshot,
  request: FlagsRequest,
): Promise<SdkEvaluation> {
  const { snapshot, compiled } = loaded
  const options: EvaluationOptions = {
    now: deps.clock.now().getTime(),
    timezone: snapshot.timezone,
    flagKeys: request.flagKeys ?? undefined,
    runtime: request.runtime,
    evaluationContexts: request.evaluationContexts,
  }
  const sent = subjectAsSent(request)
  if (isSelfSufficient(loaded.requirements.together, sent, loaded)) {
    return { ...evaluate(compiled, sent, options), unavailable: new Set() }
  }
  try {
    return {
      ...evaluate(compiled, await subjectFromStorage(deps, loaded, request), options),
      unavailable: new Set(),
    }
  } catch {
    // A database that is away must not take the flags along that do not need it.
    return withoutStorage(evaluate(compiled, sent, options), sent, loaded)
  }
}

/** The subject that the request itself describes. */
const subjectAsSent = (request: FlagsRequest): Subject => ({
  distinctId: request.distinctId,
  anonDistinctId: request.anonDistinctId,
  deviceId: deviceIdOf(request.deviceId, request.personProperties),
  personProperties: personPropertyMap({}, request.personProperties, request.distinctId),
  groups: request.groups,
  groupProperties: groupPropertyMaps(request.groups, {}, request.groupProperties),
})

/** Whether the request sends everything that could decide. */
function isSelfSufficient(wanted: Requirements, known: Subject, { compiled }: LoadedSnapshot): boolean {
  if (wanted.needsRecord || wanted.needsContinuity) return false
  for (const key of wanted.personKeys) if (!Object.hasOwn(known.personProperties, key)) return false
  for (const [index, keys] of wanted.groupKeys) {
    const type = compiled.groupTypes.get(index)
    // A group that the request does not name has no properties, stored or not.
    if (type === undefined || !Object.hasOwn(known.groups ?? {}, type)) continue
    const properties = known.groupProperties?.[type] ?? {}
    for (const key of keys) if (!Object.hasOwn(properties, key)) return false
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
    selectGroups(db, projectId, request.groups),
    selectAnonymous(db, projectId, anonDistinctId ?? ''),
  ])
  const subject = subjectFrom(person, groups, {
    distinctId: request.distinctId,
    anonDistinctId,
    deviceId: deviceIdOf(request.deviceId, request.personProperties),
    groups: request.groups,
    personProperties: request.personProperties,
    groupProperties: request.groupProperties,
  })
  return { ...subject, continuityOverrides: await overridesFor(deps, loaded, request, person, anonymous) }
}

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
  if (person && missing.length > 0) {
    const kept = Object.fromEntries(missing.map((key) => [key, overrides.get(key)!]))
    await keepContinuity(db, snapshot.project_id, person.id, kept)
  }
  return overrides
}

function withoutStorage(evaluation: Evaluation, sent: Subject, loaded: LoadedSnapshot): SdkEvaluation {
  const { compiled, requirements } = loaded
  const unavailable = [...evaluation.flags.keys()].filter((key) => {
    const wanted = requirements.byFlag.get(compiled.byKey.get(key)!)
    return wanted !== undefined && !isSelfSufficient(wanted, sent, loaded)
  })
  return { flags: evaluation.flags, unavailable: new Set(unavailable), errorsWhileComputingFlags: true }
}

/** The code and value that a caller sees of a flag. */
export const failureCode = (key: string, { reason }: FlagResult, { unavailable }: SdkEvaluation) =>
  unavailable.has(key) ? UNAVAILABLE : reason.code
