import * as z from 'zod'
import { person } from '../../http/docs/examples'
import type { OperationDocs, SchemaDocs } from '../../http/docs/operation-docs'
import { ErrorText } from '../../http/error-body'
import { operation } from '../../http/operation'
import { CONDITION_INDEX_DESCRIPTION, reasonCodes, VALUE_DESCRIPTION } from '../evaluate/reason-codes'
import { conditionSetExample, FLAG_KEY, flagParameter } from '../examples'
import { FlagPath } from '../schema'
import { TestEvaluationResult } from '../evaluate/test-result'
import { parseTestRequest, TestEvaluationBody } from '../evaluate/test-request'

export const PersonMissing = z.object({ error: z.string(), detail: z.string() }).meta({ id: 'PersonMissing' })

export const PersonMissingDocs = (): SchemaDocs => {
  const message = 'Person not found for person_id: 019d4d6b-2c10-7a55-8f0e-4b9d1c6e7a21'
  return {
    description: 'There is no such person. Clients read one or the other member.',
    fields: { error: 'Reason in English.', detail: 'The same.' },
    example: { error: message, detail: message },
  }
}

export const testEvaluationOperation = operation({
  id: 'feature_flags_test_evaluation_create',
  method: 'post',
  path: '/api/projects/:project_id/feature_flags/:id/test_evaluation/',
  summary: 'Evaluate a flag for one person, now or at an earlier time, with reasons',
  description:
    'Send one of `distinct_id` and `person_id`. A disabled flag is false with the reason `flag_disabled`, a deleted one with `flag_not_found`. With `timestamp` the flag ' +
    'and the flags and cohorts that it looks at are rebuilt from their activity logs, the person and groups from captured events; ' +
    'members of cohorts are current. A history with a gap is a 400.',
  scope: 'feature_flag:read',
  keyRate: 'TEST_EVALUATION_RATE',
  params: FlagPath,
  body: TestEvaluationBody,
  errorForm: 'error',
  responses: {
    200: TestEvaluationResult,
    400: ErrorText,
    404: PersonMissing,
    500: ErrorText,
    502: ErrorText,
    503: ErrorText,
  },
  async handle(context) {
    const request = parseTestRequest(context.body, context.deps.clock.now())
    if (request.timestamp === null) {
      const { testNow } = await import('../evaluate/test-now')
      return testNow(context, context.params.id, request)
    }
    const { testAt } = await import('../evaluate/test-past')
    return testAt(context, context.params.id, request, request.timestamp)
  },
})

export const testEvaluationDocs = (): OperationDocs => ({
  parameters: flagParameter(),
  body: {
    isRequired: true,
    description: 'The person, and the time. Send one of `distinct_id` and `person_id`.',
    fields: {
      distinct_id: 'A distinct id of the person. An unknown one stands for a person without properties.',
      person_id: 'Uuid of the person. An unknown one is a 404.',
      device_id: 'For flags bucketed by device. Default, and null: `$device_id` of the person.',
      timestamp:
        'Time of evaluation (ISO 8601, default UTC); flags, person and groups are rebuilt, without `people_only` events. At most a day ahead. Default, and null: now.',
      groups: 'Groups of the person: group key by name of the group type. Default none.',
    },
    example: { distinct_id: person.distinct_id },
  },
  response: {
    description: 'The value of a flag for one person, and the result of every condition set.',
    fields: {
      flag_key: 'Key of the flag.',
      result: VALUE_DESCRIPTION,
      reason: `Code of what decided: ${reasonCodes()}, or \`flag_not_found\` for a deleted flag.`,
      reason_description: 'The reason in English; null for a deleted flag.',
      condition_index: CONDITION_INDEX_DESCRIPTION,
      payload:
        'Payload of the result, as JSON text; null for none. Encrypted payloads are shown to API keys only.',
      person_properties: 'The properties of the person that the flag uses, with the values used.',
      evaluation_distinct_id: 'The distinct id that was sent; null with `person_id`.',
      conditions:
        'All condition sets in the order of the filters, also those after the decision. Empty for a disabled flag.',
      'conditions.index': 'Index in the filters, from 0.',
      'conditions.matched': 'Whether it decided.',
      'conditions.properties_matched': 'Whether all of its properties hold, whatever its percentage.',
      'conditions.explanation': 'Result in English.',
      'conditions.rollout_percentage': 'Its percentage, 0 to 100.',
      'conditions.rollout_excluded': 'Whether its properties hold, and its percentage excludes the person.',
      'conditions.variant': 'Variant that it assigns; null for that of the bucket.',
      'conditions.properties': 'All of its properties.',
      'conditions.properties.key': 'Name of the property; for a flag its id, as text.',
      'conditions.properties.operator': 'Operator as stored.',
      'conditions.properties.value': 'Value to compare with; null when the operator needs none.',
      'conditions.properties.type': 'What it tests: `person`, `group`, `cohort` or `flag`.',
      'conditions.properties.actual_value':
        'Value of the person or group; null for none, and for cohorts and flags.',
      'conditions.properties.matched': 'Whether it holds.',
      'conditions.properties.explanation': 'Comparison in English.',
    },
    example: {
      flag_key: FLAG_KEY,
      result: true,
      reason: 'condition_match',
      reason_description: 'Matched condition set 1',
      condition_index: 0,
      person_properties: person.properties,
      evaluation_distinct_id: person.distinct_id,
      conditions: [
        {
          index: 0,
          matched: true,
          properties_matched: true,
          explanation: 'Condition set 1 matched and passed 100% rollout',
          rollout_percentage: 100,
          properties: [
            {
              ...conditionSetExample(100).properties[0],
              actual_value: person.properties.email,
              matched: true,
              explanation: `Property 'email' contains "@example.com"`,
            },
          ],
        },
      ],
    },
  },
  tool: { name: 'feature-flags-test-evaluation-create' },
})
