import * as z from 'zod'
import { person } from '../../http/docs/examples'
import type { OperationDocs, SchemaDocs } from '../../http/docs/operation-docs'
import { ErrorText } from '../../http/error-body'
import { text } from '../../http/fields'
import { operation } from '../../http/operation'
import { evaluationReasons } from '../evaluate/evaluation-reasons'
import {
  CONDITION_INDEX_DESCRIPTION,
  GROUPS_DESCRIPTION,
  reasonCodes,
  VALUE_DESCRIPTION,
} from '../evaluate/reason-codes'
import { FLAG_KEY } from '../examples'

export const EvaluationReason = z
  .object({
    value: z.union([z.boolean(), z.string()]),
    evaluation: z.object({
      reason: z.string(),
      condition_index: z.int().nullable(),
      description: z.string().nullable().optional(),
    }),
  })
  .meta({ id: 'EvaluationReason' })

const reasonExample = () => ({
  value: true,
  evaluation: { reason: 'condition_match', condition_index: 0, description: 'Matched condition set 1' },
})

export const EvaluationReasonDocs = (): SchemaDocs => ({
  description: 'The value of a flag for one person, and its reason.',
  fields: {
    value: VALUE_DESCRIPTION,
    evaluation: 'What decided.',
    'evaluation.reason': `Code: ${reasonCodes()}, or \`disabled\` for a disabled flag.`,
    'evaluation.condition_index': CONDITION_INDEX_DESCRIPTION,
    'evaluation.description': 'The reason in English; null when evaluation failed, absent with `disabled`.',
  },
  example: reasonExample(),
})

const EvaluationReasonsQuery = z.object({
  distinct_id: text(),
  groups: z.string().default('{}'),
  device_id: text().optional(),
  flag_keys: z.string().optional(),
})

export const evaluationReasonsOperation = operation({
  id: 'feature_flags_evaluation_reasons_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/feature_flags/evaluation_reasons/',
  summary: 'Evaluate all flags for one person, with reasons',
  description: 'By flag key. Disabled flags have the reason `disabled`.',
  scope: 'feature_flag:read',
  query: EvaluationReasonsQuery,
  repeatable: ['flag_keys'],
  responses: { 200: z.record(z.string(), EvaluationReason), 500: ErrorText, 503: ErrorText },
  handle: (context) =>
    evaluationReasons(context, context.query, context.url.searchParams.getAll('flag_keys')),
})

export const evaluationReasonsDocs = (): OperationDocs => ({
  parameters: {
    distinct_id: {
      description: 'A distinct id of the person. An unknown one has no properties.',
      example: person.distinct_id,
    },
    groups: GROUPS_DESCRIPTION,
    device_id: 'For flags bucketed by device. Default: its `$device_id`.',
    flag_keys:
      'Keys: with commas, as JSON list, or repeated; with enabled flags that they depend on. Default all.',
  },
  response: {
    example: {
      [FLAG_KEY]: reasonExample(),
      'old-banner': { value: false, evaluation: { reason: 'disabled', condition_index: null } },
    },
  },
  tool: { name: 'feature-flags-evaluation-reasons-retrieve' },
  sample: { query: { distinct_id: 'user-1' } },
})
