import * as z from 'zod'
import { ActivityPage, activityEntryExample } from '../../activity/entry'
import { activityPage, countActivity, selectActivity } from '../../activity/list'
import { activityParameters, ActivityQuery } from '../../activity/page'
import { notFoundWithoutBody } from '../../errors'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { totalIn } from '../../storage/count'
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
  responses: { 200: ActivityPage, 400: ErrorBody, 404: 'empty' },
  async handle({ deps, project, params, query, url }) {
    const selection = { projectId: project.id, scope: 'FeatureFlag' as const, itemId: String(params.id) }
    const [flags, counts, rows] = await deps.db.batch([
      selectPresence(deps.db, project.id, params.id),
      countActivity(deps, selection),
      selectActivity(deps, selection, query),
    ])
    if (flags.length === 0) throw notFoundWithoutBody()
    return activityPage(url, query, totalIn(counts), rows)
  },
})

export const listFlagActivityDocs = (): OperationDocs => ({
  parameters: { ...flagParameter(), ...activityParameters() },
  response: { example: { results: [activityEntryExample()], next: null, previous: null, total_count: 1 } },
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
  responses: { 200: ActivityPage, 400: ErrorBody },
  async handle({ deps, project, query, url }) {
    const selection = { projectId: project.id, scope: 'FeatureFlag' as const }
    const [counts, rows] = await deps.db.batch([
      countActivity(deps, selection),
      selectActivity(deps, selection, query),
    ])
    return activityPage(url, query, totalIn(counts), rows)
  },
})

export const listAllActivityDocs = (): OperationDocs => ({ parameters: activityParameters() })
