// test_evaluation in the past: the flag is rebuilt from its activity log, the person from the history of their properties.
// Cohorts, groups and dependencies have no history: they are current.
import { personIn, selectPersonWithIds } from '../../analytics/persons'
import { engineFor } from '../../analytics/engine/select-engine'
import {
  MAX_HISTORY_BYTES,
  MAX_HISTORY_EVENTS,
  MAX_HISTORY_NAMES,
  readHistory,
} from '../../analytics/event-reads'
import { mergeHistory } from '../../analytics/capture/property-changes'
import { selectGroups, selectPerson, subjectFrom } from '../../analytics/evaluation-subject'
import { notFound } from '../../errors'
import { selectGeneration } from '../../storage/flags-generation'
import { type FlagContext, viewerOf } from '../context'
import { flagSetFrom, type ProjectFlagSet, selectFlagClosure } from '../../snapshots/definitions'
import { compile } from '../../evaluation/compile/compile'
import { attempt, failure, personMissing, readStore } from './evaluation-errors'
import { referencesOf } from '../filters/analysis'
import { originalKey } from '../keys/key'
import { flagById, type FlagRow, selectFlags } from '../read/rows'
import type { FlagState } from '../state'
import { sortByPlace } from '../../storage/byte-page'
import { type DatedEntry, originOf, reconstruct, selectVersionEntries, versionAt } from '../read/versions'
import { testResult, type TestEvaluationResult } from './test-result'
import type { TestRequest } from './test-request'

/** @throws 400 when the flag did not exist, its history has a gap, or that of the person is too long; 404, 500, 502 and 503 by the spec's table. */
export async function testAt(
  context: FlagContext,
  flagId: number,
  request: TestRequest,
  timestamp: string,
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
        selectPersonWithIds(db, project.id, reference),
      ]),
    { malformed: UNREADABLE_FLAG },
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
  const state = stateAt(row, steps, timestamp)
  const references = attempt(UNREADABLE_DEFINITION, () => referencesOf(state.filters))
  const distinctIds = person?.distinctIds ?? [distinctId]
  const [[[settings], flags, cohorts, groupTypes, groups], history] = await readStore(() =>
    Promise.all([
      db.batch([
        selectGeneration(db, project.id),
        ...selectFlagClosure(db, project.id, references),
        selectGroups(db, project.id, request.groups),
      ]),
      readHistory(engineFor(deps, project.store), project.id, { distinctIds, at: timestamp }),
    ]),
  )
  if (!history) throw failure(400, HISTORY_TOO_LONG)
  const properties = attempt('Failed to build person properties at specified timestamp.', () =>
    mergeHistory(history),
  )
  const subject = attempt('Failed to resolve person', () =>
    // Stored properties are replaced by the rebuilt ones.
    subjectFrom(known && { ...known, properties: '{}' }, groups, {
      distinctId,
      groups: request.groups,
      personProperties: properties,
    }),
  )
  const set = flagSetFrom(settings?.matchingVersion ?? 1, flags, cohorts, groupTypes)
  return testResult(
    compile(withDefinition(set, row, state)),
    state.key,
    subject,
    { now: Date.parse(timestamp), timezone: project.timezone },
    { viewer: viewerOf(context), distinctId: request.sentDistinctId, onFailure: UNREADABLE_DEFINITION },
  )
}

const HISTORY_TOO_LONG =
  'The history of this person is too long to rebuild their properties: ' +
  `at most ${MAX_HISTORY_NAMES} names of properties over all distinct ids, ${MAX_HISTORY_EVENTS} events that have no history, ` +
  `and ${MAX_HISTORY_BYTES / 1024 / 1024} MiB together.`
const UNREADABLE_FLAG = 'Failed to reconstruct flag at specified timestamp.'
const UNREADABLE_DEFINITION = 'Failed to prepare historical flag definition for evaluation.'

function stateAt(row: FlagRow, entries: readonly DatedEntry[], timestamp: string): FlagState {
  const origin = originOf(row)
  const version = attempt(UNREADABLE_FLAG, () => versionAt(origin, entries, timestamp))
  if (version === null) {
    const key = originalKey(row.key, row.id)
    throw failure(400, `Feature flag '${key}' did not exist at the specified timestamp.`)
  }
  const found = attempt(UNREADABLE_FLAG, () => reconstruct(origin, entries, version))
  if (found.kind !== 'found') {
    throw failure(400, 'Could not reconstruct flag at timestamp due to incomplete history.')
  }
  // A bulk delete makes no version: earlier ones appear deleted and renamed.
  return { ...found.state, key: originalKey(found.state.key, row.id), deleted: false }
}

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
