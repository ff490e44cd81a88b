import { selectGroups, selectPerson, subjectFrom } from '../../analytics/evaluation-subject'
import { userOf } from '../../auth/actor'
import { selectDistinctId } from '../../auth/user-columns'
import { notFound } from '../../errors'
import { evaluate } from '../../evaluation/evaluate'
import type { FlagContext } from '../context'
import { publicDefinition } from '../read/public-definition'
import { withDeviceId } from './device-id'
import { parseGroups } from './parse-groups'

/**
 * Returns the public definitions of the flags, newest first, each with its value for the caller. Definitions come from the snapshot, so
 * that a request need not read all of them.
 * @param groupsText of the parameter `groups`
 * @throws 400, attr `groups`
 */
export async function evaluateMyFlags({ deps, actor, project }: FlagContext, groupsText: string) {
  const { db } = deps
  const groups = parseGroups(groupsText)
  const [me] = await selectDistinctId(db, userOf(actor)?.id ?? 0)
  const distinctId = me?.distinctId ?? ''
  const [loaded, [[person], groupRows]] = await Promise.all([
    deps.snapshots.load(project.id),
    db.batch([selectPerson(db, project.id, { distinctId }), selectGroups(db, project.id, groups)]),
  ])
  if (!loaded) throw notFound()
  const { flags: results } = evaluate(
    loaded.compiled,
    withDeviceId(subjectFrom(person, groupRows, { distinctId, groups }), null),
    {
      now: deps.clock.now().getTime(),
      timezone: project.timezone,
    },
  )
  return loaded.snapshot.flags
    .filter(({ archived, has_encrypted_payloads: isSecret }) => !archived && !isSecret)
    .toSorted((a, b) => b.id - a.id)
    .map((flag) => ({
      feature_flag: publicDefinition(flag, project.id),
      value: results.get(flag.key)?.value ?? false,
    }))
}
