// test_evaluation as things are now: one round trip for the flag, what it leads to, and the person.
import { selectGroups, selectPerson, subjectFrom } from '../../analytics/subject'
import { notFound } from '../../errors'
import { selectGeneration } from '../../snapshots/generation'
import { type FlagContext, viewerOf } from '../context'
import { flagSetFrom, selectFlagClosure } from '../definitions'
import { compile } from '../evaluation/compile'
import { answer, type TestEvaluationResult } from './answer'
import { attempt, personMissing, readStore } from './faults'
import type { TestRequest } from './request'

/** @throws 404 for a flag or person that does not exist; 500, 502 and 503 as the spec's table says. */
export async function testNow(
  context: FlagContext,
  flagId: number,
  request: TestRequest,
): Promise<TestEvaluationResult> {
  const { deps, project } = context
  const { db } = deps
  const [[settings], flags, cohorts, groupTypes, [person], groups] = await readStore(() =>
    db.batch([
      selectGeneration(db, project.id),
      ...selectFlagClosure(db, project.id, { flagIds: [flagId] }),
      selectPerson(db, project.id, request.person),
      selectGroups(db, project.id, request.groups),
    ]),
  )
  const flag = flags.find(({ id }) => id === flagId)
  if (!flag) throw notFound()
  const named = 'distinctId' in request.person ? request.person.distinctId : null
  if (!person && named === null) throw personMissing(request.person)

  const viewer = viewerOf(context)
  const subject = attempt('Failed to resolve person', () =>
    subjectFrom(person, groups, { distinctId: named ?? person!.firstDistinctId, groups: request.groups }),
  )
  return answer(
    compile(flagSetFrom(settings?.matchingVersion ?? 1, flags, cohorts, groupTypes)),
    flag.key,
    subject,
    { now: viewer.now.getTime(), timezone: project.timezone },
    { viewer, distinctId: named, onFailure: 'Failed to evaluate flag' },
  )
}
