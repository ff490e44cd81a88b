// The body of test_evaluation (reference/flags-api.md §11).
import * as z from 'zod'
import { text } from '../../http/fields'
import type { JsonObject } from '../../json'
import { parseTimestamp } from '../../timestamps'
import { cutIdentifier } from '../../evaluation/bucketing'
import { failure } from './evaluation-errors'

export const TestEvaluationBody = z
  .object({
    distinct_id: text().optional(),
    person_id: text().optional(),
    device_id: text().nullable().optional(),
    timestamp: z.string().nullable().optional().meta({
      format: 'date-time',
    }),
    groups: z.record(z.string(), z.unknown()).optional().meta({ default: {} }),
  })
  .meta({ id: 'TestEvaluation' })

export type TestRequest = ReturnType<typeof parseTestRequest>

/**
 * Checks the parts of the body against each other. `timestamp` is in stored form; null: now.
 * @throws 400 `{error}`.
 */
export function parseTestRequest(body: z.output<typeof TestEvaluationBody>) {
  const { distinct_id: distinctId, person_id: personId, device_id: deviceId = null } = body
  if (distinctId !== undefined && personId !== undefined) {
    throw failure(400, 'Cannot provide both distinct_id and person_id')
  }
  const sent = body.timestamp ?? null
  const timestamp = sent === null ? null : parseTimestamp(sent)
  if (sent !== null && timestamp === null) throw failure(400, 'Invalid timestamp format.')
  const groups = (body.groups ?? {}) as JsonObject
  if (distinctId !== undefined) {
    const person = { distinctId: cutIdentifier(distinctId) }
    return { person, sentDistinctId: distinctId, deviceId, groups, timestamp }
  }
  if (personId !== undefined)
    return { person: { personId }, sentDistinctId: null, deviceId, groups, timestamp }
  throw failure(400, 'Either distinct_id or person_id must be provided')
}
