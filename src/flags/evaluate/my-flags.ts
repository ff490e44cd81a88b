import { selectPerson, subjectFrom } from '../../analytics/evaluation-subject'
import { userOf } from '../../auth/actor'
import { selectDistinctId } from '../../auth/user-columns'
import { notFound } from '../../errors'
import { evaluate } from '../../evaluation/evaluate'
import type { FlagContext } from '../context'
import { publicDefinition } from '../read/public-definition'

/**
 * Returns the public definitions of the flags, newest first, each with its value for the caller. Definitions come from the snapshot, so
 * that a request need not read all of them.
 */
export async function evaluateMyFlags({ deps, actor, project }: FlagContext) {
  const { db } = deps
  const [me] = await selectDistinctId(db, userOf(actor)?.id ?? 0)
  const distinctId = me?.distinctId ?? ''
  const [loaded, [person]] = await Promise.all([
    deps.snapshots.load(project.id),
    selectPerson(db, project.id, { distinctId }),
  ])
  if (!loaded) throw notFound()
  const { flags: results } = evaluate(loaded.compiled, subjectFrom(person, [], { distinctId }), {
    now: deps.clock.now().getTime(),
    timezone: project.timezone,
  })
  return loaded.snapshot.flags
    .filter(({ archived, has_encrypted_payloads: isSecret }) => !archived && !isSecret)
    .toSorted((a, b) => b.id - a.id)
    .map((flag) => ({
      feature_flag: publicDefinition(flag, project.id),
      value: results.get(flag.key)?.value ?? false,
    }))
}
