// The response of test_evaluation: the value of the flag, and the result of every condition and property.
import { failure } from './evaluation-errors'
import * as z from 'zod'
import type { CompiledFlagSet } from '../../evaluation/compile/compiled'
import type { Subject } from '../../evaluation/context'
import { explain } from '../../evaluation/explain/explain'
import { describeReason } from '../../evaluation/explain/reasons'
import type { FlagResult } from '../../evaluation/results'
import { shownPayload } from '../payloads'
import type { Viewer } from '../context'

export const TestEvaluationResult = z
  .object({
    flag_key: z.string(),
    result: z.union([z.boolean(), z.string()]),
    reason: z.string(),
    reason_description: z.string().nullable(),
    condition_index: z.int().nullable(),
    payload: z.unknown(),
    person_properties: z.record(z.string(), z.unknown()),
    evaluation_distinct_id: z.string().nullable(),
    conditions: z.array(
      z.object({
        index: z.int(),
        matched: z.boolean(),
        properties_matched: z.boolean(),
        explanation: z.string(),
        rollout_percentage: z.number(),
        rollout_excluded: z.boolean(),
        variant: z.string().nullable(),
        properties: z.array(
          z.object({
            key: z.string(),
            operator: z.string(),
            value: z.unknown(),
            type: z.string(),
            actual_value: z.unknown(),
            matched: z.boolean(),
            explanation: z.string(),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'TestEvaluationResult' })
export type TestEvaluationResult = z.output<typeof TestEvaluationResult>

/** Evaluates one flag and explains the result. @throws 502 for a cycle of dependencies; 500 when stored data cannot be parsed */
export async function testResult(
  set: CompiledFlagSet,
  flagKey: string,
  subject: Subject,
  at: { now: number; timezone: string },
  { viewer, distinctId, onFailure }: { viewer: Viewer; distinctId: string | null; onFailure: string },
): Promise<TestEvaluationResult> {
  const explained = explain(set, flagKey, subject, at)
  if (!explained) throw failure(502, 'Unexpected response format from flag evaluation service')
  const { result, conditions, personProperties } = explained
  if (isUnreadable(result)) throw failure(500, onFailure)
  return {
    flag_key: flagKey,
    result: result.value,
    reason: result.reason.code,
    reason_description: describeReason(result),
    condition_index: result.reason.condition_index,
    payload: typeof result.payload === 'string' ? await shownPayload(result.payload, viewer) : result.payload,
    person_properties: { ...personProperties },
    evaluation_distinct_id: distinctId,
    conditions: conditions.map((condition) => ({ ...condition, properties: [...condition.properties] })),
  }
}

/** Whether the stored flag itself is malformed. A missing cohort, or a cycle of cohorts, is reported as the reason instead. */
function isUnreadable({ reason: { code } }: FlagResult): boolean {
  return code === 'data_parsing_error' || code === 'cohort_filters_parsing_error'
}

/** The result for a deleted flag, which is not evaluated. */
export const deletedResult = (flagKey: string, distinctId: string | null): TestEvaluationResult => ({
  flag_key: flagKey,
  result: false,
  reason: 'flag_not_found',
  reason_description: null,
  condition_index: null,
  payload: null,
  person_properties: {},
  evaluation_distinct_id: distinctId,
  conditions: [],
})
