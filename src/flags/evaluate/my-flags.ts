import { withEngines } from '../../evaluation/regex/load-backtracking'
import { selectPerson, subjectFrom } from '../../analytics/evaluation-subject'
import { userOf } from '../../auth/actor'
import { selectDistinctId } from '../../auth/user-columns'
import { compile } from '../../evaluation/compile/compile'
import { evaluate } from '../../evaluation/evaluate'
import { rejectTooLarge } from '../../snapshots/definition-quota'
import { flagSetFrom, selectFlagSet } from '../../snapshots/definitions'
import { selectGeneration } from '../../storage/flags-generation'
import type { FlagContext } from '../context'
import { publicDefinition } from '../read/public-definition'

/** The public definitions of the flags, newest first, each with its value for the caller. */
export async function evaluateMyFlags({ deps, actor, project }: FlagContext) {
  const { db } = deps
  const [me] = await selectDistinctId(db, userOf(actor)?.id ?? 0)
  const distinctId = me?.distinctId ?? ''
  const [[settings], flags, cohorts, groupTypes, [person]] = await rejectTooLarge(
    db.batch([
      selectGeneration(db, project.id),
      ...selectFlagSet(db, project.id),
      selectPerson(db, project.id, { distinctId }),
    ]),
  )
  const set = flagSetFrom(settings?.matchingVersion ?? 1, flags, cohorts, groupTypes)
  const compiled = await withEngines(compile(set))
  const { flags: results } = evaluate(compiled, subjectFrom(person, [], { distinctId }), {
    now: deps.clock.now().getTime(),
    timezone: project.timezone,
  })
  return set.flags
    .filter(({ archived, has_encrypted_payloads: isSecret }) => !archived && !isSecret)
    .toSorted((a, b) => b.id - a.id)
    .map((flag) => ({
      feature_flag: publicDefinition(flag, project.id),
      value: results.get(flag.key)?.value ?? false,
    }))
}
