// The number of a version, wherever a caller says it: one spelling is good everywhere or nowhere.
import { beforeAll, describe, expect, it } from 'vitest'
import { checkVersion } from '../../../src/endpoints/field-checks'
import { createTenant, type Tenant } from '../../support/tenant'

let tenant: Tenant
let name: string
beforeAll(async () => {
  tenant = await createTenant()
  name = (await tenant.endpoint()).name
})

/** The status of each way to send a body with a version. The model is asked for nothing: nobody allowed that. */
const inBodies = async (version: unknown) => {
  const path = (verb: string) => tenant.endpoints(`${name}${verb}`)
  const responses = await Promise.all([
    tenant.patch(path(''), { version }),
    tenant.post(path('/run'), { version }),
    tenant.post(path('/materialization_preview'), { version }),
    tenant.post(path('/materialization_suggestion'), { version }),
  ])
  return responses.map(({ status }) => status)
}

/** The same of a version in the query string. */
const inQueries = async (version: string) => {
  const query = `?${new URLSearchParams({ version })}`
  const responses = await Promise.all([
    tenant.get(`${tenant.endpoints(name)}${query}`),
    tenant.get(`${tenant.endpoints(`${name}/materialization_status`)}${query}`),
    tenant.get(`${tenant.endpoints(`${name}/openapi.json`)}${query}`),
    tenant.get(`${tenant.endpoints(`${name}/run`)}${query}`),
    tenant.patch(`${tenant.endpoints(name)}${query}`, {}),
  ])
  return responses.map(({ status }) => status)
}

describe('a version', () => {
  it.each([1, '1', ' 1 ', '+1', '01'])('may be %j', (version) => {
    expect(checkVersion(version)).toBe(1)
  })

  it.each([1.5, true, [], {}, '', 'abc', '1.5', '1e0', '0x1', '1 1', '1'.repeat(16)])(
    'is not %j',
    (version) => {
      const shown = typeof version === 'string' ? version : JSON.stringify(version)
      expect(() => checkVersion(version)).toThrow(
        expect.objectContaining({ attr: 'version', detail: `Must be an integer, got: ${shown}` }),
      )
    },
  )

  it('is spelled alike in each operation', async () => {
    for (const version of [1, ' +01 ']) expect(await inBodies(version)).toEqual([200, 200, 200, 403])
    expect(await inQueries(' +01 ')).toEqual([200, 200, 200, 200, 200])
    for (const version of [[], '', '0x1']) expect(await inBodies(version)).toEqual([400, 400, 400, 400])
    for (const version of ['', '0x1']) expect(await inQueries(version)).toEqual([400, 400, 400, 400, 400])
  })

  it('is the current one for null, which a preview does not take', async () => {
    expect(await inBodies(null)).toEqual([200, 200, 400, 403])
  })
})
