import { describe, expect, it } from 'vitest'
import { conditionsSource, RULES } from '../../../src/endpoints/materialization/analysis/rules'
import { createTenant } from '../../support/tenant'

const FOLDER = 'src/endpoints/materialization/analysis'
const FILES = import.meta.glob(['/src/endpoints/materialization/analysis/*.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

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

  it('ends with the source of the checks as it is in the files, the rules first', async () => {
    const tenant = await createTenant()
    const { body } = await tenant.get(tenant.endpoints('materialization_conditions'))
    const [list, source] = (body.conditions_source as string).split('\n\nThe source of the checks:\n\n')
    expect(list).toBe(conditionsSource())
    const names = Object.keys(FILES).map((path) => path.slice(path.lastIndexOf('/') + 1))
    const ordered = [...new Set(['rules.ts', 'reasons.ts', ...names.sort()])]
    expect(source).toBe(
      ordered.map((name) => `// ${FOLDER}/${name}\n${FILES[`/${FOLDER}/${name}`]!.trimEnd()}`).join('\n\n'),
    )
    for (const { id, requires } of RULES) {
      expect(source).toContain(`id: '${id}'`)
      expect(list).toContain(requires)
    }
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
