// test_evaluation as things were: the flag rebuilt from its activity log, the person from the events that set their properties.
//
// Cohorts, groups and the flags that this one depends on keep no history of their own: they are taken as they are now.
import { personIn, selectPersonByDistinctId, selectPersonByUuid } from '../../analytics/persons'
import { mergeHistory, selectHistory, settingEventIn } from '../../analytics/person-history'
import { selectGroups, subjectFrom } from '../../analytics/subject'
import { notFound } from '../../errors'
import { selectGeneration } from '../../snapshots/generation'
import { type FlagContext, viewerOf } from '../context'
import { flagSetFrom, type ProjectFlagSet, selectFlagClosure } from '../definitions'
import { compile } from '../evaluation/compile'
import { cohortIdsOf, dependencyIdsOf } from '../filters/shape'
import { flagById, type FlagRow, selectFlags } from '../rows'
import type { FlagState } from '../state'
import { originOf, reconstruct, selectVersionEntries } from '../versions'
import { answer, type TestEvaluationResult } from './answer'
import { attempt, personMissing, readStore } from './faults'
import { failure, type TestRequest } from './request'
import { type DatedEntry, versionAt } from './version-at'

/** @throws 400 when the flag was not there or its history has a gap; 404, 500, 502 and 503 as the spec's table says. */
export async function testAt(
  context: FlagContext,
  flagId: number,
  request: TestRequest,
  moment: string,
): Promise<TestEvaluationResult> {
  const { deps, project } = context
  const { db } = deps
  const { person: reference } = request
  const [[row], entries, personRows] = await readStore(() =>
    db.batch([
      selectFlags(db, flagById(project.id, flagId)),
      selectVersionEntries(db, project.id, flagId),
      'distinctId' in reference
        ? selectPersonByDistinctId(db, project.id, reference.distinctId)
        : selectPersonByUuid(db, project.id, reference.personId),
    ]),
  )
  if (!row) throw notFound()
  const person = personIn(personRows)
  const named = 'distinctId' in reference ? reference.distinctId : null
  if (!person && named === null) throw personMissing(reference)
  const distinctId = named ?? person!.distinctIds[0] ?? ''

  const steps = attempt('Failed to reconstruct flag at specified timestamp.', () =>
    entries.map(({ detail, ...entry }): DatedEntry => ({ ...entry, changes: detail.changes }) as DatedEntry),
  )
  const state = stateAt(row, steps, moment)
  const [[settings], flags, cohorts, groupTypes, groups, history] = await readStore(() =>
    db.batch([
      selectGeneration(db, project.id),
      ...selectFlagClosure(db, project.id, {
        flagIds: dependencyIdsOf(state.filters),
        cohortIds: cohortIdsOf(state.filters),
      }),
      selectGroups(db, project.id, request.groups),
      selectHistory(db, project.id, {
        distinctIds: person?.distinctIds ?? [distinctId],
        at: moment,
        flagCreatedAt: row.createdAt,
      }),
    ]),
  )
  const properties = attempt('Failed to build person properties at specified timestamp.', () =>
    mergeHistory(history.map(settingEventIn)),
  )
  const subject = attempt('Failed to resolve person', () =>
    subjectFrom(undefined, groups, { distinctId, groups: request.groups, personProperties: properties }),
  )
  const set = flagSetFrom(settings?.matchingVersion ?? 1, flags, cohorts, groupTypes)
  return answer(
    compile(withDefinition(set, row, state)),
    state.key,
    subject,
    { now: Date.parse(moment), timezone: project.timezone },
    {
      viewer: viewerOf(context),
      distinctId: named,
      onFailure: 'Failed to prepare historical flag definition for evaluation.',
    },
  )
}

function stateAt(row: FlagRow, entries: readonly DatedEntry[], moment: string): FlagState {
  const origin = originOf(row)
  const version = versionAt(origin, entries, moment)
  if (version === null) {
    throw failure(400, `Feature flag '${row.key}' did not exist at the specified timestamp.`)
  }
  const found = attempt('Failed to reconstruct flag at specified timestamp.', () =>
    reconstruct(origin, entries, version),
  )
  if (found.kind !== 'found') {
    throw failure(400, 'Could not reconstruct flag at timestamp due to incomplete history.')
  }
  // It was there: a bulk delete that came later leaves its mark on every version.
  return { ...found.state, deleted: false }
}

/** The set with one flag as it was. */
const withDefinition = (set: ProjectFlagSet, row: FlagRow, state: FlagState): ProjectFlagSet => ({
  ...set,
  flags: [
    ...set.flags.filter(({ id }) => id !== row.id),
    { ...state, id: row.id, evaluation_contexts: [], has_experiment: false },
  ],
})
