import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { createFlag } from '../create'
import { CreateFlagBody, FlagRecord } from '../schema'

export const createFlagOperation = operation({
  id: 'feature_flags_create',
  method: 'post',
  path: '/api/projects/:project_id/feature_flags/',
  summary: 'Create a flag',
  description: 'Only `key` is required. A key that a deleted flag still holds can be used again.',
  scope: 'feature_flag:write',
  body: CreateFlagBody,
  responses: { 201: FlagRecord, 400: ErrorBody },
  handle: (context) => createFlag(context, context.body),
})
