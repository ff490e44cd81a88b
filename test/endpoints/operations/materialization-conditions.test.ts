import { describe, expect, it } from 'vitest'
import { RULES } from '../../../src/endpoints/materialization/analysis/rules'
import { createTenant } from '../../support/tenant'

describe('GET endpoints/materialization_conditions', () => {
  it('lists every rule of the checks, in their order, and the contract', async () => {
    const tenant = await createTenant()
    const { status, body } = await tenant.get(tenant.endpoints('materialization_conditions'))
    expect([status, Object.keys(body)]).toEqual([200, ['conditions_source', 'rewrite_contract']])
    const places = RULES.map(({ requires }) => body.conditions_source.indexOf(requires))
    expect(places.every((place) => place >= 0)).toBe(true)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(body.rewrite_contract.split('\n')).toHaveLength(5)
    expect(body.rewrite_contract).toContain('{variables.<code_name>}')
  })

  it('returns the same inside the environment, and for a project without endpoints', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const path = tenant.endpoints('materialization_conditions').replace('/projects/', '/environments/')
    expect((await tenant.get(path)).body).toEqual(
      (await other.get(other.endpoints('materialization_conditions'))).body,
    )
  })

  it('is a reserved name', async () => {
    const tenant = await createTenant()
    const { status } = await tenant.post(tenant.endpoints(), {
      name: 'materialization_conditions',
      query: { kind: 'HogQLQuery', query: 'SELECT 1' },
    })
    expect(status).toBe(400)
  })
})
