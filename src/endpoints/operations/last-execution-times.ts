import * as z from 'zod'
import { invalid } from '../../errors'
import { ErrorBody } from '../../http/error-body'
import { dateTime } from '../../http/fields'
import { operation } from '../../http/operation'
import { isName } from '../checks'
import { lastExecuted } from '../last-executed'
import { strictBody } from '../strict-body'

const LastExecutionTimesBody = strictBody({ names: z.array(z.string()).nullish() }).meta({
  id: 'LastExecutionTimes',
  required: ['names'],
})

const none = z.null()

const QueryStatus = z.object({
  id: z.string(),
  team_id: z.int(),
  complete: z.boolean(),
  error: z.boolean(),
  error_message: none,
  results: z.array(z.tuple([z.string(), dateTime()])).nullable(),
  query_async: z.boolean(),
  start_time: none,
  end_time: none,
  pickup_time: none,
  expiration_time: none,
  task_id: none,
  insight_id: none,
  dashboard_id: none,
  labels: none,
  query_progress: none,
})

export const lastExecutionTimesOperation = operation({
  id: 'endpoints_last_execution_times_create',
  method: 'post',
  path: '/api/projects/:project_id/endpoints/last_execution_times/',
  summary: 'When endpoints were last run',
  description:
    'By a key; give or take half an hour. Endpoints that were never run, or do not exist, are left out.',
  scope: 'endpoint:read',
  body: LastExecutionTimesBody,
  refusals: 'parse error',
  responses: { 200: z.object({ query_status: QueryStatus }), 400: ErrorBody },
  async handle({ deps, project, body: { names } }) {
    if (!names) throw invalid('names', 'This field is required.', 'required')
    const odd = names.find((name) => !isName(name))
    if (odd !== undefined) throw invalid('names', `Invalid endpoint name: ${odd}`)
    const times = names.length > 0 ? await lastExecuted({ deps, project }, names) : null
    return { query_status: statusOf(project.id, times) }
  },
})

const statusOf = (teamId: number, results: [string, string][] | null): z.output<typeof QueryStatus> => ({
  id: '',
  team_id: teamId,
  complete: true,
  error: false,
  error_message: null,
  results,
  query_async: true,
  start_time: null,
  end_time: null,
  pickup_time: null,
  expiration_time: null,
  task_id: null,
  insight_id: null,
  dashboard_id: null,
  labels: null,
  query_progress: null,
})
