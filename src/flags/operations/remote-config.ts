import * as z from 'zod'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { readRemoteConfig } from '../remote-config'

export const remoteConfigOperation = operation({
  id: 'feature_flags_remote_config_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/feature_flags/:id/remote_config/',
  summary: 'Read the payload of a remote configuration flag',
  description:
    'By id or by key. The answer is a JSON string whose content is itself JSON, or null without a payload. ' +
    '404 with no body when there is no such flag, or it is no remote configuration.',
  scope: 'feature_flag:read',
  keyRate: 'REMOTE_CONFIG_RATE',
  params: z.object({ id: z.string() }),
  responses: { 200: z.string().nullable(), 404: 'empty', 500: ErrorBody },
  handle: async (context) => Response.json(await readRemoteConfig(context, context.params.id)),
})
