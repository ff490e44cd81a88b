import * as z from 'zod'
import { ErrorBody, ErrorText } from '../../http/error-body'
import { integer } from '../../http/fields'
import { operation } from '../../http/operation'
import { EndpointPath } from '../schema'
import { strictBody } from '../strict-body'

const Suggestion = z
  .object({
    suggestion_status: z.enum(['ok', 'cannot_fix', 'invalid', 'model_error']),
    suggested_query: z.string().nullable(),
    explanation: z.string().nullable(),
    attempts: z.int(),
    error: z.string().nullable(),
    original_reason: z.string(),
  })
  .meta({ id: 'MaterializationSuggestion' })

export const materializationSuggestionOperation = operation({
  id: 'endpoints_materialization_suggestion_create',
  method: 'post',
  path: '/api/projects/:project_id/endpoints/:name/materialization_suggestion/',
  summary: 'Ask a language model for a form of the query that can be materialized',
  description:
    'For a `HogQLQuery` that the checks refuse. A suggestion is checked as an update would be, and has the same variables and columns; ' +
    'nothing is saved. The model is told the text of the query, and nothing else of the project. Takes up to 150 seconds. The deployment ' +
    'has to have a model, and the organization `is_ai_data_processing_approved`.',
  scope: 'endpoint:read',
  throttles: [
    { name: 'materialization_suggestion_minute', calls: 10, seconds: 60 },
    { name: 'materialization_suggestion_day', calls: 100, seconds: 86_400 },
  ],
  params: EndpointPath,
  body: strictBody({ version: integer().nullish() }),
  responses: {
    200: Suggestion,
    400: z.union([ErrorBody, ErrorText]),
    403: z.union([ErrorBody, ErrorText]),
    404: z.union([ErrorBody, ErrorText]),
    502: ErrorText,
    503: z.union([ErrorBody, ErrorText]),
  },
  async handle({ params, body, ...context }) {
    const { suggestRewrite } = await import('../materialization/suggestion/suggestion')
    return suggestRewrite(context, params.name, body.version ?? null)
  },
})
