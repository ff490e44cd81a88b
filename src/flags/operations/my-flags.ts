import * as z from 'zod'
import { selectDistinctId } from '../../auth/user-columns'
import { selectPerson, subjectFrom } from '../../analytics/subject'
import { userOf } from '../../auth/actor'
import { operation } from '../../http/operation'
import { selectGeneration } from '../../storage/flags-generation'
import { rejectTooLarge } from '../../snapshots/definition-quota'
import { flagSetFrom, selectFlagSet } from '../../snapshots/definitions'
import { compile } from '../../evaluation/compile'
import { evaluate } from '../../evaluation/evaluate'
import { BucketingIdentifier, Filters, Runtime } from '../schema'
import { shownDefinition } from '../shown-definition'

const MyFlag = z
  .object({
    feature_flag: z.object({
      id: z.int(),
      team_id: z.int(),
      name: z.string(),
      key: z.string(),
      filters: Filters,
      deleted: z.boolean(),
      active: z.boolean(),
      ensure_experience_continuity: z.boolean().nullable(),
      version: z.int(),
      evaluation_runtime: Runtime.nullable(),
      bucketing_identifier: BucketingIdentifier.nullable(),
      evaluation_contexts: z.array(z.string()),
    }),
    value: z.union([z.boolean(), z.string()]),
  })
  .meta({ id: 'MyFlag' })

export const myFlagsOperation = operation({
  id: 'feature_flags_my_flags_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/feature_flags/my_flags/',
  summary: 'See what every flag says for the caller',
  description:
    'For the distinct id of the caller’s own account; newest flag first. Archived flags and those with encrypted payloads are left out.',
  scope: 'feature_flag:read',
  responses: { 200: z.array(MyFlag) },
  async handle({ deps, actor, project }) {
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
    const { flags: results } = evaluate(compile(set), subjectFrom(person, [], { distinctId }), {
      now: deps.clock.now().getTime(),
      timezone: project.timezone,
    })
    return set.flags
      .filter(({ archived, has_encrypted_payloads: isSecret }) => !archived && !isSecret)
      .toSorted((a, b) => b.id - a.id)
      .map((flag) => ({
        feature_flag: shownDefinition(flag, project.id),
        value: results.get(flag.key)?.value ?? false,
      }))
  },
})
