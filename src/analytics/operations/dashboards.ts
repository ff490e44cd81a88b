import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { id } from '../../http/fields'
import { operation } from '../../http/operation'
import { pageOf } from '../../http/pagination'
import { queryCapacity, tooManyQueries } from '../engine/limits'
import { createDashboard } from '../dashboards/create-dashboard'
import { DashboardBody, DashboardUpdate } from '../dashboards/dashboard-body'
import { DashboardRecord, DashboardSummary } from '../dashboards/dashboard-record'
import { DashboardQuery, getDashboard, listDashboards } from '../dashboards/read-dashboards'
import { updateDashboard } from '../dashboards/update-dashboard'

const PATH = '/api/projects/:project_id/dashboards/'

export const listDashboardsOperation = operation({
  id: 'dashboards_list',
  method: 'get',
  path: PATH,
  summary: 'List the dashboards of a project',
  description: 'Newest first, without deleted ones.',
  scope: 'dashboard:read',
  query: DashboardQuery,
  responses: { 200: pageOf(DashboardSummary) },
  handle: ({ deps, project, query, url }) => listDashboards(deps.db, project.id, query, url),
})

export const listDashboardsDocs = (): OperationDocs => ({
  parameters: {
    search: 'Text that the name contains, case-insensitive for ASCII. At most 200 characters.',
    creation_mode:
      '`default`: those that people made. `template`: those of the usage of flags. Default: all.',
  },
  // The tools of MCP leave this out, because the tool of a flag names its dashboard.
  tool: { isDuplicate: true },
})

export const retrieveDashboardOperation = operation({
  id: 'dashboards_retrieve',
  method: 'get',
  path: `${PATH}:id/`,
  summary: 'Read a dashboard with its data',
  scope: 'dashboard:read',
  params: z.object({ id: id() }),
  responses: { 200: DashboardRecord },
  handle: (context) => getDashboard(context, context.params.id),
})

const dashboardParameter = () => ({ id: { description: 'Id of the dashboard.', example: 1 } })

export const retrieveDashboardDocs = (): OperationDocs => ({
  parameters: dashboardParameter(),
  errors: {
    429: { 'Too many concurrent queries': tooManyQueries() },
    503: { 'The database is at capacity': queryCapacity() },
  },
})

/** A dashboard as writes return it. */
const writtenExample = () => ({
  name: 'Sales',
  creation_mode: 'default',
  tiles: [{ id: 1, layouts: { sm: { x: 0, y: 0, w: 6, h: 5 } }, endpoint: 'revenue', insight: null }],
})

export const createDashboardOperation = operation({
  id: 'dashboards_create',
  method: 'post',
  path: PATH,
  summary: 'Create a dashboard',
  description: 'Its tiles are saved queries. Flags create the dashboards of their usage.',
  scope: 'dashboard:write',
  body: DashboardBody,
  responses: { 201: DashboardRecord },
  handle: (context) => createDashboard(context, context.body),
})

export const createDashboardDocs = (): OperationDocs => ({
  response: { example: writtenExample() },
  // The tools of MCP leave this out, because tools run the saved queries themselves.
  tool: { isDuplicate: true },
  sample: { body: { name: 'Sales', tiles: [{ endpoint: '$NAME' }] } },
})

export const updateDashboardOperation = operation({
  id: 'dashboards_partial_update',
  method: 'patch',
  path: `${PATH}:id/`,
  summary: 'Change, arrange, delete or restore a dashboard',
  scope: 'dashboard:write',
  params: z.object({ id: id() }),
  body: DashboardUpdate,
  responses: { 200: DashboardRecord },
  handle: (context) => updateDashboard(context, context.params.id, context.body),
})

export const updateDashboardDocs = (): OperationDocs => ({
  parameters: dashboardParameter(),
  response: { example: writtenExample() },
  tool: { isDuplicate: true },
  sample: { body: { name: 'Sales' } },
})
