// test_evaluation as things were: the flag rebuilt from its activity log, the person from the history of their properties.
//
// Cohorts with their members, groups and the flags that this one depends on keep no history of their own: they are taken as they are now.
import { personIn, selectPersonByDistinctId, selectPersonByUuid } from '../../analytics/persons'
import { engineFor } from '../../analytics/engine'
import {
  MAX_HISTORY_BYTES,
  MAX_HISTORY_EVENTS,
  MAX_HISTORY_NAMES,
  readHistory,
} from '../../analytics/event-reads'
import { mergeHistory } from '../../analytics/person-history'
import { selectGroups, selectPerson, subjectFrom } from '../../analytics/subject'
import { notFound } from '../../errors'
import { selectGeneration } from '../../storage/flags-generation'
import { type FlagContext, viewerOf } from '../context'
import { flagSetFrom, type ProjectFlagSet, selectFlagClosure } from '../../snapshots/definitions'
import { compile } from '../../evaluation/compile'
import { attempt, failure, personMissing, readStore } from '../evaluation-faults'
import { cohortIdsOf, dependencyIdsOf } from '../filters/shape'
import { originalKey } from '../key'
import { flagById, type FlagRow, selectFlags } from '../rows'
import type { FlagState } from '../state'
import { sortByPlace } from '../../storage/byte-page'
import { originOf, reconstruct, selectVersionEntries } from '../versions'
import { answer, type TestEvaluationResult } from './answer'
import type { TestRequest } from './request'
import { type DatedEntry, versionAt } from './version-at'

/** @throws 400 when the flag was not there, its history has a gap, or that of the person is too long; 404, 500, 502 and 503 as the spec's table says. */
export async function testAt(
  context: FlagContext,
  flagId: number,
  request: TestRequest,
  moment: string,
): Promise<TestEvaluationResult> {
  const { deps, project } = context
  const { db } = deps
  const { person: reference } = request
  const [[row], entries, [known], personRows] = await readStore(
    () =>
      db.batch([
        selectFlags(db, flagById(project.id, flagId)),
        selectVersionEntries(db, project.id, flagId),
        selectPerson(db, project.id, reference),
        'distinctId' in reference
          ? selectPersonByDistinctId(db, project.id, reference.distinctId)
          : selectPersonByUuid(db, project.id, reference.personId),
      ]),
    { unreadable: UNREADABLE_FLAG },
  )
  if (!row) throw notFound()
  const person = attempt('Failed to resolve person', () => personIn(personRows))
  const named = 'distinctId' in reference ? reference.distinctId : null
  if (!person && named === null) throw personMissing(reference)
  const distinctId = named ?? person!.distinctIds[0] ?? ''

  const steps = attempt(UNREADABLE_FLAG, () =>
    sortByPlace(entries).map(
      ({ detail, ...entry }): DatedEntry => ({ ...entry, changes: [...detail.changes] }) as DatedEntry,
    ),
  )
  const state = stateAt(row, steps, moment)
  const roots = attempt(UNREADABLE_DEFINITION, () => ({
    flagIds: dependencyIdsOf(state.filters),
    cohortIds: cohortIdsOf(state.filters),
  }))
  const distinctIds = person?.distinctIds ?? [distinctId]
  const [[[settings], flags, cohorts, groupTypes, groups], history] = await readStore(() =>
    Promise.all([
      db.batch([
        selectGeneration(db, project.id),
        ...selectFlagClosure(db, project.id, roots),
        selectGroups(db, project.id, request.groups),
      ]),
      readHistory(engineFor(deps, project.store), project.id, { distinctIds, at: moment }),
    ]),
  )
  if (!history) throw failure(400, HISTORY_TOO_LONG)
  const properties = attempt('Failed to build person properties at specified timestamp.', () =>
    mergeHistory(history),
  )
  const subject = attempt('Failed to resolve person', () =>
    // Of what is stored, everything but the properties: those are the rebuilt ones alone.
    subjectFrom(known && { ...known, properties: '{}' }, groups, {
      distinctId,
      groups: request.groups,
      personProperties: properties,
    }),
  )
  const set = flagSetFrom(settings?.matchingVersion ?? 1, flags, cohorts, groupTypes)
  return answer(
    compile(withDefinition(set, row, state)),
    state.key,
    subject,
    { now: Date.parse(moment), timezone: project.timezone },
    { viewer: viewerOf(context), distinctId: request.sentDistinctId, onFailure: UNREADABLE_DEFINITION },
  )
}

const HISTORY_TOO_LONG =
  'The history of this person is too long to rebuild their properties: ' +
  `at most ${MAX_HISTORY_NAMES} names of properties over all distinct ids, ${MAX_HISTORY_EVENTS} events that have no history, ` +
  `and ${MAX_HISTORY_BYTES / 1024 / 1024} MiB together.`
const UNREADABLE_FLAG = 'Failed to reconstruct flag at specified timestamp.'
const UNREADABLE_DEFINITION = 'Failed to prepare historical flag definition for evaluation.'

function stateAt(row: FlagRow, entries: readonly DatedEntry[], moment: string): FlagState {
  const origin = originOf(row)
  const version = attempt(UNREADABLE_FLAG, () => versionAt(origin, entries, moment))
  if (version === null) {
    const key = originalKey(row.key, row.id)
    throw failure(400, `Feature flag '${key}' did not exist at the specified timestamp.`)
  }
  const found = attempt(UNREADABLE_FLAG, () => reconstruct(origin, entries, version))
  if (found.kind !== 'found') {
    throw failure(400, 'Could not reconstruct flag at timestamp due to incomplete history.')
  }
  // It was there: a bulk delete, which is no version of its own, leaves its marks on those before it.
  return { ...found.state, key: originalKey(found.state.key, row.id), deleted: false }
}

/** The set with one flag as it was. */
const withDefinition = (set: ProjectFlagSet, row: FlagRow, state: FlagState): ProjectFlagSet => ({
  ...set,
  flags: [
    ...set.flags.filter(({ id }) => id !== row.id),
    {
      ...state,
      id: row.id,
      evaluation_contexts: [],
      has_experiment: false,
      is_remote_configuration: state.is_remote_configuration ?? false,
    },
  ],
})
