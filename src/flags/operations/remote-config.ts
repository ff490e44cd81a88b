import * as z from 'zod'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { getRemoteConfig } from '../read/find'
import type { OperationDocs } from '../../http/docs/operation-docs'

export const remoteConfigOperation = operation({
  id: 'feature_flags_remote_config_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/feature_flags/:id/remote_config/',
  summary: 'Read the payload of a remote configuration flag',
  description:
    'By id or by key. The response is a JSON string that contains JSON, or null without a payload. ' +
    '404 without a body when there is no such flag, or it is no remote configuration.',
  scope: 'feature_flag:read',
  keyRate: 'REMOTE_CONFIG_RATE',
  params: z.object({ id: z.string() }),
  responses: { 200: z.string().nullable(), 404: 'empty', 500: ErrorBody },
  handle: async (context) => Response.json(await getRemoteConfig(context, context.params.id)),
})

export const remoteConfigDocs = (): OperationDocs => ({
  parameters: { id: { description: 'Id or key of the flag. Digits alone are an id.', example: 'banner' } },
  response: { example: '{"text": "Sale until Sunday"}' },
  tool: {
    notFound: 'No flag has this id or key, or the flag is no remote configuration.',
  },
  sample: { needs: ['a remote configuration'] },
})
