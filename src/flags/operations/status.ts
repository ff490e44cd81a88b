import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { findFlag } from '../find'
import { FlagPath } from '../schema'
import { FlagStatus, statusOf } from '../status'

export const flagStatusOperation = operation({
  id: 'feature_flags_status_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/feature_flags/:id/status/',
  summary: 'Read whether a flag is still in use',
  description:
    'A flag is stale when nobody asked for it in 30 days, or when it never was and answers everybody the same.',
  scope: 'feature_flag:read',
  params: FlagPath,
  responses: { 200: FlagStatus, 404: ErrorBody },
  handle: async (context) => statusOf(await findFlag(context, context.params.id), context.deps.clock.now()),
})
