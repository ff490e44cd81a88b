// Saves an edit of a cohort, with undo.
import { type Cohort, cohortKey, cohortQuery } from '../api/cohorts'
import { queryClient } from '../api/queries'
import { sayDone } from '../edit/doing'
import { Overtaken } from '../edit/use-edit'
import { labelOf, refreshCohorts, updateCohort } from './change-cohorts'
import { bodyOf, changedFields, type Draft, draftOf } from './draft'

/**
 * Saves a draft of `base`. The API takes the last write, so that the current state is read right before.
 * @throws Overtaken when another user saved since
 */
export async function writeCohort(projectId: number, base: Cohort, draft: Draft): Promise<Cohort> {
  const before = draftOf(base)
  const latest = await queryClient.fetchQuery({ ...cohortQuery(projectId, base.id), staleTime: 0 })
  if (changedFields(before, draftOf(latest)).length > 0) throw new Overtaken(latest)
  const saved = await change(projectId, base.id, bodyOf(before, draft))
  sayDone(`${labelOf(saved)} saved.`, {
    change: () => change(projectId, base.id, bodyOf(draftOf(saved), before)),
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
