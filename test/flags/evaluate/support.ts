// What tests of test_evaluation share: people with a row of their own, and the parts of a response.
import { sql } from 'drizzle-orm'
import { persons } from '../../../drizzle'
import { createIds } from '../../../src/clock'
import { toStoredTimestamp } from '../../../src/timestamps'
import type { TestResponse } from '../../support/harness'
import { seen } from '../../support/responses'
import { database, type Tenant } from '../../support/tenant'

type Json = Record<string, unknown>

const ids = createIds()

/** A person with these properties, and an hour of life. */
export async function person(
  { projectId, clock }: Pick<Tenant, 'projectId' | 'clock'>,
  properties: Json,
  ...distinctIds: string[]
): Promise<{ id: number; uuid: string }> {
  const uuid = ids.uuid(clock.now())
  const createdAt = toStoredTimestamp(new Date(clock.now().getTime() - 3_600_000))
  const [row] = await database()
    .insert(persons)
    .values({ projectId, uuid, properties, createdAt })
    .returning({ id: persons.id })
  await database().run(sql`INSERT INTO person_distinct_ids (project_id, distinct_id, person_id)
    SELECT ${projectId}, value, ${row!.id} FROM json_each(${JSON.stringify(distinctIds)})`)
  return { id: row!.id, uuid }
}

/** The whole response to a test of a flag. */
export const responseTo = (tenant: Tenant, flag: { id: number }, body: unknown): Promise<TestResponse> =>
  tenant.post(tenant.flags(`${flag.id}/test_evaluation`), body)

/** Its status and body. */
export const tested = async (tenant: Tenant, flag: { id: number }, body: unknown) =>
  seen(await responseTo(tenant, flag, body))

/** What a flag that is on for everybody answers about `user-1`; tests say what is different. */
export const answered = (flagKey: string, fields: Json = {}) => ({
  status: 200,
  body: {
    flag_key: flagKey,
    result: true,
    reason: 'condition_match',
    reason_description: 'Matched condition set 1',
    condition_index: 0,
    payload: null,
    person_properties: {},
    evaluation_distinct_id: 'user-1',
    conditions: [matchedSet(0)],
    ...fields,
  },
})

/** The fields of a response when no condition set matched. */
export const UNMATCHED = {
  result: false,
  reason: 'no_condition_match',
  reason_description: 'No matching condition set',
}

/** A condition set whose properties do not hold. */
export const missedSet = (index: number, fields: Json = {}) => ({
  index,
  matched: false,
  properties_matched: false,
  explanation: `Condition set ${index + 1} did not match properties`,
  rollout_percentage: 100,
  rollout_excluded: false,
  variant: null,
  properties: [],
  ...fields,
})

/** The condition set that decided. */
export const matchedSet = (index: number, fields: Json = {}) =>
  missedSet(index, {
    matched: true,
    properties_matched: true,
    explanation: `Condition set ${index + 1} matched and passed 100% rollout`,
    ...fields,
  })

/** Cohort and flag properties show nothing of what they look at. */
export const lookedAt = (
  [key, operator, value, type]: [string, string, unknown, string],
  matched: boolean,
  explanation: string,
  actual: unknown = null,
) => ({ key, operator, value, type, actual_value: actual, matched, explanation })

/** The rejection of a request, and what goes wrong later. */
export const failed = (status: number, error: string) => ({ status, body: { error } })
