import { Success } from '../../http/plain-bodies'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { FlagPath, FlagShapedBody } from '../schema'
import { enrichUsageDashboard } from '../usage-dashboard'
import { DashboardRefused } from './dashboard'

export const enrichDashboardOperation = operation({
  id: 'feature_flags_enrich_usage_dashboard_create',
  method: 'post',
  path: '/api/projects/:project_id/feature_flags/:id/enrich_usage_dashboard/',
  summary: 'Add views and interactions to the dashboard about a flag’s use',
  description: 'For flags with `has_enriched_analytics`, once. The body is ignored.',
  scope: 'feature_flag:write',
  params: FlagPath,
  body: FlagShapedBody,
  responses: { 200: Success, 400: DashboardRefused, 404: ErrorBody },
  async handle(context) {
    await enrichUsageDashboard(context, context.params.id)
    return { success: true }
  },
})
