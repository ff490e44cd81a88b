import * as z from 'zod'
import type { SchemaDocs } from '../../../http/docs/operation-docs'
import { REJECTION_EXAMPLE } from '../../endpoint-example'

export const MaterializationSuggestion = z
  .object({
    suggestion_status: z.enum(['ok', 'cannot_fix', 'invalid', 'model_error']),
    suggested_query: z.string().nullable(),
    explanation: z.string().nullable(),
    attempts: z.int(),
    error: z.string().nullable(),
    original_reason: z.string(),
  })
  .meta({ id: 'MaterializationSuggestion' })
export type MaterializationSuggestion = z.output<typeof MaterializationSuggestion>

export const MaterializationSuggestionDocs = (): SchemaDocs => ({
  description: 'Result of the model. Nothing is saved: send the query in an update to use it.',
  fields: {
    suggestion_status:
      '`ok`: the suggestion passes the checks. `cannot_fix`: the model found none. `invalid`: no suggestion passed; this is the last one. `model_error`: the model returned none.',
    suggested_query: 'The rewritten query, in HogQL; null where there is none.',
    explanation: "What was changed, or why nothing can be, in the model's words; null where it gives none.",
    attempts: 'Number of calls of the model, at most three.',
    error: 'Why the last suggestion was rejected, or why there is none; null on success.',
    original_reason: 'Why the current query cannot be materialized.',
  },
  example: {
    suggestion_status: 'cannot_fix',
    explanation: 'The rows depend on both sides of the OR, so no single column could stand for the variable.',
    attempts: 1,
    original_reason: REJECTION_EXAMPLE,
  },
})
