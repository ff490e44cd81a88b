// Who is in a cohort, and what uses it.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { MAX_EVALUATED } from '../../../src/flags/cohorts/list-members'
import { event, sendEach } from '../../support/capture'
import { inCohort, where } from '../../support/filters'
import { createHarness } from '../../support/harness'
import { NOT_FOUND, seen } from '../../support/responses'
import { cohort } from '../../support/database/rows'
import { createTenant, type Tenant } from '../../support/tenant'

const at = ({ projectId }: Pick<Tenant, 'projectId'>, rest: string) => `/api/projects/${projectId}/${rest}`
const onPlan = (value: string) => ({ type: 'person', key: 'plan', operator: 'exact', value })

async function people(tenant: Tenant, plans: Readonly<Record<string, string>>) {
  for (const [name, plan] of Object.entries(plans))
    await sendEach(tenant, [event(name, { $set: { plan, name } })])
}

/** Names on each page. */
async function pagesOf(tenant: Tenant, id: number, limit: number): Promise<string[][]> {
  const pages: string[][] = []
  let next: string | null = at(tenant, `cohorts/${id}/persons/?limit=${limit}`)
  while (next !== null && pages.length < 9) {
    const { status, body } = await tenant.get(next)
    expect(status).toBe(200)
    pages.push(body.results.map(({ name }: { name: string }) => name))
    next = body.next
  }
  return pages
}

const PLANS = { ada: 'pro', grace: 'free', joan: 'pro', mary: 'pro', rosa: 'free' }

describe('the members of a cohort', () => {
  it('are those who meet its conditions, newest first, in pages', async () => {
    const tenant = await createTenant()
    await people(tenant, PLANS)
    const id = await cohort(tenant, [onPlan('pro')])
    const { status, body } = await tenant.get(at(tenant, `cohorts/${id}/persons/?limit=1`))
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        next: expect.stringContaining(`cohorts/${id}/persons/?limit=1&cursor=`),
        previous: null,
        results: [
          {
            id: expect.any(Number),
            uuid: expect.any(String),
            name: 'mary',
            distinct_ids: ['mary'],
            properties: { plan: 'pro', name: 'mary' },
            created_at: '2026-03-10T12:00:00Z',
          },
        ],
      },
    })
    expect(await pagesOf(tenant, id, 2)).toEqual([['mary', 'joan'], ['ada']])
    expect(await pagesOf(tenant, id, 100)).toEqual([['mary', 'joan', 'ada']])
    expect(await pagesOf(tenant, await cohort(tenant, [onPlan('none')]), 2)).toEqual([[]])
  })

  it('are those of its list, and of lists that its conditions name', async () => {
    const tenant = await createTenant()
    await people(tenant, PLANS)
    const { body } = await tenant.post(at(tenant, 'cohorts/'), {
      name: 'List',
      is_static: true,
      csv: 'ada\ngrace\nmary\nnobody',
    })
    expect(await pagesOf(tenant, body.id, 2)).toEqual([['mary', 'grace'], ['ada']])
    expect(await pagesOf(tenant, body.id, 3)).toEqual([['mary', 'grace', 'ada']])
    const both = await cohort(tenant, [onPlan('pro'), { type: 'cohort', key: 'id', value: body.id }])
    expect(await pagesOf(tenant, both, 10)).toEqual([['mary', 'ada']])
  })

  it('are found beyond the persons that one request examines', async () => {
    const tenant = await createTenant()
    await env.DB.prepare(
      `INSERT INTO persons (project_id, uuid, properties, created_at)
       WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2)
       SELECT ?1, printf('00000000-0000-7000-8000-%012d', i), iif(i = 3, '{"plan":"pro","name":"old"}', '{}'), '2026-01-01T00:00:00.000000Z'
       FROM n`,
    )
      .bind(tenant.projectId, MAX_EVALUATED + 10)
      .run()
    expect(await pagesOf(tenant, await cohort(tenant, [onPlan('pro')]), 10)).toEqual([[], ['old']])
  })

  it('and uses of a cohort of another project, or a deleted one, are not found', async () => {
    const harness = createHarness()
    const [tenant, other] = [await createTenant({ harness }), await createTenant({ harness })]
    const ids = [await cohort(other, [onPlan('pro')]), await cohort(tenant, [], { deleted: true })]
    for (const id of ids)
      for (const part of ['persons', 'uses'])
        expect(seen(await tenant.get(at(tenant, `cohorts/${id}/${part}/`)))).toEqual(NOT_FOUND)
  })
})

describe('the uses of a cohort', () => {
  it('are flags, cohorts and the current versions of saved queries', async () => {
    const tenant = await createTenant()
    const id = await cohort(tenant, [onPlan('pro')], { isStatic: true, filters: null, name: "It's us" })
    const elsewhere = await cohort(tenant, [onPlan('pro')])
    const none = { flags: [], cohorts: [], endpoints: [] }
    expect(seen(await tenant.get(at(tenant, `cohorts/${id}/uses/`)))).toEqual({ status: 200, body: none })
    const flag = await tenant.flag({ key: 'of-cohort', name: 'Ours', filters: where(inCohort(id)) })
    await tenant.flag({ key: 'of-another', filters: where(inCohort(elsewhere)) })
    const nested = await cohort(tenant, [{ type: 'cohort', key: 'id', value: id }], { name: 'Nested' })
    const save = async (name: string, query: object) => {
      const { status, body } = await tenant.post(at(tenant, 'endpoints/'), { name, query })
      expect({ name, status, body }).toMatchObject({ status: 201 })
      return { id: body.id as string, name }
    }
    const sql = (members: string) => ({
      kind: 'HogQLQuery',
      query: `SELECT count() FROM events WHERE person_id ${members}`,
    })
    const trends = (more: object) => ({
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: 'a' }],
      ...more,
    })
    const endpoints = [
      await save('by-breakdown', trends({ breakdownFilter: { breakdown_type: 'cohort', breakdown: [id] } })),
      await save('by-filter', trends({ properties: [{ type: 'cohort', key: 'id', value: id }] })),
      await save('by-id', sql(`IN COHORT ${id}`)),
      await save('by-name', sql("NOT IN COHORT 'It\\'s us'")),
    ]
    await save('of-all', trends({}))
    await save('of-none', { kind: 'HogQLQuery', query: "SELECT 'cohort', count() FROM events" })
    expect(seen(await tenant.get(at(tenant, `cohorts/${id}/uses/`)))).toEqual({
      status: 200,
      body: {
        flags: [{ id: flag.id, key: 'of-cohort', name: 'Ours', active: true }],
        cohorts: [{ id: nested, name: 'Nested' }],
        endpoints,
      },
    })
  })
})
