import { ActivityPage } from '../../activity/entry'
import { activityPage, countActivity, selectActivity } from '../../activity/list'
import { ActivityQuery } from '../../activity/page'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { totalIn } from '../../storage/count'

export const listAllActivityOperation = operation({
  id: 'feature_flags_all_activity_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/feature_flags/activity/',
  summary: 'Read what happened to all flags of a project',
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
