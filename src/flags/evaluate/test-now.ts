// Computes test_evaluation for the current time. One round trip reads the flag, its dependencies, and the person.
import { withEngines } from '../../evaluation/regex/load-engines'
import { featureFlags } from '../../../drizzle'
import { selectGroups, selectPerson, subjectFrom } from '../../analytics/evaluation-subject'
import { notFound } from '../../errors'
import { selectGeneration } from '../../storage/flags-generation'
import type { Database } from '../../storage/database'
import { type FlagContext, viewerOf } from '../context'
import { flagSetFrom, selectFlagClosure } from '../../snapshots/definitions'
import { compile } from '../../evaluation/compile/compile'
import { flagById } from '../read/rows'
import { testResult, deletedResult, type TestEvaluationResult } from './test-result'
import { attempt, personMissing, readStore } from './evaluation-errors'
import { withDeviceId } from './device-id'
import type { TestRequest } from './test-request'

/**
 * @throws 404 for a flag or person that does not exist; 500 for stored data that cannot be parsed, 502 for a cycle of
 * dependencies, 503 when storage fails.
 */
export async function testNow(
  context: FlagContext,
  flagId: number,
  request: TestRequest,
): Promise<TestEvaluationResult> {
  const { deps, project } = context
  const { db } = deps
  const [[known], [settings], flags, cohorts, groupTypes, [person], groups] = await readStore(() =>
    db.batch([
      selectKey(db, project.id, flagId),
      selectGeneration(db, project.id),
      ...selectFlagClosure(db, project.id, { flagIds: [flagId] }),
      selectPerson(db, project.id, request.person),
      selectGroups(db, project.id, request.groups),
    ]),
  )
  if (!known) throw notFound()
  const named = 'distinctId' in request.person ? request.person.distinctId : null
  if (!person && named === null) throw personMissing(request.person)

  if (known.deleted) return deletedResult(known.key, request.sentDistinctId)

  const viewer = viewerOf(context)
  const subject = attempt('Failed to resolve person', () =>
    withDeviceId(
      subjectFrom(person, groups, {
        distinctId: named ?? person!.firstDistinctId ?? '',
        groups: request.groups,
      }),
      request.deviceId,
    ),
  )
  return testResult(
    await withEngines(compile(flagSetFrom(settings?.matchingVersion ?? 1, flags, cohorts, groupTypes))),
    known.key,
    subject,
    { now: viewer.now.getTime(), timezone: project.timezone },
    { viewer, distinctId: request.sentDistinctId, onFailure: 'Failed to evaluate flag' },
  )
}

const selectKey = (db: Database, projectId: number, id: number) =>
  db
    .select({ key: featureFlags.key, deleted: featureFlags.deleted })
    .from(featureFlags)
    .where(flagById(projectId, id))
