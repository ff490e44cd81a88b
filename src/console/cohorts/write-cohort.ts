// Saves an edit of a cohort, with undo.
import { type Cohort, cohortKey, cohortQuery } from '../api/cohorts'
import { queryClient } from '../api/queries'
import { sayDone } from '../edit/doing'
import { expectUnchanged } from '../edit/overtaken'
import { pick } from '../edit/changed-fields'
import { labelOf, refreshCohorts, updateCohort } from './change-cohorts'
import { bodyOf, changedFields, type Draft, draftOf } from './draft'

/**
 * Saves a draft of `base`.
 * @throws Overtaken when another user saved since
 */
export async function writeCohort(projectId: number, base: Cohort, draft: Draft): Promise<Cohort> {
  const before = draftOf(base)
  const read = () => queryClient.fetchQuery({ ...cohortQuery(projectId, base.id), staleTime: 0 })
  await expectUnchanged(before, read, draftOf)
  const saved = await change(projectId, base.id, bodyOf(before, draft))
  const changed = changedFields(before, draft)
  const written = pick(draftOf(saved), changed)
  sayDone(`${labelOf(saved)} saved.`, {
    item: labelOf(saved),
    check: () => expectUnchanged(written, read, (current) => pick(draftOf(current), changed)),
    change: () => change(projectId, base.id, bodyOf(draft, before)),
    said: `${labelOf(base)} is as it was before.`,
  })
  return saved
}

async function change(projectId: number, id: number, body: ReturnType<typeof bodyOf>): Promise<Cohort> {
  const cohort = await updateCohort(projectId, id, body)
  queryClient.setQueryData(cohortKey(projectId, id), cohort)
  void refreshCohorts(projectId)
  return cohort
}
