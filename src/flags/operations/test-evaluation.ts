import * as z from 'zod'
import { ErrorBody, ErrorText } from '../../http/error-body'
import { operation } from '../../http/operation'
import { FlagPath } from '../schema'
import { TestEvaluationResult } from '../test-evaluation/answer'
import { testNow } from '../test-evaluation/live'
import { testAt } from '../test-evaluation/past'
import { parseTestRequest, TestEvaluationBody } from '../test-evaluation/request'

const PersonMissing = z.object({ error: z.string(), detail: z.string() }).meta({ id: 'PersonMissing' })

export const testEvaluationOperation = operation({
  id: 'feature_flags_test_evaluation_create',
  method: 'post',
  path: '/api/projects/:project_id/feature_flags/:id/test_evaluation/',
  summary: 'See what a flag says for one person, now or at an earlier time, and why',
  description:
    'Send exactly one of `distinct_id` and `person_id`. An unknown distinct id is evaluated with no properties; an unknown person is ' +
    'a 404. A disabled flag answers false with the reason `flag_disabled`, a deleted one with `flag_not_found`. With `timestamp` the flag ' +
    'is rebuilt from its activity log and the person from captured events; cohorts, groups and other flags are taken as they are now. ' +
    'A person whose history is too long for that is a 400.',
  scope: 'feature_flag:read',
  keyRate: 'TEST_EVALUATION_RATE',
  params: FlagPath,
  body: TestEvaluationBody,
  refusals: 'error',
  responses: {
    200: TestEvaluationResult,
    400: ErrorText,
    404: z.union([ErrorBody, PersonMissing]),
    413: ErrorText,
    415: ErrorText,
    500: ErrorText,
    502: ErrorText,
    503: ErrorText,
  },
  async handle(context) {
    const request = parseTestRequest(context.body)
    return request.timestamp === null
      ? testNow(context, context.params.id, request)
      : testAt(context, context.params.id, request, request.timestamp)
  },
})
