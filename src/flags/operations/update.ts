import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { FlagPath, FlagRecord, UpdateFlagBody } from '../schema'
import { updateFlag } from '../update'

export const updateFlagOperation = operation({
  id: 'feature_flags_partial_update',
  method: 'patch',
  path: '/api/projects/:project_id/feature_flags/:id/',
  summary: 'Update, delete, restore or archive a flag',
  description:
    'Fields that are left out stay as they are. Every update counts `version` up by one. `deleted: true` deletes the flag, ' +
    '`deleted: false` restores it. Send `version` and `original_flag` to be told (409) when somebody else changed the same field.',
  scope: 'feature_flag:write',
  params: FlagPath,
  body: UpdateFlagBody,
  responses: { 200: FlagRecord, 400: ErrorBody, 404: ErrorBody, 409: ErrorBody },
  handle: (context) => updateFlag(context, context.params.id, context.body),
})
