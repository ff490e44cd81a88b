// Whatever the body is, the response is one of those that the specification lists, and in its form.
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { inCohort, property, variants } from '../../support/filters'
import { cohort } from '../../support/database/rows'
import { propertyRuns } from '../../support/property-runs'
import { createTenant } from '../../support/tenant'
import { person, tested } from './support'

const anything = fc.oneof(
  fc.json().map((text) => JSON.parse(text) as unknown),
  fc.string({ unit: 'binary' }),
)
const some = (...usual: unknown[]) => fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...usual) }, anything)

const bodies = fc.oneof(
  { weight: 1, arbitrary: anything },
  {
    weight: 6,
    arbitrary: fc.record(
      {
        distinct_id: some('user-1', 'nobody', '\u0000', '\ud800', 'é'.repeat(500)),
        person_id: some('user-1', ''),
        timestamp: some(
          null,
          '2026-03-10',
          '0001-01-01',
          '9999-12-31T23:59:59.999999Z',
          '2026-03-10T12:00:00+14:00',
        ),
        groups: fc.oneof(fc.constant({ company: 'acme' }), fc.dictionary(fc.string(), anything), anything),
      },
      { requiredKeys: ['distinct_id'] },
    ),
  },
)

it('POST test_evaluation answers any body in the words of the specification', async () => {
  const tenant = await createTenant()
  await person(tenant, { email: 'ada@example.com' }, 'user-1')
  const rule = await cohort(tenant, [property()])
  const groups = [
    { properties: [property(), inCohort(rule)], rollout_percentage: 50 },
    { rollout_percentage: 50 },
  ]
  const flag = await tenant.flag({ key: 'beta', filters: { ...variants({ red: 50, blue: 50 }), groups } })
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const response = await tested(tenant, flag, body)
      statuses.add(response.status)
      if (response.status === 200) {
        expect(response.body).toMatchObject({ flag_key: 'beta', conditions: [{ index: 0 }, { index: 1 }] })
        return
      }
      expect([400, 404]).toContain(response.status)
      expect(response.body.error).toEqual(expect.any(String))
    }),
    // The first is valid, so that an evaluation is among the responses.
    { numRuns: propertyRuns(50, 300), examples: [[{ distinct_id: 'user-1' }]] },
  )
  expect(statuses).toContain(200)
}, 30_000)
