import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { viewerOf } from '../context'
import { findFlag } from '../find'
import { recordFrom } from '../record'
import { FlagPath, FlagRecord } from '../schema'

export const retrieveFlagOperation = operation({
  id: 'feature_flags_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/feature_flags/:id/',
  summary: 'Read a flag',
  description: 'A deleted flag is still answered, with `deleted: true`.',
  scope: 'feature_flag:read',
  params: FlagPath,
  responses: { 200: FlagRecord, 404: ErrorBody },
  handle: async (context) => recordFrom(await findFlag(context, context.params.id), viewerOf(context)),
})
