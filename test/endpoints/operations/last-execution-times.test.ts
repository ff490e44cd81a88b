import { beforeAll, describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { wasRun } from '../../support/endpoints/endpoints'
import { createTenant, type Tenant } from '../../support/tenant'

const ask = async (tenant: Tenant, body: unknown) =>
  seen(await tenant.post(tenant.endpoints('last_execution_times'), body))

const status = (tenant: Tenant, results: unknown) => ({
  status: 200,
  body: {
    query_status: {
      id: '',
      team_id: tenant.projectId,
      complete: true,
      error: false,
      error_message: null,
      results,
      query_async: true,
      start_time: null,
      end_time: null,
      pickup_time: null,
      expiration_time: null,
      task_id: null,
      insight_id: null,
      dashboard_id: null,
      labels: null,
      query_progress: null,
    },
  },
})

describe('POST endpoints/last_execution_times', () => {
  it('returns endpoints that were run, and leaves out the rest', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    for (const name of ['one', 'two', 'never', 'gone']) await tenant.endpoint({ name })
    await other.endpoint({ name: 'theirs' })
    await wasRun(tenant, 'one', '2026-03-09T08:00:00.000000Z')
    await wasRun(tenant, 'two', '2026-03-08T08:00:00.500000Z')
    await wasRun(tenant, 'gone', '2026-03-08T08:00:00.000000Z')
    await wasRun(other, 'theirs', '2026-03-08T08:00:00.000000Z')
    await tenant.delete(tenant.endpoints('gone'))
    expect(await ask(tenant, { names: ['two', 'one', 'never', 'gone', 'theirs', 'unknown', 'one'] })).toEqual(
      status(tenant, [
        ['one', '2026-03-09T08:00:00Z'],
        ['two', '2026-03-08T08:00:00.500000Z'],
      ]),
    )
    expect(await ask(tenant, { names: ['never'] })).toEqual(status(tenant, []))
  })

  describe('without a list of names', () => {
    let tenant: Tenant
    beforeAll(async () => {
      tenant = await createTenant()
    })

    it('has no results when it is empty', async () => {
      expect(await ask(tenant, { names: [] })).toEqual(status(tenant, null))
    })

    it.each(['', 'a b', '1', "a'; DROP TABLE endpoints; --"])('rejects the name %j', async (name) => {
      expect(await ask(tenant, { names: ['fine', name] })).toEqual(
        refused('names', `Invalid endpoint name: ${name}`),
      )
    })

    it.each([{}, { names: null }])('requires names: %j', async (body) => {
      expect(await ask(tenant, body)).toEqual(refused('names', 'This field is required.', 'required'))
    })

    it.each([{ names: 'one' }, { names: [1] }, { names: [], odd: 1 }])('cannot read %j', async (body) => {
      expect(await ask(tenant, body)).toMatchObject({
        status: 400,
        body: { code: 'parse_error', detail: expect.stringMatching(/^JSON parse error - /) },
      })
    })
  })
})
