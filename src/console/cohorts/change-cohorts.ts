// Changes of cohorts, with undo.
import { client, patch, post } from '../api/client'
import { type Cohort, cohortKey, cohortsKey, membersKey, type Person } from '../api/cohorts'
import { Problem } from '../api/problem'
import { queryClient, inProject, itemIn } from '../api/queries'
import type { components } from '../api/schema'
import { sayLink } from '../design/popups/toast'
import { doing, type Undo } from '../edit/doing'

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

const restoring = (projectId: number, cohort: Pick<Cohort, 'id' | 'name'>): Undo => ({
  item: labelOf(cohort),
  check: null,
  async change() {
    await updateCohort(projectId, cohort.id, { deleted: false })
    void refreshCohorts(projectId)
    void queryClient.invalidateQueries({ queryKey: ['project', projectId, 'activity'] })
  },
  said: `${labelOf(cohort)} restored.`,
})

export const restoreCohort = (projectId: number, cohort: Pick<Cohort, 'id' | 'name'>): Promise<boolean> =>
  doing(restoring(projectId, cohort))

/** Deletes a cohort, with undo. @returns whether it is deleted: one that is in use is not. */
export const deleteCohort = (projectId: number, cohort: Cohort): Promise<boolean> =>
  doing({
    item: labelOf(cohort),
    async change() {
      await updateCohort(projectId, cohort.id, { deleted: true })
      // The cohort itself is not refreshed: it is a 404 now, and its page is being left.
      void queryClient.invalidateQueries({ queryKey: [...cohortsKey(projectId), 'list'] })
      void queryClient.invalidateQueries({ queryKey: cohortsKey(projectId), exact: true })
    },
    said: `${labelOf(cohort)} deleted.`,
    sayError(error) {
      if (!(error instanceof Problem) || error.attr !== 'deleted') return false
      sayLink(
        `${labelOf(cohort)} is in use: take it out of what uses it first.`,
        'View what uses it',
        `/project/${projectId}/cohorts/${cohort.id}?tab=uses`,
      )
      return true
    },
    undo: restoring(projectId, cohort),
    hasRetry: false,
  })

const refreshMembers = (projectId: number, id: number): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: membersKey(projectId, id) }),
    queryClient.invalidateQueries({ queryKey: cohortKey(projectId, id), exact: true }),
  ])

/** Takes a person out of a list, with undo. */
export function removeMember(
  projectId: number,
  cohortId: number,
  { uuid, name }: Pick<Person, 'uuid' | 'name'>,
) {
  const params = itemIn(projectId, cohortId)
  return doing({
    async change() {
      const body = { person_id: uuid }
      await client.PATCH('/api/projects/{project_id}/cohorts/{id}/remove_person_from_static_cohort/', {
        params,
        body,
      })
      void refreshMembers(projectId, cohortId)
    },
    said: `${name} removed.`,
    undo: {
      check: null,
      async change() {
        const body = { person_ids: [uuid] }
        await client.PATCH('/api/projects/{project_id}/cohorts/{id}/add_persons_to_static_cohort/', {
          params,
          body,
        })
        void refreshMembers(projectId, cohortId)
      },
      said: `${name} is a member again.`,
    },
  })
}
