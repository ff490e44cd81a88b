import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { ErrorBody } from '../../http/error-body'
import { id } from '../../http/fields'
import { operation } from '../../http/operation'
import { CohortRecord, getCohort } from '../cohorts'

export const retrieveCohortOperation = operation({
  id: 'cohorts_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/cohorts/:id/',
  summary: 'Read a cohort',
  description: 'The response has the progress of adding members to a static cohort.',
  scope: 'cohort:read',
  params: z.object({ id: id() }),
  responses: { 200: CohortRecord, 404: ErrorBody },
  handle: ({ deps, project, params }) => getCohort(deps.db, project.id, params.id),
})

export const retrieveCohortDocs = (): OperationDocs => ({
  parameters: { id: { description: 'Id of the cohort.', example: 1 } },
})
