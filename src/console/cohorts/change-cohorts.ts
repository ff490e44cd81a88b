// Changes of cohorts, with undo.
import { client, patch, post } from '../api/client'
import { type Cohort, cohortKey, cohortsKey, membersKey, type Person } from '../api/cohorts'
import { queryClient, inProject, itemIn } from '../api/queries'
import type { components } from '../api/schema'
import { say, sayProblem } from '../design/popups/toast'

export const createCohort = (projectId: number, body: components['schemas']['CohortBody']): Promise<Cohort> =>
  post('/api/projects/{project_id}/cohorts/', { path: inProject(projectId) }, body)

export const updateCohort = (
  projectId: number,
  id: number,
  body: components['schemas']['CohortUpdate'],
): Promise<Cohort> => patch('/api/projects/{project_id}/cohorts/{id}/', itemIn(projectId, id), body)

/** Reads everything about cohorts again that pages show. */
export const refreshCohorts = (projectId: number): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: cohortsKey(projectId) })

export const labelOf = ({ id, name }: Pick<Cohort, 'id' | 'name'>): string => name || `Cohort ${id}`

/** Deletes a cohort, with undo. @returns whether it is deleted: one that is in use is not. */
export async function deleteCohort(projectId: number, cohort: Cohort): Promise<boolean> {
  try {
    await updateCohort(projectId, cohort.id, { deleted: true })
  } catch (error) {
    sayProblem(error)
    return false
  }
  // The cohort itself is not refreshed: it is a 404 now, and its page is being left.
  void queryClient.invalidateQueries({ queryKey: [...cohortsKey(projectId), 'list'] })
  void queryClient.invalidateQueries({ queryKey: cohortsKey(projectId), exact: true })
  say(`${labelOf(cohort)} deleted.`, () => void restoreCohort(projectId, cohort))
  return true
}

export async function restoreCohort(projectId: number, cohort: Pick<Cohort, 'id' | 'name'>): Promise<void> {
  try {
    await updateCohort(projectId, cohort.id, { deleted: false })
    void refreshCohorts(projectId)
    void queryClient.invalidateQueries({ queryKey: ['project', projectId, 'activity'] })
    say(`${labelOf(cohort)} restored.`)
  } catch (error) {
    sayProblem(error, () => void restoreCohort(projectId, cohort))
  }
}

const refreshMembers = (projectId: number, id: number): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: membersKey(projectId, id) }),
    queryClient.invalidateQueries({ queryKey: cohortKey(projectId, id), exact: true }),
  ])

/** Takes a person out of a list, with undo. */
export async function removeMember(
  projectId: number,
  cohortId: number,
  person: Pick<Person, 'uuid' | 'name'>,
): Promise<void> {
  try {
    await client.PATCH('/api/projects/{project_id}/cohorts/{id}/remove_person_from_static_cohort/', {
      params: itemIn(projectId, cohortId),
      body: { person_id: person.uuid },
    })
    void refreshMembers(projectId, cohortId)
    say(`${person.name} removed.`, () => void addBack(projectId, cohortId, person))
  } catch (error) {
    sayProblem(error, () => void removeMember(projectId, cohortId, person))
  }
}

async function addBack(projectId: number, cohortId: number, person: Pick<Person, 'uuid' | 'name'>) {
  try {
    await client.PATCH('/api/projects/{project_id}/cohorts/{id}/add_persons_to_static_cohort/', {
      params: itemIn(projectId, cohortId),
      body: { person_ids: [person.uuid] },
    })
    void refreshMembers(projectId, cohortId)
    say(`${person.name} is a member again.`)
  } catch (error) {
    sayProblem(error, () => void addBack(projectId, cohortId, person))
  }
}
