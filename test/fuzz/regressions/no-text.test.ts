// Objects of which JavaScript can make neither text nor a number, because they have members in the place of the functions that would: wherever
// one stands in a body, the response is a rejection or the thing itself, and never a crash.
import { describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { personOf } from '../../support/capture'
import { hogql, trends } from '../../support/endpoints/endpoints'
import { inCohort, where } from '../../support/filters'
import { cohort } from '../../support/database/rows'
import { createTenant } from '../../support/tenant'

const NO_TEXT = { toString: 'a', valueOf: 1 }

describe('capture', () => {
  it('unsets names that are texts or numbers, and no others', async () => {
    const tenant = await createTenant()
    const send = (properties: object) =>
      tenant.send('POST', '/batch/', {
        body: { api_key: tenant.projectToken, batch: [{ event: '$set', distinct_id: 'ada', properties }] },
      })
    await send({ $set: { plan: 'free', 7: 'seven', kept: true } })
    const response = await send({ $unset: [NO_TEXT, [NO_TEXT], null, 'plan', 7] })
    const ignored = {
      index: 0,
      attr: 'properties__$unset',
      detail: 'Expected a list of names; others are ignored.',
    }
    expect(seen(response)).toEqual({ status: 200, body: { status: 'Ok', errors: [ignored] } })
    expect((await personOf(tenant, 'ada'))!.properties).toEqual({ kept: true })
  })
})

describe('an endpoint', () => {
  const retention = (entity: object) => ({
    kind: 'RetentionQuery',
    retentionFilter: { targetEntity: entity },
  })

  it.each<[string, object, string]>([
    ['type', retention({ type: NO_TEXT }), 'query.retentionFilter.targetEntity.type: Not a valid string.'],
    ['id', retention({ id: NO_TEXT }), 'query.retentionFilter.targetEntity.id: Invalid input'],
    ['name', retention({ name: NO_TEXT }), 'query.retentionFilter.targetEntity.name: Not a valid string.'],
    [
      'filters',
      retention({ properties: 5 }),
      'query.retentionFilter.targetEntity.properties: Expected a list of items but got an integer.',
    ],
    [
      'formula',
      trends({ trendsFilter: { formulaNodes: [{ formula: NO_TEXT }] } }),
      'query.trendsFilter.formulaNodes.0.formula: Not a valid string.',
    ],
  ])('is refused with such a %s', async (_, query, detail) => {
    const tenant = await createTenant()
    expect(seen(await tenant.post(tenant.endpoints(), { name: 'sample', query }))).toEqual({
      status: 400,
      body: {
        type: 'invalid_request',
        code: 'parse_error',
        detail: `JSON parse error - ${detail}`,
        attr: null,
      },
    })
  })

  it('takes one for a value that is stored', async () => {
    const tenant = await createTenant()
    const query = hogql('SELECT count() FROM events', { values: { b: NO_TEXT } })
    const { status, body } = await tenant.post(tenant.endpoints(), { name: 'sample', query })
    expect({ status, values: body.query.values }).toEqual({ status: 201, values: { b: NO_TEXT } })
  })
})

describe('a flag', () => {
  it.each(['in', 'not_in', 'exact', 'is_set', null])(
    'is rejected when its cohort is one: %s',
    async (operator) => {
      const tenant = await createTenant()
      const filters = where(inCohort(NO_TEXT, { operator }))
      expect(seen(await tenant.post(tenant.flags(), { key: 'sample', filters }))).toEqual(
        refused(
          'filters',
          'Cohort with id {"toString":"a","valueOf":1} does not exist',
          'cohort_does_not_exist',
        ),
      )
    },
  )
})

describe('the feed of definitions', () => {
  it('is not kept from any person by a cohort that uses one', async () => {
    const tenant = await createTenant()
    const leaf = { key: 'id', type: 'cohort', value: NO_TEXT }
    const id = await cohort(tenant, [leaf])
    await tenant.flag({ filters: where(inCohort(id)) })
    const { status, body } = await tenant.get('/api/feature_flag/local_evaluation/?send_cohorts')
    expect({ status, cohorts: body.cohorts }).toEqual({
      status: 200,
      cohorts: { [id]: { type: 'OR', values: [{ type: 'AND', values: [leaf] }] } },
    })
  })
})
