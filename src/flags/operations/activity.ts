import * as z from 'zod'
import { ActivityPage } from '../../activity/entry'
import { activityPage, countActivity, selectActivity } from '../../activity/list'
import { ActivityQuery } from '../../activity/page'
import { notFoundWithoutBody } from '../../errors'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { totalIn } from '../../storage/count'
import { selectPresence } from '../rows'
import { idOrNone } from '../schema'

export const listFlagActivityOperation = operation({
  id: 'feature_flags_activity_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/feature_flags/:id/activity/',
  summary: 'Read what happened to a flag',
  description: 'Newest first; also for a deleted flag.',
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
