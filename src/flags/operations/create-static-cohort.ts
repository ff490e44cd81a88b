import * as z from 'zod'
import { CohortRecord } from '../cohorts/cohort-record'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { FlagPath, FlagShapedBody, IgnoredBody } from '../schema'
import { createStaticCohort, MAX_FILLS } from '../cohorts/create-static-cohort'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { FLAG_KEY, flagParameter } from '../examples'

export const createStaticCohortOperation = operation({
  id: 'feature_flags_create_static_cohort_for_flag_create',
  method: 'post',
  path: '/api/projects/:project_id/feature_flags/:id/create_static_cohort_for_flag/',
  summary: 'Create a static cohort of the people for whom a flag is on',
  description:
    'The cohort is filled in the background, until `is_calculating` is false. ' +
    `At most ${MAX_FILLS} of an organization are filled at the same time. ` +
    'It stays empty for a flag that is disabled, deleted, or about groups. The body is ignored.',
  scope: 'feature_flag:write',
  params: FlagPath,
  body: IgnoredBody,
  responses: { 200: z.object({ cohort: CohortRecord }), 429: ErrorBody },
  handle: async (context) => ({ cohort: await createStaticCohort(context, context.params.id) }),
})

export const createStaticCohortDocs = (): OperationDocs => ({
  parameters: flagParameter(),
  body: { schema: FlagShapedBody },
  response: {
    description: 'The new cohort.',
    fields: { cohort: 'The cohort, which is still being filled.' },
    example: {
      cohort: {
        name: `Users with feature flag ${FLAG_KEY} enabled at 2026-04-02 09:05:00`,
        is_calculating: true,
        count: null,
        last_calculation: null,
        created_at: '2026-04-02T09:05:00.214000Z',
      },
    },
  },
  tool: { isAdditive: true, omits: 'body' },
})
