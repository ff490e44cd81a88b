import * as z from 'zod'
import { notFound } from '../../errors'
import { ErrorBody } from '../../http/error-body'
import { id } from '../../http/fields'
import { operation } from '../../http/operation'
import { cohortFrom, CohortRecord, liveCohort, selectCohortRecords } from '../cohort-record'

export const retrieveCohortOperation = operation({
  id: 'cohorts_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/cohorts/:id/',
  summary: 'Read a cohort',
  description: 'Shows how far the filling of a static cohort has come.',
  scope: 'cohort:read',
  params: z.object({ id: id() }),
  responses: { 200: CohortRecord, 404: ErrorBody },
  async handle({ deps: { db }, project, params }) {
    const [row] = await selectCohortRecords(db, liveCohort(project.id, params.id))
    if (!row) throw notFound()
    return cohortFrom(row)
  },
})
