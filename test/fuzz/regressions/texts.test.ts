// Texts that mean something to what the service is made of: halves of characters to the database, names of inherited members to JavaScript.
import { describe, expect, it } from 'vitest'
import { setLevel } from '../../support/tenant'
import { refused, seen } from '../../support/responses'
import { event, sendEach } from '../../support/capture'
import { trends } from '../../support/endpoints/endpoints'
import { createMaterializingTenant } from '../../support/endpoints/materialization'

describe('a workspace', () => {
  it.each([
    ['\ud800', 'Surrogate characters are not allowed: U+D800.', 'surrogate_characters_not_allowed'],
    ['T\u0000', 'Null characters are not allowed.', 'null_characters_not_allowed'],
  ])('is refused where the database would keep another id: %j', async (id, detail, code) => {
    const tenant = await createMaterializingTenant()
    await setLevel(tenant, 8)
    const path = `/api/projects/${tenant.projectId}/integrations/`
    const response = await tenant.post(path, { kind: 'chat', config: { chat_team_id: id } })
    expect(seen(response)).toEqual(refused('config__chat_team_id', detail, code))
    expect((await tenant.get(path)).body).toEqual({ results: [] })
  })
})

describe('a breakdown by what every object has', () => {
  it.each(['constructor', 'toString'])('runs: %s', async (property) => {
    const tenant = await createMaterializingTenant()
    await sendEach(tenant, [
      { ...event('ada'), properties: Object.fromEntries([[property, 'x']]) },
      event('grace'),
    ])
    const query = trends({
      series: [{ event: 'opened' }],
      breakdownFilter: { breakdown: property },
      trendsFilter: { display: 'ActionsTable' },
    })
    await tenant.endpoint({ name: 'by', query })
    const run = async (body: object = {}) => {
      const response = await tenant.post(tenant.endpoints('by/run'), body)
      const groups = response.body.results?.map((row: Record<string, unknown>) => [
        row.breakdown_value,
        row.aggregated_value,
      ])
      return { status: response.status, groups: groups ?? response.body }
    }
    const everybody = { status: 200, groups: expect.arrayContaining([['x', 1]]) }
    expect(await run()).toEqual(everybody)

    // Rows that are kept want the variable, and only from whoever runs them.
    await tenant.patch(tenant.endpoints('by'), { is_materialized: true })
    await tenant.consume()
    expect(await run({ refresh: 'force' })).toEqual({
      status: 400,
      groups: refused('variables', `Required variable(s) '${property}' not provided`).body,
    })
    const chosen = Object.fromEntries([[property, 'x']])
    expect(await run({ refresh: 'force', variables: chosen })).toEqual({ status: 200, groups: [['x', 1]] })
  })
})
