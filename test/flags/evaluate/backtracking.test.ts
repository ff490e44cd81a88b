// Patterns that backtrack, from writing a flag to its result.
import { describe, expect, it } from 'vitest'
import { ask, valuesOf } from '../../sdk/flags-support'
import { property, where } from '../../support/filters'
import { createTenant } from '../../support/tenant'

const flagWith = (operator: string, value: string) => ({
  key: 'patterned',
  filters: where(property({ operator, value })),
})

describe('a flag with a pattern that backtracks', () => {
  it('is evaluated by every operation', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag(flagWith('regex', '^(?!.*@example\\.com$)(.)\\1'))
    const results = []
    for (const email of ['aab@other.com', 'aab@example.com', 'ab@other.com'])
      results.push(valuesOf(await ask(tenant, { person_properties: { email } })).patterned)
    expect(results).toEqual([true, false, false])
    const { status, body } = await tenant.post(tenant.flags('user_blast_radius'), {
      condition: { properties: flag.filters.groups[0].properties },
    })
    expect([status, body]).toMatchObject([200, { affected: 0 }])
  })

  it.each(['regex', 'not_regex'])(
    'does not match past its steps, and test_evaluation reports it: %s',
    async (operator) => {
      const tenant = await createTenant()
      const flag = await tenant.flag(flagWith(operator, '^(?=(a+)+$)\\1'))
      const email = `${'a'.repeat(60)}!`
      expect(valuesOf(await ask(tenant, { person_properties: { email } })).patterned).toBe(false)
      await tenant.send('POST', '/batch/', {
        body: {
          api_key: tenant.projectToken,
          batch: [{ event: '$set', distinct_id: 'ada', properties: { $set: { email } } }],
        },
      })
      const { body } = await tenant.post(tenant.flags(`${flag.id}/test_evaluation`), { distinct_id: 'ada' })
      expect(body.conditions[0].properties[0]).toMatchObject({
        matched: false,
        explanation: expect.stringContaining(
          '(the regular expression takes too many steps on this value, so it does not match)',
        ),
      })
    },
  )
})
