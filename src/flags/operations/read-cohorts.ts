import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { id } from '../../http/fields'
import { operation } from '../../http/operation'
import { pageOf } from '../../http/pagination'
import { CohortRecord } from '../cohorts/cohort-record'
import { CohortQuery, getCohort, listCohorts } from '../cohorts/read-cohorts'

const PATH = '/api/projects/:project_id/cohorts/'

export const listCohortsOperation = operation({
  id: 'cohorts_list',
  method: 'get',
  path: PATH,
  summary: 'List the cohorts of a project',
  description: 'Newest first, without deleted ones.',
  scope: 'cohort:read',
  query: CohortQuery,
  responses: { 200: pageOf(CohortRecord) },
  handle: ({ deps, project, query, url }) => listCohorts(deps.db, project.id, query, url),
})

export const listCohortsDocs = (): OperationDocs => ({
  parameters: {
    search: 'Text that the name contains, case-insensitive for ASCII. At most 200 characters.',
    type: 'Only static or only dynamic cohorts. Default: all.',
    created_by_id: { description: 'Only cohorts that this user created: their numeric id.', example: 1 },
  },
})

export const retrieveCohortOperation = operation({
  id: 'cohorts_retrieve',
  method: 'get',
  path: `${PATH}:id/`,
  summary: 'Read a cohort',
  description: 'The response has the progress of adding members to a static cohort.',
  scope: 'cohort:read',
  params: z.object({ id: id() }),
  responses: { 200: CohortRecord },
  handle: ({ deps, project, params }) => getCohort(deps.db, project.id, params.id),
})

export const retrieveCohortDocs = (): OperationDocs => ({
  parameters: { id: { description: 'Id of the cohort.', example: 1 } },
})
