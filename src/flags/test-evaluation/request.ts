// What test_evaluation is asked: for whom, and at which moment (reference/flags-api.md §11).
import * as z from 'zod'
import type { PersonReference } from '../../analytics/subject'
import { text } from '../../http/fields'
import type { JsonObject } from '../../json'
import { parseTimestamp } from '../../timestamps'
import { failure } from '../evaluation-faults'

export const TestEvaluationBody = z
  .object({
    distinct_id: text().optional(),
    person_id: text().optional(),
    timestamp: z.string().nullable().optional().meta({
      format: 'date-time',
    }),
    groups: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'TestEvaluation' })

export interface TestRequest {
  person: PersonReference
  groups: JsonObject
  /** Stored form; null: now. */
  timestamp: string | null
}

/**
 * Checks what the body's parts have to say about each other.
 * @throws 400 `{error}`.
 */
export function parseTestRequest(body: z.output<typeof TestEvaluationBody>): TestRequest {
  const { distinct_id: distinctId, person_id: personId } = body
  if (distinctId !== undefined && personId !== undefined) {
    throw failure(400, 'Cannot provide both distinct_id and person_id')
  }
  const moment = body.timestamp ?? null
  const timestamp = moment === null ? null : parseTimestamp(moment)
  if (moment !== null && timestamp === null) throw failure(400, 'Invalid timestamp format.')
  const groups = (body.groups ?? {}) as JsonObject
  if (distinctId !== undefined) return { person: { distinctId }, groups, timestamp }
  if (personId !== undefined) return { person: { personId }, groups, timestamp }
  throw failure(400, 'Either distinct_id or person_id must be provided')
}
