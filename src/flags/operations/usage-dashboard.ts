import * as z from 'zod'
import { authorOf } from '../../activity/record'
import type { OperationDocs, SchemaDocs } from '../../http/docs/operation-docs'
import { operation } from '../../http/operation'
import { Success } from '../../http/plain-bodies'
import { flagParameter } from '../examples'
import { FlagPath, FlagShapedBody, IgnoredBody } from '../schema'
import type { FlagContext } from '../context'
import type { DashboardRequest } from '../project-calls'

export const DashboardError = z
  .object({ success: z.literal(false), error: z.string() })
  .meta({ id: 'DashboardRefused' })

export const DashboardErrorDocs = (): SchemaDocs => ({
  description: 'Why the dashboard did not change.',
  fields: { success: 'Always false.', error: 'Reason in English.' },
  example: { success: false, error: 'No enriched analytics available for this feature flag' },
})

const common = {
  method: 'post',
  scope: 'feature_flag:write',
  params: FlagPath,
  body: IgnoredBody,
  responses: { 200: Success, 400: DashboardError },
} as const

const requestFrom = ({
  deps,
  actor,
  project,
  params,
}: FlagContext & { params: { id: number } }): DashboardRequest => ({
  projectId: project.id,
  flagId: params.id,
  author: authorOf(actor),
  now: deps.clock.now().getTime(),
})

export const createDashboardOperation = operation({
  ...common,
  id: 'feature_flags_dashboard_create',
  path: '/api/projects/:project_id/feature_flags/:id/dashboard/',
  summary: 'Create the usage dashboard of a flag',
  description:
    'Without effect when the flag has one. Its id is the `usage_dashboard` of the flag. The body is ignored.',
  async handle(context) {
    await context.deps.projectObjects.ensureUsageDashboard(requestFrom(context))
    return { success: true }
  },
})

export const createDashboardDocs = (): OperationDocs => ({
  parameters: flagParameter(),
  body: { schema: FlagShapedBody },
  tool: { isAdditive: true, omits: 'body' },
})

export const enrichDashboardOperation = operation({
  ...common,
  id: 'feature_flags_enrich_usage_dashboard_create',
  path: '/api/projects/:project_id/feature_flags/:id/enrich_usage_dashboard/',
  summary: 'Add views and interactions to the usage dashboard of a flag',
  description: 'For flags with `has_enriched_analytics`, once. The body is ignored.',
  async handle(context) {
    await context.deps.projectObjects.enrichUsageDashboard(requestFrom(context))
    return { success: true }
  },
})

export const enrichDashboardDocs = (): OperationDocs => ({
  parameters: flagParameter(),
  body: { schema: FlagShapedBody },
  tool: { isAdditive: true, omits: 'body' },
  sample: { needs: ['a flag with analytics'] },
})
