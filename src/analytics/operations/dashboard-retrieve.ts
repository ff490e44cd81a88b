import * as z from 'zod'
import { ErrorBody } from '../../http/error-body'
import { id } from '../../http/fields'
import { operation } from '../../http/operation'
import { DashboardRecord, readDashboard } from '../dashboard-record'

export const retrieveDashboardOperation = operation({
  id: 'dashboards_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/dashboards/:id/',
  summary: 'Read a dashboard with its data',
  scope: 'dashboard:read',
  params: z.object({ id: id() }),
  responses: { 200: DashboardRecord, 404: ErrorBody },
  handle: (context) => readDashboard(context, context.params.id),
})
