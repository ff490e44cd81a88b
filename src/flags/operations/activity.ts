import * as z from 'zod'
import { ActivityPage } from '../../activity/entry'
import { readActivityPage, readItemPage } from '../../activity/list'
import { activityParameters, ActivityQuery } from '../../activity/page'
import { notFoundWithoutBody } from '../../errors'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { operation } from '../../http/operation'
import { flagParameter } from '../examples'
import { selectPresence } from '../read/rows'
import { idOrNone } from '../schema'

export const listFlagActivityOperation = operation({
  id: 'feature_flags_activity_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/feature_flags/:id/activity/',
  summary: 'List the changes of a flag',
  description: 'Newest first; for deleted flags too.',
  scope: 'activity_log:read',
  params: z.object({ id: idOrNone() }),
  query: ActivityQuery,
  responses: { 200: ActivityPage, 404: 'empty' },
  async handle({ deps, project, params, query, url }) {
    const selection = { projectId: project.id, scope: 'FeatureFlag' as const, itemId: String(params.id) }
    const page = await readItemPage(
      deps,
      url,
      selection,
      query,
      selectPresence(deps.db, project.id, params.id),
    )
    if (!page) throw notFoundWithoutBody()
    return page
  },
})

export const listFlagActivityDocs = (): OperationDocs => ({
  parameters: { ...flagParameter(), ...activityParameters() },
  response: { example: {} },
  tool: { name: 'feature-flags-activity-retrieve' },
})

export const listAllActivityOperation = operation({
  id: 'feature_flags_all_activity_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/feature_flags/activity/',
  summary: 'List the changes of all flags of a project',
  description: 'Newest first.',
  scope: 'activity_log:read',
  query: ActivityQuery,
  responses: { 200: ActivityPage },
  handle: ({ deps, project, query, url }) =>
    readActivityPage(deps, url, { projectId: project.id, scope: 'FeatureFlag' }, query),
})

export const listAllActivityDocs = (): OperationDocs => ({ parameters: activityParameters() })
