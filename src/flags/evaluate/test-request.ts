// The body of test_evaluation: docs/reference/flags.md#test-evaluation.
import * as z from 'zod'
import { notGroupKey, typeWithoutKey } from '../../evaluation/groups'
import { text } from '../../http/fields'
import type { JsonObject } from '../../json'
import { parseTimestamp } from '../../timestamps'
import { cutIdentifier } from '../../evaluation/bucketing'
import { failure } from './evaluation-errors'

/** Fields of `/flags` that would have no effect here. */
const FOREIGN = ['person_properties', 'group_properties', 'anon_distinct_id'] as const

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
  .loose()
  .meta({ id: 'TestEvaluation' })

/** Maximum time that `timestamp` may be in the future. Callers' clocks differ, and some send their local time. */
const MAX_AHEAD_MS = 86_400_000

export type TestRequest = ReturnType<typeof parseTestRequest>

/** Checks the parts of the body against each other. `timestamp` is in stored form, and null means now. @throws 400 `{error}` */
export function parseTestRequest(body: z.output<typeof TestEvaluationBody>, now: Date) {
  const { distinct_id: distinctId, person_id: personId, device_id: deviceId = null } = body
  const foreign = FOREIGN.find((field) => Object.hasOwn(body, field))
  if (foreign) throw failure(400, `${foreign} has no effect: the stored person and groups are evaluated.`)
  if (distinctId !== undefined && personId !== undefined) {
    throw failure(400, 'Cannot provide both distinct_id and person_id')
  }
  const sent = body.timestamp ?? null
  const timestamp = sent === null ? null : parseTimestamp(sent)
  if (sent !== null && timestamp === null) throw failure(400, 'Invalid timestamp format.')
  if (timestamp !== null && Date.parse(timestamp) > now.getTime() + MAX_AHEAD_MS)
    throw failure(
      400,
      'timestamp is more than a day in the future: flags and people of that time are not known.',
    )
  const groups = (body.groups ?? {}) as JsonObject
  const type = typeWithoutKey(groups)
  if (type !== undefined) throw failure(400, notGroupKey(type))
  if (distinctId !== undefined) {
    const person = { distinctId: cutIdentifier(distinctId) }
    return { person, sentDistinctId: distinctId, deviceId, groups, timestamp }
  }
  if (personId !== undefined)
    return { person: { personId }, sentDistinctId: null, deviceId, groups, timestamp }
  throw failure(400, 'Either distinct_id or person_id must be provided')
}
