// What the reference says of the operations on endpoints as such: what they take, and what they show.
import type { Words } from '../../docs/words'
import { project } from '../../http/docs/examples'
import {
  endpoint,
  inPath,
  NAME,
  ORIGIN,
  RUN_AT_WITH_OFFSET,
  updateBody,
  versionInQuery,
} from '../example.words'
import { openApiOf } from '../openapi'
import { updated } from '../records.words'
import type { EndpointRow } from '../rows'

/** The endpoint of the examples, as far as its document goes. */
const row = {
  projectId: project.id,
  name: NAME,
  version: 1,
  description: endpoint.description,
  query: endpoint.query,
  generation: null,
} as unknown as EndpointRow

const document = openApiOf({ row, variableTypes: new Map() }, ORIGIN)

/** The document with its references written out: whoever reads the reference would follow them inside it. */
function writtenOut(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(writtenOut)
  if (typeof value !== 'object' || value === null) return value
  const { $ref: reference } = value as { $ref?: string }
  const { schemas } = document.components as { schemas: Record<string, unknown> }
  if (reference) return writtenOut(schemas[reference.slice('#/components/schemas/'.length)])
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, writtenOut(each)]))
}

const update = {
  parameters: {
    name: inPath,
    version:
      'Number of the version to change, unless the body has `version`. Left out, the endpoint and its current version are changed.',
  },
  body: updateBody,
  answer: updated,
}

export const endpointOperationWords: Words = {
  schemas: {
    EndpointsOpenapiRetrieveResponse: {
      is: 'An OpenAPI document with one operation: a run of the endpoint.',
      fields: {
        openapi: 'The version of OpenAPI.',
        info: 'What the document is about.',
        'info.title': 'Name of the endpoint.',
        'info.description': 'Description of the version, or a sentence in its place.',
        'info.version': 'Number of the version.',
        servers: 'This service, by the name that the request came to.',
        'servers.url': 'Where the service is.',
        paths: 'The one path, with its one operation.',
        components: 'What a run takes: `EndpointRunRequest`, with the types of the variables in `Variables`.',
      },
      example: writtenOut(document),
    },
    LastExecutionTimes: {
      is: 'The endpoints that are asked about.',
      fields: { names: 'Names of endpoints. Required; may be empty. One that cannot be a name is refused.' },
      example: { names: [NAME] },
    },
    EndpointsLastExecutionTimesCreateResponse: {
      is: 'When the endpoints were last run, in the form of a query that is done.',
      fields: {
        query_status: 'The query, as clients of other queries know it. Only `results` says anything.',
        'query_status.id': 'Always empty.',
        'query_status.team_id': 'Id of the project.',
        'query_status.complete': 'Always true.',
        'query_status.error': 'Always false.',
        'query_status.error_message': 'Always null.',
        'query_status.results':
          'Pairs of a name and the moment of its last run by a key (ISO 8601, UTC), by name. Those that no key has run, or that do not exist, are left out. Null when no names were sent.',
        'query_status.query_async': 'Always true.',
        'query_status.start_time': 'Always null.',
        'query_status.end_time': 'Always null.',
        'query_status.pickup_time': 'Always null.',
        'query_status.expiration_time': 'Always null.',
        'query_status.task_id': 'Always null.',
        'query_status.insight_id': 'Always null.',
        'query_status.dashboard_id': 'Always null.',
        'query_status.labels': 'Always null.',
        'query_status.query_progress': 'Always null.',
      },
      example: {
        query_status: {
          id: '',
          team_id: project.id,
          complete: true,
          error: false,
          error_message: null,
          results: [[NAME, RUN_AT_WITH_OFFSET]],
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
        },
      },
    },
    ErrorDetail: {
      is: 'What went wrong, in one sentence.',
      fields: { detail: 'What went wrong, for people, in English.' },
      example: { detail: 'Bulk tag updates are not supported for endpoints.' },
    },
  },
  operations: {
    endpoints_list: {
      parameters: {
        is_active: 'True for those that can be run, false for the others. Left out, all are listed.',
        created_by: 'Id of a user: only endpoints that this user made.',
      },
    },
    endpoints_retrieve: { parameters: { name: inPath, version: versionInQuery }, answer: endpoint },
    endpoints_partial_update: update,
    endpoints_update: update,
    endpoints_destroy: { parameters: { name: inPath } },
    endpoints_versions_list: {
      parameters: {
        name: inPath,
        is_active: 'No effect, here and upstream: all versions are listed.',
        created_by: 'No effect, here and upstream: all versions are listed.',
      },
    },
    endpoints_openapi_retrieve: { parameters: { name: inPath, version: versionInQuery } },
  },
}
