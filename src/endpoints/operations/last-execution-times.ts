import * as z from 'zod'
import type { OperationDocs, SchemaDocs } from '../../http/docs/operation-docs'
import { EXAMPLE_NAME, EXAMPLE_RUN_AT } from '../endpoint-example'
import { toApiTimestamp } from '../../timestamps'
import { project as exampleProject } from '../../http/docs/examples'
import { invalid } from '../../errors'
import { dateTime } from '../../http/fields'
import { operation } from '../../http/operation'
import { isName } from '../field-checks'
import { lastExecuted } from '../list-endpoints'
import { strictBody } from '../../http/body/strict-body'

export const LastExecutionTimesBody = strictBody({ names: z.array(z.string()).nullish() }).meta({
  id: 'LastExecutionTimes',
  required: ['names'],
})

export const LastExecutionTimesBodyDocs = (): SchemaDocs => ({
  description: 'Names of endpoints.',
  fields: { names: 'Names of endpoints. Required; may be empty. An invalid name is rejected.' },
  example: { names: [EXAMPLE_NAME] },
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
  summary: 'Read when endpoints were last run',
  description:
    'Runs by keys only; written right after the response of a run. Leaves out endpoints that were never run or do not exist.',
  scope: 'endpoint:read',
  body: LastExecutionTimesBody,
  errorForm: 'parse error',
  responses: { 200: z.object({ query_status: QueryStatus }) },
  async handle({ deps, project, body: { names } }) {
    if (!names) throw invalid('names', 'This field is required.', 'required')
    const invalidName = names.find((name) => !isName(name))
    if (invalidName !== undefined) throw invalid('names', `Invalid endpoint name: ${invalidName}`)
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

export const lastExecutionTimesDocs = (): OperationDocs => {
  const example = statusOf(exampleProject.id, [[EXAMPLE_NAME, toApiTimestamp(EXAMPLE_RUN_AT)]])
  const nullFields = Object.entries(example).filter(([, value]) => value === null)
  return {
    response: {
      description: 'Time of the last run of each endpoint, in the form of a completed query.',
      fields: {
        query_status: 'A completed query. Only `results` varies.',
        'query_status.id': 'Always empty.',
        'query_status.team_id': 'Id of the project.',
        'query_status.complete': 'Always true.',
        'query_status.error': 'Always false.',
        'query_status.results':
          'Pairs of an endpoint name and the time of its last run by a key (ISO 8601, UTC), by name. Endpoints that no key has run, or that do not exist, are left out. Null when no names were sent.',
        'query_status.query_async': 'Always true.',
        ...Object.fromEntries(nullFields.map(([name]) => [`query_status.${name}`, 'Always null.'])),
      },
      example: { query_status: example },
    },
    tool: { name: 'endpoints-last-execution-times' },
    sample: { body: { names: ['$NAME'] } },
  }
}
