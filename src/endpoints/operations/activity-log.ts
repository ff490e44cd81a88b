import * as z from 'zod'
import { ActivityPage, type ActivityScope } from '../../activity/entry'
import { activityPage, countActivity, selectActivity } from '../../activity/list'
import { activityParameters, ActivityQuery } from '../../activity/page'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { totalIn } from '../../storage/count'
import { anEndpoint } from '../../http/docs/sample-setup'
import { ada } from '../../http/docs/examples'
import { EXAMPLE_ENDPOINT_ID, EXAMPLE_NAME } from '../endpoint-example'

/** Scopes of a project's entries. */
const SCOPES = [
  'Endpoint',
  'EndpointVersion',
  'DataWarehouseSavedQuery',
  'FeatureFlag',
  'Cohort',
  'Person',
  'Dashboard',
  'EventDefinition',
  'PropertyDefinition',
] as const satisfies readonly ActivityScope[]

export const listActivityOperation = operation({
  id: 'activity_log_list',
  method: 'get',
  path: '/api/projects/:project_id/activity_log/',
  summary: 'List changes of saved queries and other items',
  description: 'Newest first, deleted items too. Each call lists one kind of item.',
  scope: 'activity_log:read',
  query: ActivityQuery.extend({ scope: z.enum(SCOPES), item_id: z.string().optional() }),
  responses: { 200: ActivityPage, 400: ErrorBody },
  async handle({ deps, project, query, url }) {
    const { scope, item_id: itemId } = query
    const selection = { projectId: project.id, scope, ...(itemId === undefined ? {} : { itemId }) }
    const [counts, rows] = await deps.db.batch([
      countActivity(deps, selection),
      selectActivity(deps, selection, query),
    ])
    return activityPage(url, query, totalIn(counts), rows)
  },
})

const entryExample = () => ({
  id: '019d4d95-2d80-7b3e-8a51-0a5d1c2f9c44',
  user: { first_name: ada.first_name, email: ada.email },
  activity: 'version_updated',
  scope: 'EndpointVersion',
  item_id: EXAMPLE_ENDPOINT_ID,
  detail: {
    id: EXAMPLE_ENDPOINT_ID,
    changes: [
      {
        type: 'EndpointVersion',
        action: 'changed',
        field: 'data_freshness_seconds',
        before: 86_400,
        after: 3600,
      },
    ],
    trigger: null,
    type: null,
    name: EXAMPLE_NAME,
    short_id: null,
    merge: null,
    context: { version: 1 },
  },
  created_at: '2026-04-02T09:45:00.125000Z',
})

export const listActivityDocs = (): OperationDocs => ({
  parameters: {
    ...activityParameters(),
    scope: {
      description:
        'Kind of item: `Endpoint` (creation, tags, activation, new versions, deletion), `EndpointVersion` (description, freshness, activation and other fields of a version), `DataWarehouseSavedQuery` (materialization on and off), `FeatureFlag`, `Cohort`, `Person`, `Dashboard`, `EventDefinition` or `PropertyDefinition`.',
      example: 'EndpointVersion',
    },
    item_id:
      'Id of one item: the `id` of an endpoint also for its versions, the `saved_query_id` of a materialization, the `id` of a flag, cohort or definition. Default: all items of the kind.',
  },
  response: { example: { results: [entryExample()], next: null, previous: null, total_count: 1 } },
  tool: { name: 'activity-log-list' },
  sample: { before: [anEndpoint], query: { scope: 'Endpoint' } },
})
