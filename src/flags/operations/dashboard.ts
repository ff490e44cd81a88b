import * as z from 'zod'
import { Success } from '../../http/plain-bodies'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { FlagPath, FlagShapedBody } from '../schema'
import { ensureUsageDashboard } from '../usage-dashboard'

export const DashboardRefused = z
  .object({ success: z.literal(false), error: z.string() })
  .meta({ id: 'DashboardRefused' })

export const createDashboardOperation = operation({
  id: 'feature_flags_dashboard_create',
  method: 'post',
  path: '/api/projects/:project_id/feature_flags/:id/dashboard/',
  summary: 'Make the dashboard about a flag’s use',
  description:
    'Nothing happens when the flag has one. Its id is the flag’s `usage_dashboard`. The body is ignored.',
  scope: 'feature_flag:write',
  params: FlagPath,
  body: FlagShapedBody,
  responses: { 200: Success, 400: DashboardRefused, 404: ErrorBody },
  async handle(context) {
    await ensureUsageDashboard(context, context.params.id)
    return { success: true }
  },
})
