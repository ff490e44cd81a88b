import type { OperationDocs } from '../../http/docs/operation-docs'
import { nameParameter, versionParameter } from '../endpoint-example'
import { ErrorText } from '../../http/error-body'
import { integer } from '../../http/fields'
import { operation } from '../../http/operation'
import { strictBody } from '../../http/body/strict-body'
import { EndpointPath } from '../endpoint-schema'
import { MaterializationSuggestion } from '../materialization/suggestion/suggestion-schema'

export const materializationSuggestionOperation = operation({
  id: 'endpoints_materialization_suggestion_create',
  method: 'post',
  path: '/api/projects/:project_id/endpoints/:name/materialization_suggestion/',
  summary: 'Ask a language model to rewrite a query so that it can be materialized',
  description:
    'For a `HogQLQuery` that the checks reject. A suggestion passes them, with the same variables and columns; ' +
    'nothing is saved. The model gets the query only. Takes up to 150 seconds. Requires a model ' +
    'of the deployment, and `is_ai_data_processing_approved` of the organization.',
  scope: 'endpoint:read',
  throttles: [
    { name: 'materialization_suggestion_minute', calls: 10, seconds: 60 },
    { name: 'materialization_suggestion_day', calls: 100, seconds: 86_400 },
  ],
  params: EndpointPath,
  body: strictBody({ version: integer().nullish() }),
  responses: {
    200: MaterializationSuggestion,
    400: ErrorText,
    403: ErrorText,
    404: ErrorText,
    502: ErrorText,
    503: ErrorText,
  },
  async handle({ params, body, ...context }) {
    const { suggestRewrite } = await import('../materialization/suggestion/suggest-rewrite')
    return suggestRewrite(context, params.name, body.version ?? null)
  },
})

export const materializationSuggestionDocs = (): OperationDocs => ({
  parameters: { name: nameParameter() },
  body: {
    description: 'The query to rewrite. May be empty.',
    fields: { version: `${versionParameter()} Null means the same.` },
    example: {},
  },
  tool: { isOpenWorld: true },
  sample: { needs: ['a query that cannot be materialized'], body: {} },
})
