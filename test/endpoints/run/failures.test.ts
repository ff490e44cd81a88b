// Runs that the database does not take.
import { beforeEach, describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { linesOf, run } from '../../support/endpoints/runs'
import {
  compiledVersion,
  numbers,
  storedEndpoint,
  type StoredVersion,
} from '../../support/endpoints/saved-queries'
import { createTenant, type Tenant } from '../../support/tenant'

let tenant: Tenant
beforeEach(async () => {
  tenant = await createTenant()
})

describe('errors of the database', () => {
  const failing = (expression: string): StoredVersion => ({
    compiled: compiledVersion(
      numbers({
        sql: `SELECT ${expression} AS c0 LIMIT ?1 OFFSET ?2`,
        parameters: [{ kind: 'limit' }, { kind: 'offset' }],
      }),
    ),
  })

  it.each([
    [
      'abs(-9223372036854775808)',
      'integer_overflow',
      'A number in this query is too large: integer overflow.',
    ],
    [
      "json_extract('{', '$.a')",
      'invalid_json',
      'A JSON function in this query was given text that is not JSON.',
    ],
    [
      'hex(zeroblob(1500000000))',
      'query_too_large',
      'The result of this query is too large. Select fewer columns, aggregate more, or ask for fewer rows with limit.',
    ],
    [
      "(SELECT count(*) FROM json_each('[\"a\"]') WHERE value LIKE printf('%.*c', 60, '%'))",
      'pattern_too_complex',
      'A pattern of LIKE in this query is longer than 50 bytes.',
    ],
  ])('%s is a 400 with the code %s', async (expression, code, detail) => {
    const { name, id } = await storedEndpoint(tenant, failing(expression))
    expect(seen(await run(tenant, name))).toEqual(refused(null, detail, code))
    expect(await linesOf(id)).toEqual([
      `ERROR Endpoint execution failed · path=inline duration_ms=N version=1 error=${code}`,
    ])
  })

  it('is a 400 when there is more than a response can hold', async () => {
    const much = numbers({
      sql: "SELECT hex(zeroblob(500000)) AS c0 FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]') LIMIT ?1 OFFSET ?2",
      parameters: [{ kind: 'limit' }, { kind: 'offset' }],
    })
    const { name } = await storedEndpoint(tenant, { compiled: compiledVersion(much) })
    expect(seen(await run(tenant, name))).toMatchObject({ status: 400, body: { code: 'query_too_large' } })
    expect((await run(tenant, name, { limit: 16 })).status).toBe(200)
  })

  it('is a 500 for a fault of the service, without details', async () => {
    const { name, id } = await storedEndpoint(tenant, failing('no_such_column'))
    const response = await run(tenant, name)
    expect(seen(response)).toEqual({
      status: 500,
      body: { type: 'server_error', code: 'error', detail: 'A server error occurred.', attr: null },
    })
    expect(response.line.error).toContain('no_such_column')
    expect(await linesOf(id)).toEqual([
      'ERROR Endpoint execution failed · path=inline duration_ms=N version=1 error=Error',
    ])
  })
})
