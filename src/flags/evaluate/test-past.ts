// Computes test_evaluation for a past time. Flags and definitions of cohorts are rebuilt from their activity logs, and the person and
// groups from their events. Members of cohorts have no history: the current ones are used.
import { withEngines } from '../../evaluation/regex/load-engines'
import { personIn, selectPersonWithIds } from '../../analytics/persons'
import { engineFor } from '../../analytics/engine/select-engine'
import {
  MAX_GROUP_EVENT_BYTES,
  MAX_HISTORY_BYTES,
  MAX_HISTORY_EVENTS,
  MAX_HISTORY_NAMES,
  readGroupHistory,
  readHistory,
} from '../../analytics/event-reads/property-history'
import { mergeHistory } from '../../analytics/capture/property-bag'
import { selectPerson, subjectFrom } from '../../analytics/evaluation-subject'
import { notFound } from '../../errors'
import type { JsonObject } from '../../json'
import { selectGeneration } from '../../storage/flags-generation'
import { type FlagContext, viewerOf } from '../context'
import { matchingFrom, selectFlagClosure } from '../../snapshots/definitions'
import { compile } from '../../evaluation/compile/compile'
import { attempt, failure, personMissing, readStore } from './evaluation-errors'
import { referencesOf } from '../filters/analysis'
import { originalKey } from '../keys/key'
import { flagById, selectFlags } from '../read/rows'
import { selectVersionEntriesSince } from '../read/versions'
import { withDeviceId } from './device-id'
import { cohortsAt } from './past-cohorts'
import {
  definitionAt,
  dependenciesAt,
  selectDependencyIds,
  stateAt,
  UNREADABLE_DEFINITION,
  UNREADABLE_FLAG,
} from './past-flags'
import { testResult, type TestEvaluationResult } from './test-result'
import type { TestRequest } from './test-request'

/**
 * @throws 400 when the flag did not exist, a history has a gap, or one is too long; 404 for a flag or person that does not exist; 500 for stored data
 * that cannot be parsed, 502 for a cycle of dependencies, 503 when storage fails.
 */
export async function testAt(
  context: FlagContext,
  flagId: number,
  request: TestRequest,
  timestamp: string,
): Promise<TestEvaluationResult> {
  const { deps, project } = context
  const { db } = deps
  const { person: reference } = request
  const [, currentCohorts, groupTypeRows] = selectFlagClosure(db, project.id, { flagIds: [flagId] })
  const [[row], entries, [known], personRows, likely, [settings], likelyCohorts, groupTypes] =
    await readStore(
      () =>
        db.batch([
          selectFlags(db, flagById(project.id, flagId)),
          selectVersionEntriesSince(db, project.id, flagId, timestamp),
          selectPerson(db, project.id, reference),
          selectPersonWithIds(db, project.id, reference),
          selectDependencyIds(db, flagId),
          selectGeneration(db, project.id),
          currentCohorts,
          groupTypeRows,
        ]),
      { malformed: UNREADABLE_FLAG },
    )
  if (!row) throw notFound()
  const person = attempt('Failed to resolve person', () => personIn(personRows))
  const named = 'distinctId' in reference ? reference.distinctId : null
  if (!person && named === null) throw personMissing(reference)
  const distinctId = named ?? person!.distinctIds[0] ?? ''

  const state = stateAt(row, entries, timestamp)
  if (state === null) {
    const key = originalKey(row.key, row.id)
    throw failure(400, `Feature flag '${key}' did not exist at the specified timestamp.`)
  }
  const ids = likely.map(({ id }) => id)
  const dependencies = await dependenciesAt(db, project.id, { id: row.id, state }, ids, timestamp)
  const past = [{ row, state }, ...dependencies]
  const cohortIds = attempt(UNREADABLE_DEFINITION, () =>
    past.flatMap((flag) => referencesOf(flag.state.filters).cohortIds),
  )
  const distinctIds = person?.distinctIds ?? [distinctId]
  const engine = engineFor(deps, project)
  const currentIds = likelyCohorts.map(({ id }) => id)
  const [cohorts, [history, groups]] = await Promise.all([
    cohortsAt(db, project.id, cohortIds, currentIds, timestamp),
    readStore(() =>
      Promise.all([
        readHistory(engine, project.id, { distinctIds, at: timestamp }),
        readGroupHistory(engine, project.id, {
          groups: ofKnownTypes(request.groups, groupTypes),
          at: timestamp,
        }),
      ]),
    ),
  ])
  if (!history) throw failure(400, HISTORY_TOO_LONG)
  if (!groups) throw failure(400, GROUPS_TOO_LONG)
  const properties = attempt('Failed to build person properties at specified timestamp.', () =>
    mergeHistory(history),
  )
  const subject = attempt('Failed to resolve person', () =>
    // The rebuilt properties replace the stored ones.
    withDeviceId(
      subjectFrom(known && { ...known, properties: '{}' }, groups, {
        distinctId,
        groups: request.groups,
        personProperties: properties,
      }),
      request.deviceId,
    ),
  )
  const flags = past.map((flag) => definitionAt(flag.row, flag.state))
  return testResult(
    await withEngines(
      compile({ flags, cohorts, ...matchingFrom(settings?.matchingVersion ?? 1, groupTypes) }),
    ),
    state.key,
    subject,
    { now: Date.parse(timestamp), timezone: project.timezone },
    { viewer: viewerOf(context), distinctId: request.sentDistinctId, onFailure: UNREADABLE_DEFINITION },
  )
}

/** Keeps groups of types that the project has. These are few, and each is compared with every event about a group. */
const ofKnownTypes = (groups: JsonObject, types: readonly { name: string }[]): JsonObject =>
  Object.fromEntries(
    types.flatMap(({ name }) => (Object.hasOwn(groups, name) ? [[name, groups[name]!] as const] : [])),
  )

const HISTORY_TOO_LONG =
  'The history of this person is too long to rebuild their properties: ' +
  `at most ${MAX_HISTORY_NAMES} names of properties over all distinct ids, ${MAX_HISTORY_EVENTS} events that have no history, ` +
  `and ${MAX_HISTORY_BYTES / 1024 / 1024} MiB together.`
const GROUPS_TOO_LONG =
  'The history of groups is too long to rebuild their properties: ' +
  `at most ${MAX_HISTORY_EVENTS} $groupidentify events of the project up to the timestamp, ${MAX_GROUP_EVENT_BYTES / 1024 / 1024} MiB of them, ` +
  `and ${MAX_HISTORY_BYTES / 1024 / 1024} MiB of these groups.`
