import * as z from 'zod'
import { operation } from '../../http/operation'

export const destroyFlagOperation = operation({
  id: 'feature_flags_destroy',
  method: 'delete',
  path: '/api/projects/:project_id/feature_flags/:id/',
  summary: 'Not allowed: flags are deleted by an update',
  description:
    'Always 405 with no body, whether the flag exists or not. Send `{"deleted": true}` as an update instead.',
  scope: 'feature_flag:write',
  params: z.object({ id: z.string() }),
  responses: { 405: 'empty' },
  handle: async () => new Response(null, { status: 405, headers: { Allow: 'GET, PATCH' } }),
})
