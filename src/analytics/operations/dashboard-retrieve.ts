import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { ErrorBody } from '../../http/error-body'
import { id } from '../../http/fields'
import { operation } from '../../http/operation'
import { DashboardRecord, getDashboard } from '../dashboards'

export const retrieveDashboardOperation = operation({
  id: 'dashboards_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/dashboards/:id/',
  summary: 'Read a dashboard with its data',
  scope: 'dashboard:read',
  params: z.object({ id: id() }),
  responses: { 200: DashboardRecord, 404: ErrorBody },
  handle: (context) => getDashboard(context, context.params.id),
})

export const retrieveDashboardDocs = (): OperationDocs => ({
  parameters: { id: { description: 'Id of the dashboard: `usage_dashboard` of a flag.', example: 1 } },
})
