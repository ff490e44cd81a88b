// What the variables of a run are (docs/reference/endpoints.md#variables-of-a-run).
import { beforeEach, describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { configureProject } from '../../support/database/rows'
import { linesOf, run, withVariable } from '../../support/endpoints/runs'
import {
  compiledVersion,
  hogql,
  numbers,
  savedVariable,
  storedEndpoint,
  type StoredVersion,
} from '../../support/endpoints/saved-queries'
import { createTenant, type Tenant } from '../../support/tenant'

let tenant: Tenant
beforeEach(async () => {
  tenant = await createTenant()
})

describe('variables', () => {
  const valueFor = async (version: StoredVersion, variables?: object | null) => {
    const { name } = await storedEndpoint(tenant, version)
    const response = await run(tenant, name, { variables })
    return response.status === 200 ? response.body.results[0][0] : seen(response)
  }

  it('have the value of the request, else the one that the query holds', async () => {
    expect(await valueFor(withVariable, { v: 'sent' })).toBe('sent')
    expect(await valueFor(withVariable, {})).toBe('stored')
    expect(await valueFor(withVariable, null)).toBe('stored')
    expect(await valueFor(withVariable, { v: null })).toBe(null)
  })

  it('have the default of the saved variable where the query holds nothing, and answers are not kept then', async () => {
    const variable = await savedVariable(tenant, 'v', 'String', 'default')
    const version = {
      ...withVariable,
      query: hogql('SELECT {variables.v}', { [variable.variableId]: variable }),
    }
    const { name } = await storedEndpoint(tenant, version)
    for (const _ of [1, 2])
      expect((await run(tenant, name)).body).toMatchObject({ results: [['default']], is_cached: false })
    for (const isCached of [false, true]) {
      expect((await run(tenant, name, { variables: { v: 'sent' } })).body).toMatchObject({
        results: [['sent']],
        is_cached: isCached,
      })
    }
  })

  it('are missing without a value anywhere', async () => {
    const variable = await savedVariable(tenant, 'v')
    const query = hogql('SELECT {variables.v}', { [variable.variableId]: variable })
    expect(await valueFor({ ...withVariable, query })).toEqual(
      refused(null, 'Variable v is missing from query'),
    )
  })

  it('that do not fit are rejected by name, without their value', async () => {
    const { name, id } = await storedEndpoint(tenant, withVariable)
    expect(seen(await run(tenant, name, { variables: { v: ['secret'] } }))).toEqual(
      refused('variables', "Variable 'v' must be a string here: IN takes a list."),
    )
    expect(await linesOf(id)).toEqual([
      'ERROR Endpoint execution failed · path=inline duration_ms=N version=1 error=invalid_input',
    ])
  })

  it('of the type Date are dates or date-times, also where the query takes any text', async () => {
    const { id } = await tenant.variable({ name: 'd', type: 'Date' })
    const source = { kind: 'HogQLQuery', query: 'SELECT {variables.d}, toDateTime({variables.d}) IS NULL' }
    const { name } = await tenant.endpoint({ query: source })
    const unfit = refused('variables', "Variable 'd' must be a date or a date-time in ISO 8601.")
    const held = { code_name: 'd', variableId: id }
    for (const d of ['2026-02-30', 'nope', '', 5, true, ['2026-02-28']]) {
      expect(seen(await run(tenant, name, { variables: { d } }))).toEqual(unfit)
      const query = { ...source, variables: { [id]: { ...held, value: d } } }
      expect(seen(await tenant.post(`/api/projects/${tenant.projectId}/query/`, { query }))).toEqual(unfit)
      const { name: holding } = await tenant.endpoint({ query })
      expect(seen(await run(tenant, holding))).toEqual(unfit)
    }
    for (const d of ['2026-02-28', '2026-02-28T12:00:00Z', null])
      expect((await run(tenant, name, { variables: { d } })).body.results).toEqual([[d, Number(d === null)]])
  })

  it('are read in the time zone of the project, and so are results', async () => {
    await configureProject(tenant, { timezone: 'America/New_York' })
    const moments = numbers({
      sql: "SELECT ?1 AS c0, ?1 || '' AS c1, ?2 AS c2, ?3 AS c3, ?4 AS c4, ?5 AS c5 LIMIT ?6 OFFSET ?7",
      parameters: [
        { kind: 'variable', name: 'v', type: { kind: 'datetime', nullable: true } },
        { kind: 'variable', name: 'v', type: { kind: 'date', nullable: true } },
        { kind: 'variable', name: 'v', type: { kind: 'string', nullable: true } },
        { kind: 'clock', which: 'now' },
        { kind: 'clock', which: 'today' },
        { kind: 'limit' },
        { kind: 'offset' },
      ],
      columns: ['datetime', 'string', 'date', 'string', 'datetime', 'date'].map((kind, place) => ({
        name: `m${place}`,
        type: { kind: kind as 'date', nullable: true },
      })),
    })
    const { name } = await storedEndpoint(tenant, {
      ...withVariable,
      compiled: compiledVersion(moments, 'America/New_York'),
    })
    tenant.clock.advance({ hours: 14, seconds: 1.234 })
    expect((await run(tenant, name, { variables: { v: '2026-01-31 23:30' } })).body).toMatchObject({
      results: [
        [
          '2026-01-31T23:30:00-05:00',
          '2026-02-01T04:30:00.000000Z',
          '2026-01-31',
          '2026-01-31 23:30',
          '2026-03-10T22:00:01-04:00',
          '2026-03-10',
        ],
      ],
      timezone: 'America/New_York',
    })
  })
})
