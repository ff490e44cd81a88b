import * as z from 'zod'
import { CohortRecord } from '../../analytics/cohort-record'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { FlagPath, FlagShapedBody } from '../schema'
import { createStaticCohort } from '../static-cohort'

export const createStaticCohortOperation = operation({
  id: 'feature_flags_create_static_cohort_for_flag_create',
  method: 'post',
  path: '/api/projects/:project_id/feature_flags/:id/create_static_cohort_for_flag/',
  summary: 'Make a static cohort of the people for whom a flag is on',
  description:
    'The cohort is there at once and filled in the background: `is_calculating` tells when it is done. ' +
    'It stays empty for a flag that is inactive, deleted, or about groups. The body is ignored.',
  scope: 'feature_flag:write',
  params: FlagPath,
  body: FlagShapedBody,
  responses: { 200: z.object({ cohort: CohortRecord }), 404: ErrorBody },
  handle: async (context) => ({ cohort: await createStaticCohort(context, context.params.id) }),
})
